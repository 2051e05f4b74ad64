import { evenInterval } from './taken-ticks.ts';
import { type CronTimes, nextTick } from './ticks.ts';

/** How much of the market's request budget a schedule needs. */
export interface SeriesLoad extends CronTimes {
  /** Searches of one of its crawls; 0: not known yet. */
  searches: number;
  /** A watch's schedule: served before crawls of the whole market, from at most half of the budget. */
  isNarrow: boolean;
}

/** The interval that a schedule is stretched to, and why; null: it keeps its cron. */
export interface Stretch {
  everyMinutes: number | null;
  reason: string | null;
}

const kept: Stretch = { everyMinutes: null, reason: null };

/**
 * Stretches schedules that together need more searches than the budget allows: watches get up to half of it, crawls of
 * the whole market the rest, each group by one factor.
 */
export function stretchIntervals(
  loads: readonly SeriesLoad[],
  searchesPerMinute: number,
  now: Date,
): Stretch[] {
  const minutes = loads.map((load) => minutesBetween(load, now));
  const rates = loads.map(({ searches }, index) => searches / (minutes[index] ?? 1));
  const narrowRate = sum(rates.filter((_, index) => loads[index]?.isNarrow === true));
  const narrowShare = Math.min(narrowRate, searchesPerMinute / 2);
  const narrowFactor = narrowRate > narrowShare ? narrowRate / narrowShare : 1;
  const round = sum(loads.filter(({ isNarrow }) => !isNarrow).map(({ searches }) => searches));
  const roundMinutes = round / (searchesPerMinute - narrowShare);
  return loads.map(({ isNarrow }, index) => {
    const own = minutes[index] ?? 1;
    const needed = isNarrow ? own * narrowFactor : roundMinutes;
    // A little over the interval is allowed: the number of searches varies.
    if (needed <= own * 1.001) return kept;
    const everyMinutes = evenInterval(needed);
    const what = isNarrow
      ? `the watches together need ${narrowRate.toFixed(1)} searches a minute`
      : `a round of the whole market takes ${round} searches`;
    const reason = `${what}; SEARCHES_PER_MINUTE is ${searchesPerMinute}`;
    return { everyMinutes, reason };
  });
}

/** Minutes between the next two ticks; a day if there are none. */
function minutesBetween(times: CronTimes, now: Date): number {
  const first = nextTick(times, now);
  const second = first === null ? null : nextTick(times, first);
  if (first === null || second === null) return 1_440;
  return (second.getTime() - first.getTime()) / 60_000;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
