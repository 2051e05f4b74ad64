import type { Db } from '../../database/connection.ts';
import type { PlacedWatch } from '../watches.sql.ts';
import { stateFromHistory } from './backtest.ts';
import type { RuleFields } from './rule.ts';
import { blankState } from './rule-machine.ts';
import { listRules, type RuleStateRow, saveRuleStates } from './rules.sql.ts';

/** What a rule that begins now remembers; `watch` null: one over events, which looks back on nothing. */
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

/** Begins what the rules of a watch remember anew, as it looks for something else; while no book is judged. */
export async function renewRules(tx: Db, watch: PlacedWatch, now: Date): Promise<void> {
  const rules = await listRules(tx, {
    marketId: watch.marketId,
    watchId: watch.id,
    after: null,
    limit: null,
  });
  const states: RuleStateRow[] = [];
  for (const rule of rules)
    states.push({ ruleId: rule.id, ...(await initialRuleState(tx, watch, rule, now)) });
  await saveRuleStates(tx, states);
}
