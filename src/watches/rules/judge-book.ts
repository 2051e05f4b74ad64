import type { LandedBook } from '../../books/landing/land-book.sql.ts';
import { findScope } from '../../books/newest-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db } from '../../database/connection.ts';
import { clearChangePercent } from '../../prices/index/index-change.ts';
import { readNewestIndexDays, type StoredIndexDay } from '../../prices/index/index-days.sql.ts';
import { windowDays } from '../../prices/index/index-window.ts';
import { createVerdictPools } from '../../prices/verdicts/verdict-pools.ts';
import { typesOfWatch } from '../watch.ts';
import { alertNotice } from './alert-notice.ts';
import { heldUntil } from './held-until.ts';
import type { OfferTable } from './offer-table.ts';
import { createUsualPrices } from './outlier-prices.ts';
import { type Pools, percentiles, readOfferTable } from './read-offer-table.ts';
import type { PriceRuleKind } from './rule.ts';
import { historyMs } from './rule-condition.ts';
import { blankState, type Firing, type RuleState, stepRule } from './rule-machine.ts';
import { newestRuleBooks } from './rule-offers.sql.ts';
import {
  beginJudging,
  bookBefore,
  hasPriceRules,
  holdPriceRules,
  markJudged,
  type RuleStateRow,
  type RuleToJudge,
  rulesOfBook,
  saveRuleStates,
} from './rules.sql.ts';
import { type NewAlert, newAlert, storeAlerts } from './store-alerts.ts';
import { createWatchReader, type IndexChangeOf } from './watch-readings.ts';

export interface BookJudgeOptions {
  now: () => Date;
  /** For links. */
  publicUrl: string;
  /** Name of the market whose offers can be rented; null: there is none. */
  rentMarket: string | null;
}

/**
 * Returns the hook that judges the rules of watches on each book that lands, within the book's transaction: state,
 * alerts and deliveries are stored exactly if the book is. Partial books judge the models that they are complete for;
 * late and repeated books judge nothing.
 */
export function createBookJudge(options: BookJudgeOptions): (tx: Db, book: LandedBook) => Promise<void> {
  const usualPrices = createUsualPrices();
  const poolsAt = createVerdictPools();
  return async (tx, book) => {
    if (book.late || !(await hasPriceRules(tx, book.marketId))) return;
    await holdPriceRules(tx, [book.marketId]);
    const covered = await coveredModels(tx, book);
    if (covered === 'nothing' || !(await beginJudging(tx, book))) return;
    const all = await rulesOfBook(tx, book);
    const rules = all.filter(({ watch }) => coversWatch(covered, watch.filters.gpuName));
    if (rules.length === 0) return;
    const { table, pools } = await readOfferTable(
      tx,
      {
        marketId: book.marketId,
        scopeId: book.scopeId,
        types: [...new Set(rules.flatMap(({ watch }) => typesOfWatch(watch.filters)))],
        at: book.observedAt,
        pools: rules.some(({ kind }) => kind === 'percentileBelow'),
      },
      { usualPrices, poolsAt },
    );
    const before = await booksBefore(tx, book, rules);
    const indexChangeOf = await readIndexChanges(tx, book, rules);
    const judged = judgeRules(rules, { table, pools, book, before, indexChangeOf });
    await keep(tx, book, judged, table, options);
  };
}

/** Models that the book is complete for; null: all. */
async function coveredModels(tx: Db, book: LandedBook): Promise<readonly string[] | null | 'nothing'> {
  if (book.verdict === 'complete') return null;
  const [own] = await newestRuleBooks(tx, {
    scopeIds: [book.scopeId],
    types: [book.type],
    upTo: book.observedAt,
  });
  return own?.id === book.id ? (own.gpuNames ?? null) : 'nothing';
}

/** Whether a book that is complete for these models counts for a watch. */
export const coversWatch = (
  covered: readonly string[] | null,
  gpuNames: readonly string[] | undefined,
): boolean =>
  covered === null ||
  (gpuNames !== undefined && gpuNames.length > 0 && gpuNames.every((name) => covered.includes(name)));

/** The moment of the previous complete book, by rule; only for rules with history. */
async function booksBefore(
  tx: Db,
  book: LandedBook,
  rules: readonly RuleToJudge[],
): Promise<(rule: RuleToJudge) => number | null> {
  const looking = rules.filter(({ kind, params }) => historyMs(kind, params) > 0);
  if (looking.length === 0) return () => null;
  const byTypes = new Map<string, Map<number, number>>();
  const typesKey = (rule: RuleToJudge) => [...typesOfWatch(rule.watch.filters)].sort().join();
  for (const [key, group] of Map.groupBy(looking, typesKey)) {
    const scopeIds = [...new Set([book.scopeId, ...group.map(({ watch }) => watch.scopeId)])];
    const types = key.split(',') as PricingType[];
    byTypes.set(key, await bookBefore(tx, { scopeIds, types, at: book.observedAt }));
  }
  return (rule) => {
    const moments = byTypes.get(typesKey(rule));
    const found = [book.scopeId, rule.watch.scopeId].flatMap((id) => moments?.get(id) ?? []);
    return found.length === 0 ? null : Math.max(...found);
  };
}

