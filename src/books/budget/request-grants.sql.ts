import { type Requester, type RequestLimit, windowMarginMs } from '../../core/request-budget.ts';
import type { Db } from '../../database/connection.ts';

/** The budget of one endpoint of one market. */
export interface BudgetPlace {
  marketId: number;
  endpoint: string;
}

export interface GrantRequest extends BudgetPlace {
  limits: readonly RequestLimit[];
  requester: Requester;
  /** A permit that expired unused; null: none. It is renewed unless that would exceed a limit. */
  held: number | null;
}

/** `raced`: another process was faster; try again. */
export type GrantAnswer =
  | { kind: 'granted'; number: number }
  | { kind: 'wait'; waitMs: number }
  | { kind: 'raced' };

/** Minimum time to keep grants, because the last minute's are counted. */
const retentionMs = 60_000;
/** Number of old grants removed with each new one, so that the table shrinks faster than it grows. */
const prunedAtOnce = 4;

/**
 * Gives the next grant if, for each limit, the grant `count` places before it is older than the window. A single
 * statement, so that a process stopped or killed meanwhile locks nothing; it changes rows only if no one else has
 * changed them since it read them. Uses the database's time; the cost does not depend on the limits.
 */
export async function requestGrant(db: Db, request: GrantRequest): Promise<GrantAnswer> {
  const { marketId, endpoint, requester, held } = request;
  const limits = request.limits.map(({ count, windowMs }) => ({
    count,
    ms: windowMs + windowMarginMs(windowMs),
  }));
  const minCount = Math.min(...limits.map(({ count }) => count));
  const maxMs = Math.max(...limits.map(({ ms }) => ms));
  const [row] = await db<{ number: number | null; freeMs: number | null; openMs: number | null }[]>`
    with seen as materialized (
      select b.granted, b.yield_until, b.person_until, clock_timestamp() as at,
        -- No row, for a grant that was pruned or never given, counts as old enough.
        (select max(g.granted_at + l.ms * interval '1 millisecond')
          from jsonb_to_recordset(${db.json(limits)}) as l(count bigint, ms float8)
          join request_grant g on g.market_id = b.market_id and g.endpoint = b.endpoint
            and g.number = b.granted + 1 - l.count) as free_at
      from request_budget b where b.market_id = ${marketId} and b.endpoint = ${endpoint}
    ), judged as materialized (
      -- A moment far ahead dates from before the clock was set back and blocks no one.
      select s.*, coalesce(s.granted < ${held}::bigint + ${minCount}::bigint, false) as renewable,
        case when ${requester} = 'person' then s.free_at else greatest(s.free_at,
          case when s.yield_until < s.at + interval '2 minutes' then s.yield_until end,
          case when s.person_until < s.at + interval '1 minute' then s.person_until end) end as open_at
      from seen s
    ), taken as (
      -- Waits for the row; if another process changed it first, it no longer matches what was read.
      update request_budget b set granted = j.granted + case when j.renewable then 0 else 1 end,
        person_until = case when ${requester} = 'person' and b.person_until is not null
          then least(b.person_until, clock_timestamp() + ${personRenewalMs} * interval '1 millisecond')
          else b.person_until end
      from judged j
      where b.market_id = ${marketId} and b.endpoint = ${endpoint} and b.granted = j.granted
        and b.yield_until is not distinct from j.yield_until
        and b.person_until is not distinct from j.person_until
        and (j.renewable or coalesce(j.open_at <= j.at, true))
      returning case when j.renewable then ${held}::bigint else b.granted end as number
    ), stored as (
      insert into request_grant (market_id, endpoint, number, granted_at)
      select ${marketId}, ${endpoint}, number, clock_timestamp() from taken
      on conflict (market_id, endpoint, number) do update set granted_at = excluded.granted_at
    ), pruned as (
      delete from request_grant g using taken t
      where g.market_id = ${marketId} and g.endpoint = ${endpoint} and g.number < t.number
        and g.granted_at < clock_timestamp() - ${Math.max(maxMs, retentionMs)} * interval '1 millisecond'
        and g.number in (select number from request_grant
          where market_id = ${marketId} and endpoint = ${endpoint} order by number limit ${prunedAtOnce})
    )
    select t.number, extract(epoch from j.free_at - j.at)::float8 * 1000 as "freeMs",
      extract(epoch from j.open_at - j.at)::float8 * 1000 as "openMs"
    from judged j left join taken t on true`;
  if (row === undefined) {
    await db`insert into request_budget (market_id, endpoint) values (${marketId}, ${endpoint})
      on conflict do nothing`;
    return { kind: 'raced' };
  }
  if (row.number !== null) return { kind: 'granted', number: row.number };
  if (row.freeMs !== null && row.freeMs > maxMs) {
    await resetFutureGrants(db, request);
    return { kind: 'raced' };
  }
  return row.openMs !== null && row.openMs > 0 ? { kind: 'wait', waitMs: row.openMs } : { kind: 'raced' };
}

/** How often a waiting person's process repeats its signal, ms. */
export const personRenewalMs = 500;
/** How long crawls pause after a person's last signal, ms, in case the person's process was killed. */
const personLeaseMs = 1_500;

/** Keeps crawls from taking the next grants while a person waits. */
export async function reserveForPerson(db: Db, { marketId, endpoint }: BudgetPlace): Promise<void> {
  await db`update request_budget
    set person_until = clock_timestamp() + ${personLeaseMs} * interval '1 millisecond'
    where market_id = ${marketId} and endpoint = ${endpoint}`;
}

/** Counts a throttled response; crawls pause for `yieldMs`. */
export async function recordThrottle(
  db: Db,
  { marketId, endpoint }: BudgetPlace,
  yieldMs: number,
): Promise<void> {
  await db`insert into request_budget as b (market_id, endpoint, throttled, yield_until)
    values (${marketId}, ${endpoint}, 1, clock_timestamp() + ${yieldMs} * interval '1 millisecond')
    on conflict (market_id, endpoint) do update
      set throttled = b.throttled + 1, yield_until = excluded.yield_until`;
}

/** Records that the market may have counted a request as late as `marginMs` ago. */
export async function postponeGrant(
  db: Db,
  { marketId, endpoint }: BudgetPlace,
  grant: { number: number; marginMs: number },
): Promise<void> {
  await db`update request_grant
    set granted_at = greatest(granted_at, clock_timestamp() - ${grant.marginMs} * interval '1 millisecond')
    where market_id = ${marketId} and endpoint = ${endpoint} and number = ${grant.number}`;
}

/** After the clock was set back, treats grants in the future as given just now. */
async function resetFutureGrants(db: Db, { marketId, endpoint }: BudgetPlace): Promise<void> {
  await db`update request_grant set granted_at = clock_timestamp()
    where market_id = ${marketId} and endpoint = ${endpoint} and granted_at > clock_timestamp()`;
}
