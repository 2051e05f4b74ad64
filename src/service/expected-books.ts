import { setImmediate } from 'node:timers/promises';
import { firstTick } from '../books/crawls.sql.ts';
import type { Market } from '../books/markets.sql.ts';
import { defaultScope } from '../core/crawl-scope.ts';
import { maxChangeMs, ticksADay, ticksBetween } from '../jobs/ticks.ts';
import { zoneStretches } from '../jobs/time-zone.ts';
import type { ExpectedBooks } from '../prices/prices-deps.ts';
import { kindOf } from './open-market.ts';
import type { Runtime } from './runtime.ts';

const dayMs = 86_400_000;
/** Days whose tick counts are cached: ten years. */
const maxDays = 3_653;

/**
 * Returns a count of the books that CRAWL_OFFERS should have made of the whole market: its ticks in a range, from the
 * first that became a crawl until now. Seeded and imported books belong to no tick.
 */
export function createExpectedBooks(runtime: Counting): ExpectedBooks {
  const { sql, now, defaultMarket, crawledMarkets } = runtime;
  const each = crawledMarkets.map(({ config, market }, place) =>
    countTicksOf({ sql, config, now, market: place === 0 ? defaultMarket : market }),
  );
  return async (market, type, range) => {
    for (const count of each) {
      const books = await count(market, type, range);
      if (books !== null) return books;
    }
    return null;
  };
}

type Counting = Pick<Runtime, 'sql' | 'now' | 'defaultMarket' | 'crawledMarkets'>;

/** Counts the ticks of one crawled market; null for all others. */
function countTicksOf({
  sql,
  config,
  now,
  market: crawledMarket,
}: Pick<Runtime, 'sql' | 'config' | 'now'> & { market: () => Promise<Market> }): ExpectedBooks {
  const { crawlOffers: cron, timeZone } = config;
  const begun = new Map<string, Date>();
  const counted = new Map<number, number>();
  const times = cron === null ? null : { cron, timeZone };
  const everyDay = times === null ? null : ticksADay(times);
  /** Counts the ticks of [from, to). */
  const count = (from: number, to: number): number =>
    times === null ? 0 : ticksBetween(times, new Date(from - 1), new Date(to - 1)).length;
  const countDay = async (day: number): Promise<number> => {
    const known = counted.get(day);
    if (known !== undefined) return known;
    if (counted.size >= maxDays) counted.clear();
    const [from, to] = [day * dayMs, (day + 1) * dayMs];
    // A clock change up to three hours before can still move ticks into the range.
    const isEven = everyDay !== null && zoneStretches(timeZone, from - maxChangeMs, to).length === 1;
    const ticks = isEven ? everyDay : count(from, to);
    counted.set(day, ticks);
    if (!isEven) await setImmediate();
    return ticks;
  };
  return async (market, type, range) => {
    const crawled = await crawledMarket();
    if (cron === null || market.id !== crawled.id || crawled.kind === 'recorded') return null;
    if (!kindOf(config).types.includes(type)) return null;
    const series = { marketId: market.id, kind: 'offers', scopeName: defaultScope.name, type };
    const key = `${market.id} ${type}`;
    const first = begun.get(key) ?? (await firstTick(sql, series));
    if (first === null) return 0;
    begun.set(key, first);
    const from = Math.max(range.from.getTime(), first.getTime());
    const to = Math.min(range.to.getTime(), now().getTime());
    if (to <= from) return 0;
    const [firstDay, lastDay] = [Math.ceil(from / dayMs), Math.floor(to / dayMs)];
    if (lastDay <= firstDay) return count(from, to);
    let ticks = count(from, firstDay * dayMs) + count(lastDay * dayMs, to);
    for (let day = firstDay; day < lastDay; day += 1) ticks += await countDay(day);
    return ticks;
  };
}
