import type postgres from 'postgres';
import type { Sql } from '../../src/database/connection.ts';
import type { MadeHistory } from './make-history.ts';

/**
 * Daily medians of a model straight from presence and price intervals, by their indexes and without statistics: each
 * interval counts once for each ten-minute book of the day that it contains. The reference for the statistics.
 */
export async function dailyMediansFromRuns(
  sql: Sql,
  history: MadeHistory,
  gpuName: string,
): Promise<{ t: Date; median: number }[]> {
  return await sql<{ t: Date; median: number }[]>`${medians(sql, history, gpuName)}`;
}

/** The plan of that query. */
export async function explainDailyMedians(
  sql: Sql,
  history: MadeHistory,
  gpuName: string,
): Promise<string[]> {
  const rows = await sql<{ 'QUERY PLAN': string }[]>`explain ${medians(sql, history, gpuName)}`;
  return rows.map((row) => row['QUERY PLAN']);
}

function medians(sql: Sql, { marketId, scopeId, from, to }: MadeHistory, gpuName: string): postgres.Fragment {
  return sql`
    with spans as (
      select greatest(p.first_at, r.valid_from) as begins,
        least(p.last_at + interval '1 microsecond', r.valid_to, ${to}::timestamptz) as ends,
        (r.base_usd_per_hour + r.storage_usd_per_gb_month * 8 / 720) / l.num_gpus as value
      from listing l
      join presence p on p.listing_id = l.id and p.scope_id = ${scopeId} and p.first_at < ${to} and p.last_at >= ${from}
      join price_interval r on r.listing_id = l.id and r.scope_id = ${scopeId}
        and r.valid_from <= p.last_at and r.valid_to > p.first_at
      where l.market_id = ${marketId} and l.type = 'on-demand'
        and l.gpu_model_id = (select id from gpu_model where name = ${gpuName})
    ), weighted as (
      select d.day, value, sum(ceil(extract(epoch from least(ends, d.day + interval '1 day') - ${from}::timestamptz) / 600)
        - ceil(extract(epoch from greatest(begins, d.day) - ${from}::timestamptz) / 600))::bigint as weight
      from spans join generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 day', interval '1 day')
        as d(day) on d.day < ends and d.day + interval '1 day' > begins
      group by 1, 2
    ), running as (
      select day, value, sum(weight) over (partition by day order by value) as through,
        sum(weight) over (partition by day) as total
      from weighted where weight > 0
    )
    select day as t, (min(value) filter (where through > floor((total - 1) / 2))
      + min(value) filter (where through > floor(total / 2))) / 2 as median
    from running group by 1 order by 1`;
}
