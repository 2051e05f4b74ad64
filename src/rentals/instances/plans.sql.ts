import { assignments } from '../../database/column-lists.ts';
import type { Db } from '../../database/connection.ts';
import type { CheaperState } from './cheaper-plans.sql.ts';
import type { ComingEnd, EndLimits } from './end-limits.ts';

export type WantedState = 'running' | 'stopped' | 'destroyed';

/** The wanted state of an instance, set by a person or by the owner's limit. */
export interface InstancePlan extends EndLimits {
  instanceId: number;
  /** null: nothing was requested, the market refused it, or a list has shown a stop since. */
  wanted: WantedState | null;
  /** When the last request was made, and by whom; stays after it is done. */
  wantedAt: Date | null;
  wantedBy: string | null;
  /** When the market last accepted it. */
  acceptedAt: Date | null;
  attempts: number;
  triedAt: Date | null;
  problem: string | null;
  costCenter: string | null;
  /** By the last poll; null: none. */
  ending: ComingEnd | null;
  /** What is known of cheaper machines; null: no book was looked at since that was wanted. */
  cheaperState: CheaperState | null;
}

const columns = (db: Db) => db`
  p.instance_id as "instanceId", p.wanted, p.wanted_at as "wantedAt", p.wanted_by as "wantedBy",
  p.accepted_at as "acceptedAt", p.attempts, p.tried_at as "triedAt", p.problem, p.cost_center as "costCenter",
  p.max_hours as "maxHours", p.end_action as "endAction", p.ends_at as "endsAt", p.idle_minutes as "idleMinutes",
  p.idle_percent as "idlePercent", p.idle_from as "idleFrom", p.max_usd::text as "maxUsd", p.spent_at as "spentAt",
  p.warn_minutes as "warnMinutes", p.ending, p.cheaper_percent as "cheaperPercent", p.cheaper_books as "cheaperBooks",
  p.cheaper_of_books as "cheaperOfBooks", p.cheaper_action as "cheaperAction", p.cheaper as "cheaperState"`;

/** Returns the plan of an instance; null: nothing was ever requested. */
export async function findPlan(db: Db, marketId: number, instanceId: number): Promise<InstancePlan | null> {
  const [row] = await db<InstancePlan[]>`
    select ${columns(db)} from instance_plan p
    where p.market_id = ${marketId} and p.instance_id = ${instanceId}`;
  return row ?? null;
}

/** Returns the plans of these instances, whether they are listed or gone. */
export async function listPlansOf(
  db: Db,
  marketId: number,
  instanceIds: readonly number[],
): Promise<InstancePlan[]> {
  return await db<InstancePlan[]>`
    select ${columns(db)} from instance_plan p
    where p.market_id = ${marketId} and p.instance_id = any(${[...instanceIds]}::bigint[])`;
}

/** Returns the plans of instances that the account may still have. */
export async function listPlans(db: Db, marketId: number): Promise<InstancePlan[]> {
  return await db<InstancePlan[]>`
    select ${columns(db)} from instance_plan p
    left join instance i on i.market_id = p.market_id and i.instance_id = p.instance_id
    where p.market_id = ${marketId} and i.gone_at is null order by p.instance_id`;
}

/** Stores a wanted state; an earlier destroy is never revoked. false: it stays destroyed. */
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
 * Stores the result of an attempt; `problem` null: the market accepted it. `isDone`: it was already done, and an
 * earlier acceptance stays.
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

/** Ends a request with nothing left to do (`doneAt`), or one that the market has refused (null). */
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

/** Sets the limits of an instance and its cost center; undefined: unchanged. */
export async function planLimits(
  db: Db,
  marketId: number,
  instanceId: number,
  { costCenter, ends }: { costCenter?: string | null | undefined; ends?: EndLimits | undefined },
): Promise<void> {
  if (costCenter !== undefined) {
    await db`
      insert into instance_plan (market_id, instance_id, cost_center) values (${marketId}, ${instanceId}, ${costCenter})
      on conflict (market_id, instance_id) do update set cost_center = excluded.cost_center returning instance_id`;
  }
  if (ends === undefined) return;
  const columns = {
    max_hours: ends.maxHours,
    ends_at: ends.endsAt,
    end_action: ends.endAction,
    idle_minutes: ends.idleMinutes,
    idle_percent: ends.idlePercent,
    idle_from: ends.idleFrom,
    max_usd: ends.maxUsd,
    spent_at: ends.spentAt,
    warn_minutes: ends.warnMinutes,
    cheaper_percent: ends.cheaperPercent,
    cheaper_books: ends.cheaperBooks,
    cheaper_of_books: ends.cheaperOfBooks,
    cheaper_action: ends.cheaperAction,
    ending: null,
  };
  await db`
    insert into instance_plan ${db({ market_id: marketId, instance_id: instanceId, ...columns })}
    on conflict (market_id, instance_id) do update set ${assignments(db, Object.keys(columns), 'excluded')},
      cheaper = case when (instance_plan.cheaper_percent, instance_plan.cheaper_books, instance_plan.cheaper_of_books,
        instance_plan.cheaper_action) is distinct from (excluded.cheaper_percent, excluded.cheaper_books,
        excluded.cheaper_of_books, excluded.cheaper_action) then null else instance_plan.cheaper end
    returning instance_id`;
}

/** Stores the end that comes soon; null: none. */
export async function planEnding(
  db: Db,
  marketId: number,
  instanceId: number,
  ending: ComingEnd | null,
): Promise<void> {
  await db`
    update instance_plan set ending = ${ending === null ? null : JSON.stringify(ending)}::text::jsonb
    where market_id = ${marketId} and instance_id = ${instanceId} returning instance_id`;
}

/** Stores when an instance's cost reached its limit; an earlier moment stays. */
export async function planSpent(db: Db, marketId: number, instanceId: number, at: Date): Promise<void> {
  await db`
    update instance_plan set spent_at = coalesce(spent_at, ${at})
    where market_id = ${marketId} and instance_id = ${instanceId} returning instance_id`;
}
