import { z } from 'zod';

/** Periods of each of which the newest backup is kept, by letter. */
const periods = {
  h: (at: Date) => at.toISOString().slice(0, 13),
  d: (at: Date) => at.toISOString().slice(0, 10),
  // Weeks begin on Monday, and 1970 began on a Thursday.
  w: (at: Date) => String(Math.floor((at.getTime() / 86_400_000 + 3) / 7)),
  m: (at: Date) => at.toISOString().slice(0, 7),
  y: (at: Date) => at.toISOString().slice(0, 4),
} as const;
type Period = keyof typeof periods;

/** How many hours, days, weeks, months and years keep their newest backup; null: every backup is kept. */
export type KeepRule = readonly { period: Period; count: number }[] | null;

/** Parses BACKUP_KEEP. */
export const keepRule = z
  .string()
  .regex(
    /^(all|[1-9]\d{0,3}[hdwmy]( +[1-9]\d{0,3}[hdwmy])*)$/,
    'expected numbers of hours, days, weeks, months or years like `7d 4w 12m`, or `all`',
  );

/** Returns the rule of a parsed BACKUP_KEEP. */
export const readKeepRule = (text: string): KeepRule =>
  text === 'all'
    ? null
    : text.split(/ +/).map((part) => ({ period: part.at(-1) as Period, count: Number(part.slice(0, -1)) }));

/** Returns those that the rule does not keep. Periods without a backup do not count, and the newest always stays. */
export function findOutdated<T extends { at: Date }>(backups: readonly T[], rule: KeepRule): T[] {
  if (rule === null) return [];
  const newestFirst = backups.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const kept = new Set<T>(newestFirst.slice(0, 1));
  for (const { period, count } of rule) {
    const seen = new Set<string>();
    for (const backup of newestFirst) {
      const name = periods[period](backup.at);
      if (seen.has(name)) continue;
      if (seen.size === count) break;
      seen.add(name);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}
