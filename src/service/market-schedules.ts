import type { Schedule } from '../jobs/scheduler.ts';
import { listWatchSchedules } from '../watches/watches.sql.ts';
import type { Runtime } from './runtime.ts';
import { createSchedules, type ScheduleView } from './schedules.ts';

/** The schedules of all crawled markets. */
export interface MarketSchedules {
  /** Returns the schedules to fire, cached for some seconds. */
  read: () => Promise<readonly Schedule[]>;
  /** Returns the schedules of one market; empty if it is not crawled. */
  view: (marketId: number) => Promise<ScheduleView[]>;
}

export function createMarketSchedules(
  runtime: Pick<Runtime, 'sql' | 'now' | 'defaultMarket' | 'crawledMarkets'>,
): MarketSchedules {
  const { sql, now, defaultMarket, crawledMarkets } = runtime;
  const each = crawledMarkets.map((crawled, place) => {
    // The first may be a recorded market, which has no schedule.
    const market = place === 0 ? defaultMarket : crawled.market;
    const watches = (marketId: number) => listWatchSchedules(sql, marketId);
    const { config, queueOf } = crawled;
    return { market, schedules: createSchedules({ sql, config, now, market, queueOf, watches }) };
  });
  return {
    read: async () => (await Promise.all(each.map(({ schedules }) => schedules.read()))).flat(),
    view: async (marketId) => {
      for (const { market, schedules } of each) {
        if ((await market()).id === marketId) return await schedules.view();
      }
      return [];
    },
  };
}
