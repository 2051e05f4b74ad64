import { readMoment } from '../calendar-date.ts';
import { badField } from './problem.ts';

// Beyond these times a bucket could not be written as a date.
const earliest = new Date('1970-01-01T00:00:00Z');
const latest = new Date('9000-01-01T00:00:00Z');
const defaultRangeMs = 30 * 86_400_000;

/**
 * Returns the range of a request, by default the 30 days that end just after the newest book. Throws a 400 for a
 * wrong time and for a range that ends before it begins. `newest` is null if there is no book; then the default ends
 * now.
 */
export function readRange(
  query: { from?: string | undefined; to?: string | undefined; timeZone: string },
  newest: Date | null,
  now: Date,
): { from: Date; to: Date } {
  const given = {
    from: readMomentParam('from', query.from, query.timeZone),
    to: readMomentParam('to', query.to, query.timeZone),
  };
  const to = given.to ?? defaultEnd(given.from, newest, now);
  const from = given.from ?? new Date(to.getTime() - defaultRangeMs);
  if (from >= to) throw badField('from', `must be before \`to\` (${to.toISOString()})`);
  return { from, to };
}

/** Returns the time of a parameter; null: not given. Throws a 400 for a text that is not a time. */
export function readMomentParam(name: string, text: string | undefined, timeZone: string): Date | null {
  if (text === undefined) return null;
  const at = readMoment(text, timeZone);
  if (at !== null && (at < earliest || at >= latest)) {
    throw badField(name, `must lie between ${earliest.toISOString()} and ${latest.toISOString()}`);
  }
  if (at === null) {
    throw badField(
      name,
      'must be a date like 2026-07-20 or an instant with its zone like 2026-07-20T05:19:05Z',
    );
  }
  return at;
}

function defaultEnd(from: Date | null, newest: Date | null, now: Date): Date {
  if (newest === null) return now;
  const afterNewest = new Date(newest.getTime() + 1);
  // A range that begins after the newest book is empty, not wrong.
  return from !== null && from >= afterNewest && now > from ? now : afterNewest;
}
