import type { Db } from '../../database/connection.ts';
import { heldUntil } from './held-until.ts';
import { listUnheardAlerts, releaseUnheardAlerts } from './kept-alerts.sql.ts';
import type { RuleFields } from './rule.ts';
import { firedMoments, type RuleState, unheardFirings } from './rule-machine.ts';
import { type RuleStateRow, readRuleStates, saveRuleStates } from './rules.sql.ts';

/**
 * Sends what a rule reported while it had no channel, now that it has one: the alerts whose condition has held since. It
 * forgets the others, so that they delay no later alert. The rule must be locked. Returns the number of alerts sent.
 */
export async function sendUnheardAlerts(
  tx: Db,
  rule: Pick<RuleFields, 'of' | 'digest' | 'quietHours'> & { id: string },
  now: Date,
): Promise<number> {
  const stored = await readRuleStates(tx, rule.id);
  const states = [...stored].map(([marketId, text]) => ({ marketId, state: JSON.parse(text) as RuleState }));
  const moments = states.flatMap(({ state }) => firedMoments(state));
  const unheard = await listUnheardAlerts(tx, { ruleId: rule.id, moments });
  if (unheard.length === 0) return 0;
  const ids: string[] = [];
  const changed: RuleStateRow[] = [];
  for (const { marketId, state } of states) {
    const alertsOf = (fired: { at: number; value: number | null }) =>
      unheard.filter(
        (alert) =>
          alert.marketId === marketId && alert.at.getTime() === fired.at && alert.value === fired.value,
      );
    const { pending, state: next } = unheardFirings(rule, state, (fired) => alertsOf(fired).length > 0);
    ids.push(...pending.flatMap((fired) => alertsOf(fired).map(({ id }) => id)));
    changed.push({ ruleId: rule.id, marketId, state: JSON.stringify(next), judgedAt: null });
  }
  await saveRuleStates(tx, changed);
  return await releaseUnheardAlerts(tx, [...new Set(ids)], heldUntil(rule, now) ?? now);
}
