import { type IndexWindow, windowDays } from './index-window.ts';

const lastDay = 1 << (windowDays - 1);

/** Returns the number of days in a mask. */
export function countDays(mask: number): number {
  let days = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) days += 1;
  return days;
}

/** Returns the days of a mask, oldest first. */
export const daysOf = (mask: number): number[] =>
  Array.from({ length: windowDays }, (_, place) => place).filter((place) => (mask >> place) & 1);

/**
 * Returns a mask of the days that listings connect with the window's last day: the part of the graph of listings and
 * days whose prices can be compared. 0: nothing was observed on the last day.
 */
export function findLastPart({ masks }: IndexWindow): number {
  const parts: number[] = [];
  for (const mask of new Set(masks)) {
    let joined = mask;
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at] as number;
      if ((part & joined) === 0) continue;
      joined |= part;
      parts.splice(at, 1);
    }
    parts.push(joined);
  }
  return parts.find((part) => (part & lastDay) !== 0) ?? 0;
}
