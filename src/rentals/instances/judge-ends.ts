import { Decimal } from 'decimal.js';
import type { EndLimitName, EndLimits } from './end-limits.ts';
import type { InstancePlan } from './plans.sql.ts';

/** A time in which every poll knew an instance's GPU use and saw it low; it lasts at the newest poll. */
export interface IdleStretch {
  from: Date;
  /** The newest poll. */
  until: Date;
}

/** What is known of an instance beside its plan. */
export interface EndFacts {
  /** null: its GPUs are busy, or their use is not known. */
  idle: IdleStretch | null;
  /** The cost since the start of the rental, and what it grows by now (null: unknown). Decimal text. */
  cost: { usd: string; usdPerHour: string | null };
  isRunning: boolean;
  /** A stop would change nothing. */
  isStopped: boolean;
}

/** What a limit requires. `reading`: what was seen, in words. */
export type EndJudgment =
  /** It is to be ended now. `since`: when the limit was reached. */
  | { kind: 'due'; limit: EndLimitName; since: Date; reading: string }
  /** It will be ended at `at`, as far as known, which is so near that its owner is to be warned. */
  | { kind: 'soon'; limit: EndLimitName; at: Date; reading: string };

type Plan = EndLimits & Pick<InstancePlan, 'wanted' | 'wantedAt' | 'acceptedAt'>;

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** When the newest poll is older, nothing is known of the GPU use now. */
export const maxPollGapMinutes = 6;

/**
 * Returns what the limits of an instance require at `now`: the first that is due, else the next end within
 * `warnMinutes`, else null. Unknown GPU use is never idle. Source: docs/meaning.md#limits-of-an-instance.
 */
export function judgeEnds(plan: Plan, facts: EndFacts, now: Date): EndJudgment | null {
  const found = [byTime(plan, now), bySpend(plan, facts, now), byIdle(plan, facts, now)].filter(
    (each) => each !== null,
  );
  const due = found.find((each) => each.kind === 'due' && !isMet(plan, each.since));
  if (due !== undefined) return due;
  const { warnMinutes, wanted } = plan;
  const stops = !facts.isStopped && wanted !== 'stopped';
  if (warnMinutes === null || wanted === 'destroyed' || (plan.endAction === 'stop' && !stops)) return null;
  const latest = now.getTime() + warnMinutes * minuteMs;
  const soon = found.filter((each) => each.kind === 'soon' && each.at.getTime() < latest);
  return soon.reduce<EndJudgment | null>((first, each) => (isEarlier(each, first) ? each : first), null);
}

const isEarlier = (each: EndJudgment, than: EndJudgment | null): boolean =>
  than === null || (each.kind === 'soon' && than.kind === 'soon' && each.at < than.at);

/** Whether requests since a limit was reached leave nothing to do. */
function isMet({ wanted, wantedAt, acceptedAt, endAction }: Plan, since: Date): boolean {
  if (wanted === 'destroyed') return true;
  if (wantedAt === null || wantedAt < since) return false;
  // A person started it after its end: that decision stands.
  if (wanted === 'running') return true;
  // A stop that a list has shown is no longer wanted; a refused one was never accepted.
  return endAction === 'stop' && (wanted === 'stopped' || acceptedAt !== null);
}

function byTime({ maxHours, endsAt }: Plan, now: Date): EndJudgment | null {
  if (endsAt === null) return null;
  const limit = maxHours === null ? 'endsAt' : 'maxHours';
  const reading =
    maxHours === null ? `its end, ${words(endsAt)}` : `${plural(maxHours, 'hour')} since the rent`;
  if (endsAt <= now) return { kind: 'due', limit, since: endsAt, reading };
  return { kind: 'soon', limit, at: endsAt, reading };
}

function bySpend({ maxUsd, spentAt }: Plan, { cost }: EndFacts, now: Date): EndJudgment | null {
  if (maxUsd === null) return null;
  const limit = 'maxUsd';
  const spent = new Decimal(cost.usd);
  // Cut, not rounded: what is not reached must not read as if it were.
  const reading = `spent $${spent.toFixed(2, Decimal.ROUND_DOWN)} of $${maxUsd}`;
  // Once reached it stays so: a late charge may correct the sum a little.
  if (spentAt !== null || spent.gte(maxUsd)) return { kind: 'due', limit, since: spentAt ?? now, reading };
  if (cost.usdPerHour === null || Number(cost.usdPerHour) <= 0) return null;
  const ms = new Decimal(maxUsd).minus(spent).div(cost.usdPerHour).times(hourMs).toNumber();
  return { kind: 'soon', limit, at: new Date(now.getTime() + Math.min(ms, 1e12)), reading };
}

function byIdle(plan: Plan, { idle, isRunning }: EndFacts, now: Date): EndJudgment | null {
  const { idleMinutes, idlePercent } = plan;
  if (idleMinutes === null || idle === null || !isRunning) return null;
  // What no poll has seen lately is not known.
  if (now.getTime() - idle.until.getTime() > maxPollGapMinutes * minuteMs) return null;
  const ms = idle.until.getTime() - idle.from.getTime();
  const limit = 'idleMinutes';
  const reading = `GPUs under ${idlePercent}% for ${plural(Math.floor(ms / minuteMs), 'minute')}`;
  if (ms >= idleMinutes * minuteMs) return { kind: 'due', limit, since: idle.until, reading };
  // A pause of a few minutes is no reason to warn.
  if (ms < (idleMinutes * minuteMs) / 2) return null;
  return { kind: 'soon', limit, at: new Date(idle.from.getTime() + idleMinutes * minuteMs), reading };
}

/** Only polls after this moment count as idle: since the limit was set, and since the last request to stop or start. */
export function idleCountsFrom({ idleFrom, wantedAt }: Plan): Date {
  return new Date(Math.max(idleFrom?.getTime() ?? 0, wantedAt?.getTime() ?? 0));
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
const words = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
