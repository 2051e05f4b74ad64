const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** A time for people: `2026-11-22 09:07 UTC (3 min ago)`. */
export function timeWords(at: string | Date, now: Date): string {
  const moment = new Date(at);
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC (${agoWords(moment, now)})`;
}

/** How long ago: `3 min ago`, or `in 2 h` for what is to come. */
function agoWords(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  const unit = units.find(([, length]) => Math.abs(ms) >= length);
  if (unit === undefined) return 'now';
  const words = `${Math.floor(Math.abs(ms) / unit[1])} ${unit[0]}`;
  return ms >= 0 ? `${words} ago` : `in ${words}`;
}
