import { valueWithUnit } from '../../core/metric.ts';
import { minuteWords } from '../../core/time-words.ts';
import type { Sql } from '../../database/connection.ts';
import { oneLine } from '../channels/notice.ts';
import type { NoticeOf } from '../channels/notice-schema.ts';
import { type EventSources, eventReadings } from './event-readings.ts';
import { heldUntil } from './held-until.ts';
import { type Rule, unitOfRule } from './rule.ts';
import { blankState, type Firing, type RuleState, stepRule } from './rule-machine.ts';
import { eventRules, type RuleStateRow, saveRuleStates, takeEventRules } from './rules.sql.ts';
import { type NewAlert, newAlert, storeAlerts } from './store-alerts.ts';

interface EventJudging extends Pick<EventSources, 'marketId' | 'now' | 'outlierTests'> {
  /** For links. */
  publicUrl: string;
}

/**
 * Judges a market's rules on events now, in one transaction: state, alerts and deliveries. Any number of processes may
 * call it; one at a time judges. Returns the firings.
 */
export async function judgeEvents(
  sql: Sql,
  { marketId, now, publicUrl, outlierTests }: EventJudging,
): Promise<number> {
  return await sql.begin(async (tx) => {
    if (!(await takeEventRules(tx, marketId))) return 0;
    const states: RuleStateRow[] = [];
    const alerts: NewAlert[] = [];
    for (const rule of await eventRules(tx, marketId)) {
      const readings = await eventReadings[rule.kind]?.({ db: tx, marketId, now, outlierTests }, rule);
      if (readings === undefined) continue;
      const before = rule.state === null ? blankState : (JSON.parse(rule.state) as RuleState);
      const { state, firings } = stepRule(rule, before, { at: now.getTime(), before: null }, readings);
      if (state !== before)
        states.push({ ruleId: rule.id, marketId, state: JSON.stringify(state), judgedAt: null });
      for (const firing of firings) {
        const about = readings.get(firing.key);
        const notice = eventNotice(rule, firing, {
          says: about?.says ?? rule.kind,
          about: about?.about ?? {},
          now,
          publicUrl,
        });
        const { id: ruleId, channelIds } = rule;
        const held = { heldUntil: heldUntil(rule, now) };
        alerts.push(newAlert(firing, { ruleId, at: now, bookId: null, notice, channelIds, ...held }));
      }
    }
    await saveRuleStates(tx, states);
    return await storeAlerts(tx, { marketId, alerts, now });
  });
}

function eventNotice(
  rule: Rule,
  { value, baseline, previous }: Firing,
  {
    says,
    about,
    now,
    publicUrl,
  }: { says: string; about: Record<string, unknown>; now: Date; publicUrl: string },
): NoticeOf<'alert'> {
  const { id, kind, params, market } = rule;
  const unit = unitOfRule(rule);
  return {
    kind: 'alert',
    title: oneLine(`${oneLine(market, 60)}: ${says}`, 200),
    lines: [
      `Checked at ${minuteWords(now)}.`,
      `Value ${valueWithUnit(value, unit)}, limit ${valueWithUnit(baseline, unit)}; before ${valueWithUnit(previous, unit)}.`,
    ],
    link: publicUrl,
    at: now.toISOString(),
    watchId: null,
    ruleId: id,
    data: { rule: { id, kind, params }, market, unit, value, baseline, previous, ...about },
  };
}
