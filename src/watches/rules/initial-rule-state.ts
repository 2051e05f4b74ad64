import { badField } from '../../core/http/problem.ts';
import type { Db } from '../../database/connection.ts';
import type { PlacedWatch } from '../watches.sql.ts';
import { stateFromHistory } from './backtest.ts';
import type { RuleFields } from './rule.ts';
import { blankState } from './rule-machine.ts';
import { listRules, type RuleStateRow, saveRuleStates } from './rules.sql.ts';
import { unfitReason } from './unfit-rule.ts';

/** Returns the state of a rule that begins now; `watch` null: a rule on events, which has no history. */
export async function initialRuleState(
  db: Db,
  watch: PlacedWatch | null,
  rule: RuleFields,
  now: Date,
): Promise<Omit<RuleStateRow, 'ruleId'>> {
  if (watch === null) return { state: JSON.stringify(blankState), judgedAt: null };
  const { state, judgedAt } = await stateFromHistory(db, { marketId: watch.marketId, watch, rule }, now);
  return { state: JSON.stringify(state), judgedAt };
}

/**
 * Begins what the rules of a watch remember anew, as it looks for something else; while no book is judged. Throws a 400 where
 * one of them cannot be of such a watch.
 */
export async function renewRules(tx: Db, watch: PlacedWatch, now: Date): Promise<void> {
  const rules = await listRules(tx, {
    marketId: watch.marketId,
    watchId: watch.id,
    after: null,
    limit: null,
  });
  for (const { kind } of rules) {
    const reason = unfitReason(kind, watch.filters);
    if (reason !== null)
      throw badField('filters', `do not fit a rule of this watch: ${reason}, or delete that rule first`);
  }
  const states: RuleStateRow[] = [];
  for (const rule of rules)
    states.push({ ruleId: rule.id, ...(await initialRuleState(tx, watch, rule, now)) });
  await saveRuleStates(tx, states);
}
