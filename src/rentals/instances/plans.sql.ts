import type { Db } from '../../database/connection.ts';
import type { EndAction } from '../rental.ts';

export type WantedState = 'running' | 'stopped' | 'destroyed';

/** What is wanted of an instance, by a person or by a limit that its owner set. */
export interface InstancePlan {
  instanceId: number;
  /** null: nothing was ever asked, the market refused it, or a list has shown a stop since. */
  wanted: WantedState | null;
  /** When something was asked last, and by whom; stays once it is done. */
  wantedAt: Date | null;
  wantedBy: string | null;
  /** When the market last accepted it. */
  acceptedAt: Date | null;
  attempts: number;
  triedAt: Date | null;
  problem: string | null;
  costCenter: string | null;
  maxHours: number | null;
  endAction: EndAction | null;
  endsAt: Date | null;
}

const columns = (db: Db) => db`
  p.instance_id as "instanceId", p.wanted, p.wanted_at as "wantedAt", p.wanted_by as "wantedBy",
  p.accepted_at as "acceptedAt", p.attempts, p.tried_at as "triedAt", p.problem, p.cost_center as "costCenter",
  p.max_hours as "maxHours", p.end_action as "endAction", p.ends_at as "endsAt"`;

/** The plan of an instance; null: nothing was ever asked of it. */
export async function findPlan(db: Db, marketId: number, instanceId: number): Promise<InstancePlan | null> {
  const [row] = await db<InstancePlan[]>`
    select ${columns(db)} from instance_plan p
    where p.market_id = ${marketId} and p.instance_id = ${instanceId}`;
  return row ?? null;
}

/** Plans of instances that the account may still have. */
export async function listPlans(db: Db, marketId: number): Promise<InstancePlan[]> {
  return await db<InstancePlan[]>`
    select ${columns(db)} from instance_plan p
    left join instance i on i.market_id = p.market_id and i.instance_id = p.instance_id
    where p.market_id = ${marketId} and i.gone_at is null order by p.instance_id`;
}

/** Notes what somebody wants of an instance; an earlier destroy is never taken back. false: it stays destroyed. */
export async function planState(
  db: Db,
  marketId: number,
  instanceId: number,
  { wanted, at, by }: { wanted: WantedState; at: Date; by: string },
): Promise<boolean> {
  const rows = await db`
    insert into instance_plan as p (market_id, instance_id, wanted, wanted_at, wanted_by)
    values (${marketId}, ${instanceId}, ${wanted}, ${at}, ${by})
    on conflict (market_id, instance_id) do update set wanted = excluded.wanted, wanted_at = excluded.wanted_at,
      wanted_by = excluded.wanted_by, accepted_at = null, attempts = 0, tried_at = null, problem = null
    where p.wanted is distinct from 'destroyed'
    returning p.instance_id`;
  return rows.length > 0;
}

/**
 * Notes how an attempt at a plan went; `problem` null: the market has accepted it. `isDone`: it had been done already,
 * and an earlier acceptance stands.
 */
export async function noteAttempt(
  db: Db,
  marketId: number,
  instanceId: number,
  { at, problem, isDone = false }: { at: Date; problem: string | null; isDone?: boolean },
): Promise<void> {
  await db`
    update instance_plan set attempts = attempts + 1, tried_at = ${at}, problem = ${problem},
      accepted_at = case when ${problem !== null} then accepted_at
        when ${isDone} then coalesce(accepted_at, ${at}) else ${at} end
    where market_id = ${marketId} and instance_id = ${instanceId} returning instance_id`;
}

/** Ends a request of which nothing is left to do, `doneAt`: or which the market has refused, null. */
export async function endPlan(
  db: Db,
  marketId: number,
  instanceId: number,
  { wanted, doneAt }: { wanted: WantedState; doneAt: Date | null },
): Promise<void> {
  await db`
    update instance_plan set wanted = null, problem = null, accepted_at = coalesce(accepted_at, ${doneAt})
    where market_id = ${marketId} and instance_id = ${instanceId} and wanted = ${wanted} returning instance_id`;
}

/** Sets what becomes of an instance when its hours are over, and whom it is charged to; undefined: stays. */
export async function planLimits(
  db: Db,
  marketId: number,
  instanceId: number,
  limits: {
    costCenter?: string | null | undefined;
    end?: { maxHours: number; endAction: EndAction; endsAt: Date } | null | undefined;
  },
): Promise<void> {
  const { costCenter, end } = limits;
  await db`
    insert into instance_plan (market_id, instance_id, cost_center, max_hours, end_action, ends_at)
    values (${marketId}, ${instanceId}, ${costCenter ?? null}, ${end?.maxHours ?? null}, ${end?.endAction ?? null},
      ${end?.endsAt ?? null})
    on conflict (market_id, instance_id) do update set
      cost_center = case when ${costCenter === undefined} then instance_plan.cost_center else excluded.cost_center end,
      max_hours = case when ${end === undefined} then instance_plan.max_hours else excluded.max_hours end,
      end_action = case when ${end === undefined} then instance_plan.end_action else excluded.end_action end,
      ends_at = case when ${end === undefined} then instance_plan.ends_at else excluded.ends_at end
    returning instance_id`;
}
