import { findScope } from '../../books/newest-books.sql.ts';
import type { Db } from '../../database/connection.ts';
import type { Watch } from '../watch.ts';
import type { ArrangedOffer, OfferTable } from './offer-table.ts';
import { readPastBooks } from './past-books.ts';
import type { PriceRuleKind, RuleFields } from './rule.ts';
import { historyMs, type Reading } from './rule-condition.ts';
import {
  blankState,
  type Firing,
  type RuleState,
  rememberBook,
  stepRule,
  wouldFireAtOnce,
} from './rule-machine.ts';

/** A firing that a rule would have had. */
export interface PastFiring extends Firing {
  at: Date;
  bookId: number;
  /** The offer that fired it, as listed then; null: none matched. */
  offer: ArrangedOffer | null;
}

interface BacktestOptions {
  marketId: number;
  watch: Pick<Watch, 'filters' | 'profile'> & { scopeId: number };
  rule: Pick<
    RuleFields,
    'kind' | 'params' | 'of' | 'hysteresisPercent' | 'cooldownMinutes' | 'rearm' | 'dailyCap'
  >;
  from: Date;
  to: Date;
}

/** What a rule sees in the newest book of a backtest. */
export interface RuleNow {
  at: Date;
  /** With `perListing` the lowest of the listings; null: nothing matches, or the metric is unknown for all matches. */
  value: number | null;
  /** GPUs of the offer of that value, which is rented whole; null: it is of no offer. */
  numGpus: number | null;
  /** Machines with a matching offer. */
  machines: number;
  /** Percentile of that value in its pool; null: not used, or not enough history. */
  percentile: number | null;
  /** Whether a rule that is added now would fire on this book. */
  fires: boolean;
}

interface Backtested {
  books: number;
  /** The first of them; null: there is none. */
  firstAt: Date | null;
  firings: PastFiring[];
  state: RuleState;
  judgedAt: Date | null;
  /** null: there is no book. */
  now: RuleNow | null;
}

/**
 * Replays a rule as if it had been added at `from`: the same readings and state machine as live, book by book. Alerts
 * beyond the daily cap are marked. Source: docs/decisions/0018-rule-trigger-conditions.md.
 */
export async function backtestRule(db: Db, options: BacktestOptions): Promise<Backtested> {
  const { rule, from, to } = options;
  const kind = rule.kind as PriceRuleKind;
  const begin = new Date(from.getTime() - historyMs(kind, rule.params));
  const firings: PastFiring[] = [];
  let state = blankState;
  let books = 0;
  let firstAt: Date | null = null;
  let judgedAt: Date | null = null;
  let readNow: (() => RuleNow) | null = null;
  const pastBooks = readPastBooks(db, {
    marketId: options.marketId,
    watch: options.watch,
    from: begin,
    to,
    defaultScopeId: await findScope(db, options.marketId),
    pools: kind === 'percentileBelow',
    index: kind === 'indexChange',
  });
  for await (const { book, before, table, read } of pastBooks) {
    // One book per walk over the market is enough: live rules skip the others too.
    if (judgedAt !== null && book.observedAt <= judgedAt) continue;
    judgedAt = book.observedAt;
    const { readings, places } = read(kind, rule.params);
    const time = { at: book.observedAt.getTime(), before };
    if (book.observedAt < from) {
      state = rememberBook(rule, state, time, readings);
      continue;
    }
    books += 1;
    firstAt ??= book.observedAt;
    const stateBefore = state;
    const at = book.observedAt;
    readNow = () => ({
      at,
      ...lowestOf(readings, places, table),
      machines: countMachines(table, options.watch),
      fires: wouldFireAtOnce(rule, stateBefore, time, readings),
    });
    const step = stepRule(rule, state, time, readings);
    ({ state } = step);
    for (const firing of step.firings) {
      const offer = table.offers[places.get(firing.key) ?? -1] ?? null;
      firings.push({ ...firing, at: book.observedAt, bookId: book.id, offer });
    }
  }
  return { books, firstAt, firings, state, judgedAt, now: readNow?.() ?? null };
}

function lowestOf(
  readings: ReadonlyMap<string, Reading>,
  places: ReadonlyMap<string, number>,
  table: OfferTable,
): Pick<RuleNow, 'value' | 'numGpus' | 'percentile'> {
  const known = [...readings].filter(([, { value }]) => value !== null);
  const [[key, lowest] = []] = known.sort(([, a], [, b]) => (a.value ?? 0) - (b.value ?? 0));
  const offer = table.offers[places.get(key ?? '') ?? -1];
  return {
    value: lowest?.value ?? null,
    numGpus: offer?.numGpus ?? null,
    percentile: lowest?.percentile ?? null,
  };
}

function countMachines(table: OfferTable, { filters, profile }: BacktestOptions['watch']): number {
  const found = table.match(filters, profile.storageGb).filter((at) => table.missing[at] === 0);
  return new Set([...found].map((at) => table.offers[at]?.machineId)).size;
}

/** Returns the history of a rule that begins now, and its newest book; null: none. */
export async function stateFromHistory(
  db: Db,
  options: Omit<BacktestOptions, 'from' | 'to'>,
  now: Date,
): Promise<{ state: RuleState; judgedAt: Date | null }> {
  if (historyMs(options.rule.kind, options.rule.params) === 0) return { state: blankState, judgedAt: null };
  // A book at exactly this moment is history too.
  const from = new Date(now.getTime() + 1);
  const { state, judgedAt } = await backtestRule(db, { ...options, from, to: from });
  return { state, judgedAt };
}
