import type { StoredIndexDay } from './index-days.sql.ts';

/** The level of a day, from those before it. */
export interface ChainedDay {
  day: number;
  /** 100 where the chain starts. */
  level: number;
  /** The day that it was compared with; null: the chain starts here. */
  previous: number | null;
  /** The day on which its chain started. */
  start: number;
}

/** The level of each day, by day; a day that is compared with none that is stored starts a chain. */
export function chainLevels(days: readonly StoredIndexDay[]): Map<number, ChainedDay> {
  const chained = new Map<number, ChainedDay>();
  for (const { day, movement } of days) {
    const before = movement === null ? undefined : chained.get(day - movement.daysBefore);
    chained.set(
      day,
      movement === null || before === undefined
        ? { day, level: 100, previous: null, start: day }
        : {
            ...{ day, level: before.level * Math.exp(movement.change) },
            ...{ previous: before.day, start: before.start },
          },
    );
  }
  return chained;
}
