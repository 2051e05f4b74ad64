import { badField } from '../../core/http/problem.ts';
import type { Db } from '../../database/connection.ts';
import type { PlacedWatch, WatchPlace } from '../watches.sql.ts';
import { stateFromHistory } from './backtest.ts';
import type { RuleFields } from './rule.ts';
import { blankState } from './rule-machine.ts';
import { listRules, type RuleStateRow, saveRuleStates } from './rules.sql.ts';
import { unfitReason } from './unfit-rule.ts';
import type { JudgedWatch } from './watch-readings.ts';

/** Returns a new rule's state for one market of its watch. */
async function initialRuleState(
  db: Db,
  watch: JudgedWatch,
  { marketId, scopeId }: WatchPlace,
  rule: RuleFields,
  now: Date,
): Promise<Omit<RuleStateRow, 'ruleId'>> {
  const ask = { marketId, watch: { ...watch, scopeId }, rule };
  const { state, judgedAt } = await stateFromHistory(db, ask, now);
  return { marketId, state: JSON.stringify(state), judgedAt };
}

/** Returns a new rule's states, one per market of its watch; null: a rule on events, which has no history. */
export async function initialRuleStates(
  db: Db,
  watch: PlacedWatch | null,
  { rule, marketId, now }: { rule: RuleFields; marketId: number; now: Date },
): Promise<Omit<RuleStateRow, 'ruleId'>[]> {
  if (watch === null) return [{ marketId, state: JSON.stringify(blankState), judgedAt: null }];
  const states: Omit<RuleStateRow, 'ruleId'>[] = [];
  for (const place of watch.places) states.push(await initialRuleState(db, watch, place, rule, now));
  return states;
}

/**
 * Restarts the state of a watch's rules in markets where its filters change, while no book is judged. Throws a 400 if a
 * rule cannot belong to such a watch.
 */
export async function renewRules(
  tx: Db,
  watch: PlacedWatch,
  places: readonly WatchPlace[],
  now: Date,
): Promise<void> {
  const marketIds = watch.places.map(({ marketId }) => marketId);
  const rules = await listRules(tx, { marketIds, watchId: watch.id, after: null, limit: null });
  for (const { kind } of rules) {
    const reason = unfitReason(kind, watch.filters);
    if (reason !== null)
      throw badField('filters', `do not fit a rule of this watch: ${reason}, or delete that rule first`);
  }
  const states: RuleStateRow[] = [];
  for (const rule of rules) {
    for (const place of places)
      states.push({ ruleId: rule.id, ...(await initialRuleState(tx, watch, place, rule, now)) });
  }
  await saveRuleStates(tx, states);
}
