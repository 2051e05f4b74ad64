import type { PricingType } from '../../core/offer.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db } from '../../database/connection.ts';
import { clearChangePercent } from '../../prices/index/index-change.ts';
import { readIndexDays } from '../../prices/index/index-days.sql.ts';
import { windowDays } from '../../prices/index/index-window.ts';
import { readBlocklist } from '../../prices/rankings/blocklist.sql.ts';
import type { Blocklist } from '../../prices/rankings/blocklist.ts';
import { createVerdictPools, type VerdictPools } from '../../prices/verdicts/verdict-pools.ts';
import { typesOfWatch, type Watch } from '../watch.ts';
import { coversWatch } from './judge-book.ts';
import { createOfferTable, type OfferTable } from './offer-table.ts';
import { createOutlierTest, createUsualPrices } from './outlier-prices.ts';
import { percentiles } from './read-offer-table.ts';
import {
  listRuleBooks,
  missingFrom,
  type OfferSpan,
  type RuleBook,
  type RuleOffer,
  readOfferSpans,
} from './rule-offers.sql.ts';
import { createWatchReader, type IndexChangeOf, type PercentileAt } from './watch-readings.ts';

/** A past book as a watch saw it. */
export interface PastBook {
  book: RuleBook;
  /** The previous complete book, ms; null: none. */
  before: number | null;
  table: OfferTable;
  percentileAt: PercentileAt;
  read: ReturnType<typeof createWatchReader>;
}

const dayMs = 86_400_000;
/** How far before the range to search for the predecessor of its first book. */
const lookBackMs = 30 * dayMs;

export interface PastBooksOptions {
  marketId: number;
  /** The default scope's id; null: it has no books. */
  defaultScopeId: number | null;
  watch: Pick<Watch, 'filters' | 'profile'> & { scopeId: number };
  from: Date;
  to: Date;
  /** Whether percentiles are needed. */
  pools: boolean;
  /** Whether changes of the index are needed. */
  index: boolean;
}

/**
 * Yields the complete books of a watch in [from, to) in order, with the offers as rules judged them when the book
 * landed: from presence, price intervals and attributes.
 */
export async function* readPastBooks(db: Db, options: PastBooksOptions): AsyncGenerator<PastBook> {
  const { watch, marketId, from, to } = options;
  const scopeIds = [
    ...new Set([watch.scopeId, ...(options.defaultScopeId === null ? [] : [options.defaultScopeId])]),
  ];
  const types = typesOfWatch(watch.filters);
  const books = await listRuleBooks(db, { scopeIds, types, from: new Date(from.getTime() - lookBackMs), to });
  const { gpuName: gpuNames = [] } = watch.filters;
  const names = gpuNames.length === 0 ? null : gpuNames;
  const before = new Date(from.getTime() - 2 * dayMs);
  const spans = await readOfferSpans(db, { scopeIds, types, gpuNames: names, from: before, to });
  const series = new Map<string, Series>();
  for (const scopeId of scopeIds) {
    for (const type of types) {
      const own = spans.filter((span) => span.scopeId === scopeId && span.type === type);
      series.set(`${scopeId} ${type}`, createSeries(own));
    }
  }
  const blocklist = await readBlocklist(db, marketId);
  const indexChangeAt = await readPastIndex(db, options);
  const judge = createTables(db, options, types, series, { blocklist, gpuNames: names });
  let newestComplete: number | null = null;
  for (const book of books) {
    const own = series.get(`${book.scopeId} ${book.type}`);
    if (own === undefined) continue;
    const isComplete = book.gpuNames === null;
    if (book.observedAt >= before) own.take(book);
    if (book.observedAt >= from && coversWatch(book.gpuNames, watch.filters.gpuName)) {
      const { table, pools } = await judge(book);
      const percentileAt = percentiles(table, pools);
      const indexChangeOf = indexChangeAt(book.observedAt);
      const read = createWatchReader(table, watch, { percentileAt, indexChangeOf });
      yield { book, before: newestComplete, table, percentileAt, read };
    }
    if (isComplete) {
      own.completeAt = book.observedAt;
      newestComplete = book.observedAt.getTime();
    }
  }
}

