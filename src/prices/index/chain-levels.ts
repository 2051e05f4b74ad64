import type { StoredIndexDay } from './index-days.sql.ts';

/** The level of a day, derived from the days before it. */
export interface ChainedDay {
  day: number;
  /** 100 where the chain starts. */
  level: number;
  /** The day it is compared with; null: the chain starts here. */
  previous: number | null;
  /** The day on which its chain started. */
  start: number;
}

/** Returns the level of each day, by day. A day compared with no stored day starts a chain. */
export function chainLevels(days: readonly StoredIndexDay[]): Map<number, ChainedDay> {
  const chained = new Map<number, ChainedDay>();
  for (const { day, movement } of days) {
    const before = movement === null ? undefined : chained.get(day - movement.daysBefore);
    chained.set(
      day,
      movement === null || before === undefined
        ? { day, level: 100, previous: null, start: day }
        : { day, level: before.level * Math.exp(movement.change), previous: before.day, start: before.start },
    );
  }
  return chained;
}
