const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** Returns a time for people: `2026-11-22 09:07 UTC`. */
export const minuteWords = (at: string | Date): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Returns a time for people with its age: `2026-11-22 09:07 UTC (3 min ago)`. */
export const timeWords = (at: string | Date, now: Date): string =>
  `${minuteWords(at)} (${agoWords(new Date(at), now)})`;

/** Returns how long ago a time was: `3 min ago`, or `in 2 h` for a time to come. */
function agoWords(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  const unit = units.find(([, length]) => Math.abs(ms) >= length);
  if (unit === undefined) return 'now';
  const words = `${Math.floor(Math.abs(ms) / unit[1])} ${unit[0]}`;
  return ms >= 0 ? `${words} ago` : `in ${words}`;
}
