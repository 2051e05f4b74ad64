import { isExactNumber } from '../../core/exact-json.ts';

// Informational fields are never a reason to lose a record: unreadable ones are null.

/** Returns text that is not empty; else null. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Returns a finite number, −0 as 0; else null. */
export function numberOf(value: unknown): number | null {
  const number = isExactNumber(value) ? Number(value.rawJSON) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : null;
}

/** Returns a number of at least 0; else null. */
export function amountOf(value: unknown): number | null {
  const number = numberOf(value);
  return number === null || number < 0 ? null : number;
}

/** Returns an exact whole number of at least 0, such as an id; else null. */
export function idFrom(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** Returns true or false, also for 1 or 0; else null. */
export function switchOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 1 ? true : value === 0 ? false : null;
}

const latestSeconds = 253_402_300_799;

/** Returns the moment of Unix seconds, to the millisecond; null for 0, non-numbers and beyond the year 9999. */
export function dateOf(value: unknown): Date | null {
  const seconds = numberOf(value);
  return seconds === null || seconds <= 0 || seconds > latestSeconds ? null : new Date(seconds * 1_000);
}
