import { readMoment } from './calendar-date.ts';
import { UserError } from './errors.ts';
import { type PricingType, pricingTypes } from './offer.ts';

/**
 * `search`: a search response `{offers: […]}`; `lines`: JSON lines with `scraped_at` and `rental_type`; `csv`: a row an
 * offer.
 */
export type RecordedFormat = 'search' | 'lines' | 'csv';

/** All records of one moment and pricing type in a file, as delivered. */
export interface RecordedBook {
  observedAt: Date;
  type: PricingType;
  format: RecordedFormat;
  records: Record<string, unknown>[];
}

/** The book that a record belongs to. */
export type BookKey = Pick<RecordedBook, 'observedAt' | 'type'>;

/** Returns the book of a JSON lines record. Throws a UserError that names file and line if the record lacks it. */
export function bookOfLine(name: string, line: number, row: Record<string, unknown>): BookKey {
  const { scraped_at: scrapedAt, rental_type: rentalType } = row;
  if (typeof scrapedAt !== 'string' || typeof rentalType !== 'string') {
    throw notABook(name, `line ${line} lacks \`scraped_at\` or \`rental_type\``);
  }
  const type = readPricingType(rentalType);
  if (type === null) {
    const given = JSON.stringify(rentalType).slice(0, 100);
    throw notABook(name, `line ${line}: \`rental_type\` is ${given}, not a pricing type`);
  }
  return { observedAt: readInstant(name, scrapedAt), type };
}

/** Returns the moment of a search response: its own, else `given`. Throws UserError if there is neither. */
export function momentOfSearch(name: string, answer: Record<string, unknown>, given: Date | undefined): Date {
  const { collected_utc: collected } = answer;
  const observedAt = typeof collected === 'string' ? readInstant(name, collected) : given;
  if (observedAt !== undefined) return observedAt;
  throw notABook(name, 'it has no `collected_utc`; say when it was recorded with --observed-at');
}

/** Returns the pricing type that a text names; null: none. */
export function readPricingType(text: string): PricingType | null {
  const type = text === 'ondemand' ? 'on-demand' : text;
  return isPricingType(type) ? type : null;
}

/** Returns the moment that a text with its zone means; null: none. */
// A time without a zone would mean a different moment on every machine, and a date alone is not a moment.
export const instantOf = (text: string): Date | null => (/T| /i.test(text) ? readMoment(text, 'UTC') : null);

function readInstant(name: string, text: string): Date {
  const instant = instantOf(text);
  if (instant === null) {
    const given = JSON.stringify(text).slice(0, 100);
    throw notABook(name, `${given} is not a valid time with its zone, like 2026-07-20T05:19:05Z`);
  }
  return instant;
}

/** Whether a value is a record. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPricingType = (value: string): value is PricingType =>
  (pricingTypes as readonly string[]).includes(value);

/** Returns the error for a file that is not a recorded book. */
export function notABook(name: string, problem: string, cause?: unknown): UserError {
  return new UserError(`${name} is not a recorded book: ${problem}`, { cause });
}