/** Returns changes of the index by moment, as its day is known now. */
async function readPastIndex(
  db: Db,
  { index, defaultScopeId, watch, to }: PastBooksOptions,
): Promise<(at: Date) => IndexChangeOf> {
  const [gpuName] = watch.filters.gpuName ?? [];
  const [type] = typesOfWatch(watch.filters);
  if (!index || defaultScopeId === null || gpuName === undefined || type === undefined)
    return () => () => null;
  const days = await readIndexDays(db, { scopeId: defaultScopeId, type }, gpuName, utcDayNumber(to));
  return (at) => {
    const last = utcDayNumber(at);
    const newest = days.findLast(({ day }) => day <= last && day >= last - windowDays) ?? null;
    return (_type, _gpuName, span) => clearChangePercent(newest, span);
  };
}

interface Series {
  /** The last complete book, which precedes the next one. */
  completeAt: Date | null;
  book: RuleBook | null;
  offers: readonly RuleOffer[];
  take: (book: RuleBook) => void;
}

/** Yields the offers of one series book by book: intervals that have begun are added, ended ones removed. */
function createSeries(spans: readonly OfferSpan[]): Series {
  const coming = [...spans].sort((a, b) => beginOf(a) - beginOf(b));
  let active: OfferSpan[] = [];
  let next = 0;
  const self: Series = {
    completeAt: null,
    book: null,
    offers: [],
    take: (book) => {
      const at = book.observedAt.getTime();
      const since = missingFrom(book.observedAt, self.completeAt).getTime();
      for (let span = coming[next]; span !== undefined && beginOf(span) <= at; span = coming[next]) {
        active.push(span);
        next += 1;
      }
      active = active.filter(({ validTo, lastAt }) => validTo > at && lastAt >= since);
      const newest = new Map<number, OfferSpan>();
      for (const span of active) {
        const known = newest.get(span.listingId);
        if (known === undefined || known.lastAt < span.lastAt) newest.set(span.listingId, span);
      }
      self.book = book;
      self.offers = [...newest.values()]
        .sort((a, b) => a.listingId - b.listingId)
        .map((span) => ({ ...span, missing: span.lastAt < at }));
    },
  };
  return self;
}

const beginOf = ({ firstAt, validFrom }: OfferSpan): number => Math.max(firstAt, validFrom);

/** Tables of the newest books of all types at a book, with its pools. */
function createTables(
  db: Db,
  { marketId, pools: needsPools }: PastBooksOptions,
  types: readonly PricingType[],
  series: ReadonlyMap<string, Series>,
  { blocklist, gpuNames }: { blocklist: Blocklist; gpuNames: readonly string[] | null },
) {
  const usualPrices = createUsualPrices(gpuNames);
  const poolsAt = createVerdictPools();
  return async (book: RuleBook): Promise<{ table: OfferTable; pools: Map<PricingType, VerdictPools> }> => {
    const usual = new Map<PricingType, ReadonlyMap<string, number>>();
    const pools = new Map<PricingType, VerdictPools>();
    const offers: RuleOffer[] = [];
    for (const type of types) {
      const own = series.get(`${book.scopeId} ${type}`);
      if (own?.book == null) continue;
      const { scopeId, observedAt } = own.book;
      usual.set(type, await usualPrices(db, { marketId, scopeId, type }, observedAt));
      if (needsPools) pools.set(type, await poolsAt(db, { marketId, scopeId, type }, own.book));
      for (const offer of own.offers) offers.push(offer);
    }
    return { table: createOfferTable(offers, createOutlierTest(offers, usual), blocklist), pools };
  };
}
