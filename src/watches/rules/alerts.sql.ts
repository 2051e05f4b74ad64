import type { Db } from '../../database/connection.ts';
import { behind } from '../../database/paging.sql.ts';
import { pageWithDeliveries, undeliveredTo } from './alert-deliveries.sql.ts';

/** A firing with its rule and watch. */
export interface MarketAlert {
  id: string;
  /** Name of the market whose book or event fired it. */
  market: string;
  at: Date;
  title: string;
  value: number | null;
  ruleId: string;
  kind: string;
  /** null: of a rule on events. */
  watchId: string | null;
  /** Models that the watch names; empty: all, or no watch. */
  gpuNames: string[];
  /** The listing of the offer that it names; null: it names none. */
  listingId: string | null;
  /** `daily-cap`, `no-channel`; null: it was sent. */
  suppressed: string | null;
  /** Names of the channels to which sending it failed for good. */
  undeliveredTo: string[];
}

/** Returns alerts of markets from `from` to before `to`, newest first, before the id `after`. */
export async function listMarketAlerts(
  db: Db,
  ask: { marketIds: readonly number[]; from: Date; to: Date; after: string | null; limit: number },
): Promise<MarketAlert[]> {
  const alerts = db`
    select * from alert
    where market_id = any(${[...ask.marketIds]}::int[]) and at >= ${ask.from} and at < ${ask.to}
      and ${behind(db, 'id', 'descending', ask.after)}
    order by id desc limit ${ask.limit}`;
  return await db<MarketAlert[]>`
    with ${pageWithDeliveries(db, { alerts, failed: true })}
    select a.id, m.name as market, a.at, a.notice::json ->> 'title' as title, a.value, a.rule_id as "ruleId", r.kind,
      r.watch_id as "watchId", a.suppressed, a.notice::json #>> '{data,offer,listingId}' as "listingId",
      coalesce(array(select jsonb_array_elements_text(w.filters -> 'gpuName')), '{}') as "gpuNames",
      ${undeliveredTo(db)}
    from page a join market m on m.id = a.market_id
    join rule r on r.id = a.rule_id left join watch w on w.id = r.watch_id
    order by a.id desc`;
}
