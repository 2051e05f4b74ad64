import type { Db } from '../../db/connection.ts';
import { type KeptState, listRules, saveRuleStates } from '../../db/notify/rules.ts';
import type { PlacedWatch } from '../../db/watches.ts';
import type { RuleFields } from '../../domain/rule.ts';
import { blankState } from '../../domain/rule-machine.ts';
import { stateFromHistory } from './backtest.ts';

/** What a rule that begins now remembers; `watch` null: one over events, which looks back on nothing. */
export async function newMemory(
  db: Db,
  watch: PlacedWatch | null,
  rule: RuleFields,
  now: Date,
): Promise<Omit<KeptState, 'ruleId'>> {
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
  const states: KeptState[] = [];
  for (const rule of rules) states.push({ ruleId: rule.id, ...(await newMemory(tx, watch, rule, now)) });
  await saveRuleStates(tx, states);
}
