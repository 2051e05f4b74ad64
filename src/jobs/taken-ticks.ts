import { type CronTimes, nextTick, previousTick, ticksBetween } from './ticks.ts';

/** Ticks of which only some are taken. */
export interface TakenTimes extends CronTimes {
  /** The interval that ticks are stretched to; null: every tick is taken. */
  everyMinutes: number | null;
}

/** Intervals that divide a day: stretched ticks come at the same times every day. */
const evenMinutes = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60, 90, 120, 180, 240, 360, 480, 720, 1_440,
];

/** Returns the shortest of these intervals that is not shorter than `minutes`; beyond a day, whole days. */
export const evenInterval = (minutes: number): number =>
  evenMinutes.find((even) => even >= minutes) ?? Math.ceil(minutes / 1_440) * 1_440;

/** Returns the taken ticks of (after, upTo] and how many were skipped, the same in every process. */
export function takenTicks(times: TakenTimes, after: Date, upTo: Date): { ticks: Date[]; skipped: number } {
  const all = ticksBetween(times, after, upTo);
  const ticks = times.everyMinutes === null ? all : all.filter((tick) => isTaken(times, tick));
  return { ticks, skipped: all.length - ticks.length };
}

/** Returns the newest taken tick at or before a moment and the one before it; null: there is none. */
export function latestTicks(times: TakenTimes, at: Date): [newest: Date | null, before: Date | null] {
  const newest = latestTaken(times, at);
  return [newest, newest === null ? null : latestTaken(times, new Date(newest.getTime() - 1))];
}

function latestTaken(times: TakenTimes, at: Date): Date | null {
  const tick = previousTick(times, at);
  return tick === null ? null : firstOfInterval(times, tick);
}

/** Returns the first taken tick after a moment; null: there is none. */
export function nextTaken(times: TakenTimes, after: Date): Date | null {
  const tick = nextTick(times, after);
  if (tick === null || isTaken(times, tick)) return tick;
  return nextTick(times, new Date(endOfInterval(times, tick) - 1));
}

const isTaken = (times: TakenTimes, tick: Date): boolean =>
  firstOfInterval(times, tick)?.getTime() === tick.getTime();

/** The first tick of each interval since 1970 is taken. */
function firstOfInterval(times: TakenTimes, tick: Date): Date | null {
  if (times.everyMinutes === null) return tick;
  return nextTick(times, new Date(endOfInterval(times, tick) - times.everyMinutes * 60_000 - 1));
}

function endOfInterval({ everyMinutes }: TakenTimes, tick: Date): number {
  const intervalMs = (everyMinutes ?? 0) * 60_000;
  return (Math.floor(tick.getTime() / intervalMs) + 1) * intervalMs;
}
