import type { Decimal } from 'decimal.js';
import { readMoment } from '../core/calendar-date.ts';
import { Exact } from './exact-sums.ts';

/** An entry's amount and time; moments in microseconds since 1970. */
export interface SpentTime {
  amountUsd: string;
  start: number;
  /** An entry without a duration ends where it starts. */
  until: number;
}

/** The part of an entry in one day of the zone. */
export interface SpentPart {
  /** YYYY-MM-DD */
  day: string;
  from: number;
  to: number;
  amountUsd: Decimal;
}

const dayMs = 86_400_000;
const decimals = 12;

/**
 * Returns `partsOf(entry)`: the entry's parts by day of the zone in [from, to), computed independently of the SQL.
 * Proportional to seconds, to 12 decimals, the last part taking the remainder. Source: docs/meaning.md#spend.
 */
export function createSpentParts({ from, to, timeZone }: { from: Date; to: Date; timeZone: string }) {
  const [begin, end] = [from.getTime() * 1000, to.getTime() * 1000];
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const dayOf = (micros: number): string => format.format(Math.floor(micros / 1000));
  const midnights = new Map<string, number>();
  const midnight = (day: string): number => {
    const known = midnights.get(day);
    if (known !== undefined) return known;
    const at = (readMoment(day, timeZone)?.getTime() ?? Number.NaN) * 1000;
    midnights.set(day, at);
    return at;
  };
  return ({ amountUsd, start, until }: SpentTime): SpentPart[] => {
    const amount = new Exact(amountUsd);
    if (until <= start) {
      const isWithin = start >= begin && start < end;
      return isWithin ? [{ day: dayOf(start), from: start, to: start, amountUsd: amount }] : [];
    }
    const parts: SpentPart[] = [];
    let left = amount;
    for (let day = dayOf(start); ; day = dayAfter(day)) {
      const part = {
        day,
        from: Math.max(midnight(day), start),
        to: Math.min(midnight(dayAfter(day)), until),
      };
      if (part.to <= part.from) continue;
      const share = shareOf(amount, part.to - part.from, until - start);
      const whole = part.to === until ? left : share;
      left = left.minus(share);
      const before = (at: number): Decimal => {
        if (at >= part.to) return whole;
        return at <= part.from ? new Exact(0) : shareOf(whole, at - part.from, part.to - part.from);
      };
      if (part.to > begin && part.from < end) {
        parts.push({
          day,
          from: Math.max(part.from, begin),
          to: Math.min(part.to, end),
          amountUsd: before(end).minus(before(begin)),
        });
      }
      if (part.to === until) return parts;
    }
  };
}

const shareOf = (amount: Decimal, part: number, whole: number): Decimal =>
  amount.times(part).dividedBy(whole).toDecimalPlaces(decimals, Exact.ROUND_HALF_UP);

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
