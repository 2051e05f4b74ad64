import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { runningStatus } from '../../market/instance-status.ts';
import { endLimitNames } from '../../rentals/instances/end-limits.ts';

/**
 * Returns the minutes since the newest complete book of the whole market, for the type with the oldest one; null: none.
 */
export async function dataAgeMinutes(db: Db, marketId: number, now: Date): Promise<number | null> {
  const [row] = await db<{ at: Date | null }[]>`
    select min(newest) as at from (
      select (select observed_at from book b where b.scope_id = s.id and b.type = t.type and b.verdict = 'complete'
        order by observed_at desc limit 1) as newest
      from scope s cross join unnest('{on-demand,bid}'::pricing_type[]) t(type)
      where s.market_id = ${marketId} and s.name = 'default') each`;
  return row?.at == null ? null : (now.getTime() - row.at.getTime()) / 60_000;
}

/** Returns the newest book of each series of a market, and whether it is partial. */
export async function newestVerdicts(
  db: Db,
  marketId: number,
): Promise<
  { scopeName: string; type: PricingType; partial: boolean; reason: string | null; observedAt: Date }[]
> {
  return await db<
    { scopeName: string; type: PricingType; partial: boolean; reason: string | null; observedAt: Date }[]
  >`
    select s.name as "scopeName", t.type, b.verdict = 'partial' as partial, b.reason, b.observed_at as "observedAt"
    from scope s cross join unnest(enum_range(null::pricing_type)) t(type)
    cross join lateral (select verdict, reason, observed_at from book
      where scope_id = s.id and type = t.type order by observed_at desc limit 1) b
    where s.market_id = ${marketId}`;
}

/** An instance of the account as rules see it. */
export interface WatchedInstance {
  instanceId: number;
  label: string | null;
  gpuName: string | null;
  /** As delivered; null: being provisioned. `gone`: absent from the last list. */
  status: string | null;
  /** Load was known and under 5 % in every poll of the last hour, and there was at least one. */
  idle: boolean;
}

/** Returns the listed instances, and those that disappeared in the last hour. */
export async function watchedInstances(db: Db, marketId: number, now: Date): Promise<WatchedInstance[]> {
  const since = new Date(now.getTime() - 3_600_000);
  return await db<WatchedInstance[]>`
    select i.instance_id as "instanceId", i.label, i.gpu_name as "gpuName",
      case when i.gone_at is not null then 'gone' else i.actual_status end as status,
      coalesce(i.gone_at is null and i.actual_status = ${runningStatus} and polls.first_at <= ${since}::timestamptz + interval '15 minutes'
        and s.samples = polls.polls and s.highest < 5
        and not exists (select from instance_status t where t.market_id = i.market_id
          and t.instance_id = i.instance_id and t.observed_at > ${since}), false) as idle
    from instance i
    cross join lateral (select count(*) as samples, max(gpu_util_percent) as highest from instance_sample
      where market_id = i.market_id and instance_id = i.instance_id and polled_at > ${since}
        and gpu_util_percent is not null) s
    cross join lateral (select count(*) as polls, min(polled_at) as first_at from instance_poll
      where market_id = i.market_id and polled_at > ${since}) polls
    where i.market_id = ${marketId} and (i.gone_at is null or i.gone_at > ${since})
    order by i.instance_id`;
}

/** What a limit of an instance has done or is about to do. */
export interface LimitNotice extends Pick<WatchedInstance, 'instanceId' | 'label' | 'gpuName'> {
  /** Differs for each end, and for its warning. */
  key: string;
  limit: string;
  does: 'stopped' | 'destroyed';
  /** When it happens, as far as known, or was requested. */
  at: Date;
  /** Why it is near; null: it has happened. */
  reading: string | null;
}

/** Returns the ends that come soon by the limits of instances, and those of the last hour. */
export async function limitNotices(db: Db, marketId: number, now: Date): Promise<LimitNotice[]> {
  const since = new Date(now.getTime() - 3_600_000);
  return await db<LimitNotice[]>`
    with known as (
      select p.*, i.label, i.gpu_name from instance_plan p
      left join instance i on i.market_id = p.market_id and i.instance_id = p.instance_id
      where p.market_id = ${marketId} and p.end_action is not null)
    select instance_id as "instanceId", label, gpu_name as "gpuName",
      concat_ws(' ', instance_id, ending ->> 'key') as key, ending ->> 'limit' as limit,
      case end_action when 'stop' then 'stopped' else 'destroyed' end as does,
      (ending ->> 'at')::timestamptz as at, ending ->> 'reading' as reading
    from known where ending is not null
    union all
    select instance_id, label, gpu_name,
      concat_ws(' ', instance_id, wanted_by, 'at', extract(epoch from wanted_at)), wanted_by,
      case end_action when 'stop' then 'stopped' else 'destroyed' end, wanted_at, null
    from known where wanted_by = any(${[...endLimitNames]}::text[]) and wanted_at > ${since}
    order by 1, 4`;
}

/** A cheaper equal machine that the owner of an instance wanted to know of. */
export interface CheaperNotice extends Pick<WatchedInstance, 'instanceId' | 'label' | 'gpuName'> {
  /** Differs for each find, and for its replacement that is ready. */
  key: string;
  offerId: number;
  usdPerHour: number;
  instanceUsdPerHour: number;
  /** The instance in its place, once it is ready; null: none is. */
  replacedBy: number | null;
  /** Why the machine was not rented; null: it was, or was not tried. */
  problem: string | null;
}

/** Returns the cheaper machines that were found for instances with `cheaperPercent`. */
export async function cheaperNotices(db: Db, marketId: number): Promise<CheaperNotice[]> {
  return await db<CheaperNotice[]>`
    select p.instance_id as "instanceId", i.label, i.gpu_name as "gpuName",
      concat_ws(' ', p.instance_id, 'cheaper', p.cheaper ->> 'bookId',
        case when r.state = 'ready' then 'ready' else p.cheaper -> 'replacement' ->> 'problem' end) as key,
      (p.cheaper -> 'offer' ->> 'offerId')::float8 as "offerId",
      (p.cheaper -> 'offer' ->> 'usdPerHour')::float8 as "usdPerHour",
      (p.cheaper -> 'offer' ->> 'instanceUsdPerHour')::float8 as "instanceUsdPerHour",
      case when r.state = 'ready' then r.instance_id::float8 end as "replacedBy",
      p.cheaper -> 'replacement' ->> 'problem' as problem
    from instance_plan p
    join instance i on i.market_id = p.market_id and i.instance_id = p.instance_id and i.gone_at is null
    left join rental r on r.id = (p.cheaper -> 'replacement' ->> 'rentalId')::uuid
    where p.market_id = ${marketId} and p.cheaper ->> 'bookId' is not null
    order by 1`;
}

/**
 * Returns the deliveries of each channel that failed or were refused in the last hour, except those of delivery rules.
 */
export async function lostDeliveries(
  db: Db,
  now: Date,
): Promise<{ channelId: string; channelName: string; lost: number; problem: string }[]> {
  return await db<{ channelId: string; channelName: string; lost: number; problem: string }[]>`
    select c.id as "channelId", c.name as "channelName", count(*)::int as lost,
      (array_agg(d.problem order by d.ended_at desc))[1] as problem
    from delivery d join channel c on c.id = d.channel_id left join rule r on r.id = d.rule_id
    where d.state in ('refused', 'failed') and d.ended_at > ${new Date(now.getTime() - 3_600_000)}
      and r.kind is distinct from 'delivery'
    group by c.id, c.name order by c.id`;
}
