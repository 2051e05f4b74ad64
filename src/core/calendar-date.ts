const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const instantPattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;

/** Whether this system knows the name as a time zone, like `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses a time with its zone, or a date, which stands for its midnight in `timeZone` (the first moment of the day
 * where clocks skip midnight). Returns null for any other text.
 */
export function readMoment(text: string, timeZone: string): Date | null {
  if (instantPattern.test(text)) {
    const instant = new Date(text.replace(' ', 'T').toUpperCase());
    return Number.isNaN(instant.getTime()) || !isRealDate(text.slice(0, 10)) ? null : instant;
  }
  return isRealDate(text) ? startOfDay(text, timeZone) : null;
}

function isRealDate(text: string): boolean {
  if (!datePattern.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

function startOfDay(date: string, timeZone: string): Date {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // No zone is more than a day away from UTC, so the day begins in between, at one of the offsets that apply then.
  const offsets = [-26, 0, 26].map((hours) => offsetMs(new Date(utc + hours * 3_600_000), timeZone));
  const candidates = offsets.map((offset) => utc - offset).sort((a, b) => a - b);
  const exact = candidates.find((at) => at + offsetMs(new Date(at), timeZone) === utc);
  return new Date(exact ?? skippedMidnight(utc, candidates, timeZone));
}

function skippedMidnight(utc: number, candidates: number[], timeZone: string): number {
  // The local clock jumps over midnight: halve the step until the jump is found.
  let before = Math.min(...candidates) - 1;
  let after = Math.max(...candidates) + 3_600_000;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offsetMs(new Date(middle), timeZone) < utc) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns local time minus UTC at a moment, in ms. */
function offsetMs(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const year = parts.some((part) => part.value === 'BC') ? 1 - of('year') : of('year');
  const local = new Date(0);
  local.setUTCFullYear(year, of('month') - 1, of('day'));
  local.setUTCHours(of('hour'), of('minute'), of('second'), 0);
  return local.getTime() - Math.floor(at.getTime() / 1000) * 1000;
}