interface JudgedRule {
  rule: RuleToJudge;
  /** null: unchanged. */
  state: RuleState | null;
  firings: Firing[];
  places: ReadonlyMap<string, number>;
}

function judgeRules(
  rules: readonly RuleToJudge[],
  ask: {
    table: OfferTable;
    pools: Pools;
    book: LandedBook;
    before: (rule: RuleToJudge) => number | null;
    indexChangeOf: IndexChangeOf;
  },
): JudgedRule[] {
  const sources = { percentileAt: percentiles(ask.table, ask.pools), indexChangeOf: ask.indexChangeOf };
  const at = ask.book.observedAt.getTime();
  let reader: ReturnType<typeof createWatchReader> | null = null;
  let readerOf: string | null = null;
  return rules.map((rule) => {
    // Rules are ordered by watch, so that its offers are looked up once.
    if (reader === null || readerOf !== rule.watchId) {
      reader = createWatchReader(ask.table, rule.watch, sources);
      readerOf = rule.watchId;
    }
    const { readings, places } = reader(rule.kind as PriceRuleKind, rule.params);
    const state = rule.state === null ? blankState : (JSON.parse(rule.state) as RuleState);
    const step = stepRule(rule, state, { at, before: ask.before(rule) }, readings);
    const isSame = step.state === state && rule.state !== null;
    return { rule, state: isSame ? null : step.state, firings: step.firings, places };
  });
}

/** The index changes of the default scope up to a book's day, or to the newest earlier day that has one. */
async function readIndexChanges(
  tx: Db,
  { marketId, observedAt }: LandedBook,
  rules: readonly RuleToJudge[],
): Promise<IndexChangeOf> {
  const asking = rules.filter(({ kind }) => kind === 'indexChange');
  const scopeId = asking.length === 0 ? null : await findScope(tx, marketId);
  if (scopeId === null) return () => null;
  const last = utcDayNumber(observedAt);
  const byType = new Map<PricingType, ReadonlyMap<string, StoredIndexDay>>();
  for (const type of new Set(asking.flatMap(({ watch }) => typesOfWatch(watch.filters)))) {
    byType.set(type, await readNewestIndexDays(tx, { scopeId, type }, { first: last - windowDays, last }));
  }
  return (type, gpuName, days) => clearChangePercent(byType.get(type)?.get(gpuName) ?? null, days);
}

async function keep(
  tx: Db,
  book: LandedBook,
  judged: readonly JudgedRule[],
  table: OfferTable,
  { now, publicUrl, rentMarket }: BookJudgeOptions,
): Promise<void> {
  const moment = now();
  await saveStates(tx, book, judged);
  const alerts: NewAlert[] = [];
  const holds = new Map<string, Date | null>();
  const holdOf = (rule: RuleToJudge): Date | null => {
    if (rule.digest === null && rule.quietHours === null) return null;
    const key = JSON.stringify([rule.digest, rule.quietHours]);
    if (!holds.has(key)) holds.set(key, heldUntil(rule, moment));
    return holds.get(key) ?? null;
  };
  for (const { rule, firings, places } of judged) {
    for (const firing of firings) {
      const place = places.get(firing.key) ?? -1;
      const { name, profile, hasSeveralMarkets } = rule.watch;
      const notice = alertNotice({
        rule,
        book,
        firing,
        publicUrl,
        rentMarket,
        offer: table.offers[place] ?? null,
        watch: { name, storageGb: profile.storageGb, hasSeveralMarkets },
      });
      const channelIds = rule.channelIds.length > 0 ? rule.channelIds : rule.watch.channelIds;
      const { id: bookId, observedAt: at } = book;
      const about = { ruleId: rule.id, at, bookId, notice, heldUntil: holdOf(rule), channelIds };
      alerts.push(newAlert(firing, about));
    }
  }
  await storeAlerts(tx, { marketId: book.marketId, alerts, now: moment });
}

async function saveStates(tx: Db, book: LandedBook, judged: readonly JudgedRule[]): Promise<void> {
  const { marketId, observedAt } = book;
  const states: RuleStateRow[] = [];
  const asBefore: string[] = [];
  for (const { rule, state } of judged) {
    // For rules on one series the landing itself knows what is newer.
    const judgedAt = rule.severalSeries ? observedAt : null;
    if (state !== null) states.push({ ruleId: rule.id, marketId, state: JSON.stringify(state), judgedAt });
    else if (judgedAt !== null) asBefore.push(rule.id);
  }
  await saveRuleStates(tx, states);
  await markJudged(tx, asBefore, book);
}
