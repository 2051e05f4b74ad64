import { nextTick } from '../../jobs/ticks.ts';
import type { Digest, QuietHours, RuleFields } from './rule.ts';

const minuteMs = 60_000;
const dayMinutes = 1_440;

/**
 * Returns until when an alert of this moment waits: for its digest, else for the end of quiet hours; null: it does not
 * wait.
 */
export function heldUntil(
  { digest, quietHours }: Pick<RuleFields, 'digest' | 'quietHours'>,
  now: Date,
): Date | null {
  const quietEnd = quietHours === null ? null : endOfQuiet(quietHours, now);
  if (digest === null) return quietEnd;
  const tick = nextDigest(digest, quietEnd ?? now);
  // A digest within quiet hours waits until they end.
  return tick !== null && quietHours !== null ? (endOfQuiet(quietHours, tick) ?? tick) : tick;
}

const nextDigest = ({ cron, timeZone }: Digest, after: Date): Date | null =>
  nextTick({ cron, timeZone }, after);

/** Returns when the quiet hours around a moment end; null: there are none. */
function endOfQuiet({ from, to, timeZone }: QuietHours, now: Date): Date | null {
  const [begin, end, local] = [minutesOf(from), minutesOf(to), localMinutes(now, timeZone)];
  const isQuiet = begin <= end ? local >= begin && local < end : local >= begin || local < end;
  if (!isQuiet || begin === end) return null;
  // The first whole minute whose local time is the end: correct across clock changes too.
  const first = Math.floor(now.getTime() / minuteMs) * minuteMs;
  const guess = first + (((end - local + dayMinutes) % dayMinutes) - 120) * minuteMs;
  for (let at = Math.max(guess, first); at <= first + 26 * 60 * minuteMs; at += minuteMs) {
    const here = localMinutes(new Date(at), timeZone);
    if (at > now.getTime() && here >= end && here < end + 120 && !isWithin(here, begin, end))
      return new Date(at);
  }
  return new Date(guess + 120 * minuteMs);
}

const isWithin = (local: number, begin: number, end: number): boolean =>
  begin <= end ? local >= begin && local < end : local >= begin || local < end;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const formats = new Map<string, Intl.DateTimeFormat>();

function localMinutes(at: Date, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  return minutesOf(format.format(at));
}
