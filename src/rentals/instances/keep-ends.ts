import { isRunning, isStopped } from '../../market/instance-status.ts';
import { instanceUsdPerHour } from '../account-count.ts';
import type { Actor } from '../actor.ts';
import { appendAudit, lockAudit } from '../audit.sql.ts';
import { publishEvent } from '../events.sql.ts';
import type { AccountInstance } from './account-instances.sql.ts';
import { listCharged } from './charged.sql.ts';
import type { ComingEnd } from './end-limits.ts';
import { idleStretches } from './idle.sql.ts';
import { costOf } from './instance-cost.ts';
import { listRateSteps } from './instance-rates.sql.ts';
import { type EndFacts, type EndJudgment, idleCountsFrom, judgeEnds } from './judge-ends.ts';
import { type InstancePlan, listPlans, planEnding, planSpent, planState } from './plans.sql.ts';

/** Plans the end of every instance that has reached a limit of its owner, and notes the ends that come soon. */
export async function planEnds(actor: Actor, instances: readonly AccountInstance[]): Promise<void> {
  const { sql, market, now } = actor;
  const plans = (await listPlans(sql, market.id)).filter(({ endAction }) => endAction !== null);
  const byId = new Map(instances.map((instance) => [instance.instanceId, instance]));
  const factsOf = await readFacts(actor, plans, byId);
  for (const plan of plans) {
    const facts = factsOf(plan);
    const judged = judgeEnds(plan, facts, now());
    await noteEnding(actor, plan, judged?.kind === 'soon' ? comingEnd(plan, facts, judged) : null);
    if (judged?.kind !== 'due') continue;
    await planBy(actor, plan.instanceId, {
      wanted: plan.endAction === 'stop' ? 'stopped' : 'destroyed',
      by: judged.limit,
      reading: judged.reading,
      spentAt: judged.limit === 'maxUsd' ? judged.since : undefined,
    });
  }
}

type ById = ReadonlyMap<number, AccountInstance>;

async function readFacts(
  { sql, market, now }: Actor,
  plans: readonly InstancePlan[],
  byId: ById,
): Promise<(plan: InstancePlan) => EndFacts> {
  const idling = plans.flatMap((plan) => {
    const { instanceId, idleMinutes, idlePercent } = plan;
    if (idleMinutes === null || idlePercent === null) return [];
    return [{ instanceId, percent: idlePercent, minutes: idleMinutes, from: idleCountsFrom(plan) }];
  });
  const idle = new Map((await idleStretches(sql, market.id, idling)).map((one) => [one.instanceId, one]));
  const spending = plans.filter(({ maxUsd }) => maxUsd !== null).map(({ instanceId }) => instanceId);
  const at = now();
  const charged = new Map(
    (await listCharged(sql, market.id, spending, at)).map((one) => [one.instanceId, one]),
  );
  const spent = new Map<number, string>();
  for (const instanceId of spending) {
    const steps = await listRateSteps(sql, market.id, instanceId);
    spent.set(instanceId, costOf(steps, charged.get(instanceId) ?? null, at).usd);
  }
  return ({ instanceId }) => {
    const instance = byId.get(instanceId) ?? null;
    const usdPerHour = instance === null ? null : (instanceUsdPerHour(instance)?.toString() ?? null);
    return {
      idle: idle.get(instanceId) ?? null,
      cost: { usd: spent.get(instanceId) ?? '0', usdPerHour },
      isRunning: instance !== null && isRunning(instance),
      isStopped: instance !== null && isStopped(instance),
    };
  };
}

function comingEnd(
  plan: InstancePlan,
  { idle }: EndFacts,
  { limit, at, reading }: EndJudgment & { kind: 'soon' },
): ComingEnd {
  const which = {
    maxHours: plan.endsAt?.toISOString(),
    endsAt: plan.endsAt?.toISOString(),
    idleMinutes: idle?.from.toISOString(),
    maxUsd: plan.maxUsd,
  };
  return { limit, at: at.toISOString(), reading, key: `${limit} ${which[limit]}` };
}

/** Stores the end that comes soon; pages and programs are notified once of each. */
async function noteEnding(
  { sql, market, now }: Actor,
  { instanceId, ending: before }: InstancePlan,
  ending: ComingEnd | null,
): Promise<void> {
  const isSame = ending?.key === before?.key;
  if (isSame && ending?.at === before?.at && ending?.reading === before?.reading) return;
  await sql.begin(async (tx) => {
    await planEnding(tx, market.id, instanceId, ending);
    if (isSame) return;
    await publishEvent(tx, {
      at: now(),
      marketId: market.id,
      kind: 'instance',
      data: { instanceId, ending },
    });
  });
}

/** What a limit or policy wants of an instance. */
interface PlannedEnd {
  wanted: 'stopped' | 'destroyed';
  /** Its name in the audit log. */
  by: string;
  /** What it has seen. */
  reading?: string | undefined;
  /** When the cost reached its limit. */
  spentAt?: Date | undefined;
}

/** Stores that an instance is to be stopped or destroyed, with an entry in the audit log. */
export async function planBy(
  { sql, market, now }: Actor,
  instanceId: number,
  { wanted, by, reading, spentAt }: PlannedEnd,
): Promise<void> {
  const at = now();
  await sql.begin(async (tx) => {
    // Audit log first, as everywhere, so that two transactions never deadlock.
    await lockAudit(tx);
    if (!(await planState(tx, market.id, instanceId, { wanted, at, by }))) return;
    if (spentAt !== undefined) await planSpent(tx, market.id, instanceId, spentAt);
    const action = wanted === 'stopped' ? 'stop' : 'destroy';
    const entry = { at, market: market.name, actor: by, action, phase: 'before' as const, instanceId };
    await appendAudit(tx, { ...entry, detail: reading === undefined ? {} : { reading } });
  });
}
