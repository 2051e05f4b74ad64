import type { Db } from '../../db/connection.ts';
import { findScope } from '../../db/market-view.ts';
import type { RuleOffer } from '../../db/notify/rule-offers.ts';
import type { PriceRuleKind, RuleFields } from '../../domain/rule.ts';
import { historyMs } from '../../domain/rule-condition.ts';
import {
  blankState,
  type Firing,
  type RuleState,
  rememberBook,
  stepRule,
} from '../../domain/rule-machine.ts';
import type { Watch } from '../../domain/watch.ts';
import { readPastBooks } from './past-books.ts';

/** A firing that a rule would have had. */
export interface PastFiring extends Firing {
  at: Date;
  bookId: number;
  /** The offer that it was for, as listed then; null: none matched. */
  offer: RuleOffer | null;
}

interface BacktestAsk {
  marketId: number;
  watch: Pick<Watch, 'filters' | 'profile' | 'rankBy'> & { scopeId: number };
  rule: Pick<
    RuleFields,
    'kind' | 'params' | 'of' | 'hysteresisPercent' | 'cooldownMinutes' | 'rearm' | 'dailyCap'
  >;
  from: Date;
  to: Date;
}

/**
 * What a rule would have done had it been made at `from`: the same readings and the same machine as live, book by
 * book. Alerts beyond the day's cap are told as such. Source: docs/decisions/0018.
 */
export async function backtestRule(
  db: Db,
  ask: BacktestAsk,
): Promise<{ books: number; firings: PastFiring[]; state: RuleState; judgedAt: Date | null }> {
  const { rule, from, to } = ask;
  const kind = rule.kind as PriceRuleKind;
  const begin = new Date(from.getTime() - historyMs(kind, rule.params));
  const firings: PastFiring[] = [];
  let state = blankState;
  let books = 0;
  let judgedAt: Date | null = null;
  const pastBooks = readPastBooks(db, {
    ...{ marketId: ask.marketId, watch: ask.watch, from: begin, to },
    defaultScopeId: await findScope(db, ask.marketId),
    pools: kind === 'percentileBelow',
  });
  for await (const { book, before, table, read } of pastBooks) {
    // Of the books of one walk over the market one is enough: live leaves the others out too.
    if (judgedAt !== null && book.observedAt <= judgedAt) continue;
    judgedAt = book.observedAt;
    const { readings, places } = read(kind, rule.params);
    const time = { at: book.observedAt.getTime(), before };
    if (book.observedAt < from) {
      state = rememberBook(rule, state, time, readings);
      continue;
    }
    books += 1;
    const step = stepRule(rule, state, time, readings);
    ({ state } = step);
    for (const firing of step.firings) {
      const offer = table.offers[places.get(firing.key) ?? -1] ?? null;
      firings.push({ ...firing, at: book.observedAt, bookId: book.id, offer });
    }
  }
  return { books, firings, state, judgedAt };
}

/** What a rule that begins now looks back on, and the newest book of it; null: none. */
export async function stateFromHistory(
  db: Db,
  ask: Omit<BacktestAsk, 'from' | 'to'>,
  now: Date,
): Promise<{ state: RuleState; judgedAt: Date | null }> {
  if (historyMs(ask.rule.kind, ask.rule.params) === 0) return { state: blankState, judgedAt: null };
  // A book of this very moment is history too.
  const from = new Date(now.getTime() + 1);
  const { state, judgedAt } = await backtestRule(db, { ...ask, from, to: from });
  return { state, judgedAt };
}
