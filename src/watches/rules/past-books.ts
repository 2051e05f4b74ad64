import type { PricingType } from '../../core/offer.ts';
import { type Places, placesWhere } from '../../core/offer-columns.ts';
import { createTurns } from '../../core/turns.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db } from '../../database/connection.ts';
import { clearChangePercent } from '../../prices/index/index-change.ts';
import { readIndexDays } from '../../prices/index/index-days.sql.ts';
import { windowDays } from '../../prices/index/index-window.ts';
import { readBlocklist } from '../../prices/rankings/blocklist.sql.ts';
import type { Blocklist } from '../../prices/rankings/blocklist.ts';
import { createPastPools } from '../../prices/verdicts/past-pools.ts';
import type { VerdictPools } from '../../prices/verdicts/verdict-pools.ts';
import { typesOfWatch, type Watch } from '../watch.ts';
import { coversWatch } from './judge-book.ts';
import { arrangePast, type OfferTable } from './offer-table.ts';
import {
  createPastUsualPrices,
  findOutliers,
  listedPricesOf,
  type UsualPrices,
  usualPricesOf,
} from './outlier-prices.ts';
import { percentiles } from './read-offer-table.ts';
import {
  listRuleBooks,
  missingFrom,
  type OfferSpan,
  type RuleBook,
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
  const past = arrangeSpans(spans, types);
  const series = new Map<string, Series>();
  for (const scopeId of scopeIds) {
    for (const type of types) series.set(`${scopeId} ${type}`, createSeries(past, { scopeId, type }));
  }
  const blocklist = await readBlocklist(db, marketId);
  const indexChangeAt = await readPastIndex(db, options);
  const usualPrices = createPastUsualPrices({ from: before, to }, names);
  const poolsAt = createPastPools({ from: before, to }, names);
  const judge = createTables(db, options, past, { types, series, blocklist, usualPrices, poolsAt });
  let newestComplete: number | null = null;
  const turns = createTurns();
  for (const book of books) {
    await turns.pass();
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

/** The intervals of a past in the order of tables, by type and then by listing; entry i of each column is interval i. */
interface Past {
  spans: readonly OfferSpan[];
  /** When it begins to be listed so, ms. */
  beginsAt: Float64Array;
  /** End (exclusive) of its prices and attributes, ms. */
  validTo: Float64Array;
  /** The last book that contained it, ms. */
  lastAt: Float64Array;
  /** Number of its listing. */
  listing: Int32Array;
}

function arrangeSpans(unsorted: readonly OfferSpan[], types: readonly PricingType[]): Past {
  const spans = unsorted.toSorted(
    (a, b) => types.indexOf(a.type) - types.indexOf(b.type) || a.listingId - b.listingId,
  );
  const numbers = new Map<number, number>();
  for (const { listingId } of spans) {
    if (!numbers.has(listingId)) numbers.set(listingId, numbers.size);
  }
  return {
    spans,
    beginsAt: Float64Array.from(spans, ({ firstAt, validFrom }) => Math.max(firstAt, validFrom)),
    validTo: Float64Array.from(spans, ({ validTo }) => validTo),
    lastAt: Float64Array.from(spans, ({ lastAt }) => lastAt),
    listing: Int32Array.from(spans, ({ listingId }) => numbers.get(listingId) ?? 0),
  };
}

interface Series {
  /** The last complete book, which precedes the next one. */
  completeAt: Date | null;
  book: RuleBook | null;
  /** The offers of its book, and those missing in it. */
  places: Places;
  take: (book: RuleBook) => void;
}

/** Follows one series book by book: intervals that have begun are added, ended ones removed. */
function createSeries(
  { spans, beginsAt, validTo, lastAt, listing }: Past,
  { scopeId, type }: { scopeId: number; type: PricingType },
): Series {
  const coming = placesWhere(Int32Array.from(spans.keys()), (place) => {
    const span = spans[place];
    return span?.scopeId === scopeId && span.type === type;
  }).sort((a, b) => (beginsAt[a] as number) - (beginsAt[b] as number));
  let active: Places = new Int32Array();
  let next = 0;
  // By listing: the interval that its book has; -1: none.
  const newest = new Int32Array(spans.length).fill(-1);
  const self: Series = {
    completeAt: null,
    book: null,
    places: active,
    take: (book) => {
      const now = book.observedAt.getTime();
      const since = missingFrom(book.observedAt, self.completeAt).getTime();
      const isListed = (place: number): boolean =>
        (validTo[place] as number) > now && (lastAt[place] as number) >= since;
      const kept = placesWhere(active, isListed);
      const begun = next;
      while (next < coming.length && (beginsAt[coming[next] as number] as number) <= now) next += 1;
      const added = placesWhere(coming.subarray(begun, next), isListed);
      active = new Int32Array(kept.length + added.length);
      active.set(kept);
      active.set(added, kept.length);
      if (added.length > 0) active.sort();
      for (const place of active) {
        const own = listing[place] as number;
        const before = newest[own] as number;
        if (before === -1 || (lastAt[before] as number) < (lastAt[place] as number)) newest[own] = place;
      }
      self.book = book;
      self.places = placesWhere(active, (place) => newest[listing[place] as number] === place);
      for (const place of active) newest[listing[place] as number] = -1;
    },
  };
  return self;
}

interface TableParts {
  types: readonly PricingType[];
  series: ReadonlyMap<string, Series>;
  blocklist: Blocklist;
  usualPrices: UsualPrices;
  poolsAt: ReturnType<typeof createPastPools>;
}

/** Tables of the newest books of all types at a book, with its pools. */
function createTables(
  db: Db,
  { marketId, pools: needsPools }: PastBooksOptions,
  { spans, lastAt }: Past,
  { types, series, blocklist, usualPrices, poolsAt }: TableParts,
) {
  const tableOf = arrangePast(spans, blocklist);
  const listed = listedPricesOf(spans);
  const usualOf = ofEqualMedians((usual) => usualPricesOf(listed, usual));
  return async (book: RuleBook): Promise<{ table: OfferTable; pools: Map<PricingType, VerdictPools> }> => {
    const usual = new Map<PricingType, ReadonlyMap<string, number>>();
    const pools = new Map<PricingType, VerdictPools>();
    const all: number[] = [];
    const missing = new Uint8Array(spans.length);
    for (const type of types) {
      const own = series.get(`${book.scopeId} ${type}`);
      if (own?.book == null) continue;
      const { scopeId, observedAt } = own.book;
      usual.set(type, await usualPrices(db, { marketId, scopeId, type }, observedAt));
      if (needsPools) pools.set(type, await poolsAt(db, { marketId, scopeId, type }, own.book));
      for (const place of own.places) {
        all.push(place);
        if ((lastAt[place] as number) < observedAt.getTime()) missing[place] = 1;
      }
    }
    // Types follow one another, so that these are in order.
    const places: Places = Int32Array.from(all);
    const isOutlier = findOutliers(listed, { places, missing }, usualOf(usual));
    return { table: tableOf(places, { missing, isOutlier }), pools };
  };
}

/** Computes once what depends on medians alone, which change once a day. */
function ofEqualMedians<T>(make: (usual: UsualByType) => T): (usual: UsualByType) => T {
  let last: { usual: UsualByType; made: T } | null = null;
  return (usual) => {
    const isSame =
      last !== null &&
      last.usual.size === usual.size &&
      [...usual].every(([type, medians]) => last?.usual.get(type) === medians);
    if (last === null || !isSame) last = { usual, made: make(usual) };
    return last.made;
  };
}

type UsualByType = ReadonlyMap<PricingType, ReadonlyMap<string, number>>;
