import { setImmediate as letOthersRun } from 'node:timers/promises';
import { MarketError } from '../../core/errors.ts';
import { toPlain } from '../../core/exact-json.ts';
import type { RejectedRow } from '../instance.ts';
import type { JsonObject } from './answer.ts';
import { copyRecord } from './record-copy.ts';

/** A record's fields by the market's names, with ordinary numbers. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** The result of reading one record: the item, or why not, in a few words that can be grouped by. */
export type RowReading<T> = T | { rejected: string };

/** Rows of a response, read one by one: `items` and `rejected` together are all of them. */
export interface ReadRows<T> {
  items: T[];
  rejected: RejectedRow[];
  /** Characters that became U+FFFD. */
  replacedCharacters: number;
}

const rowsAtOnce = 1_000;

/**
 * Reads each row with `read`, which gets the plain fields, the JSON text to keep and the row with exact numbers;
 * rejects rows that are not objects.
 */
export async function readRows<T extends object>(
  rows: readonly unknown[],
  read: (fields: RecordFields, raw: string, exact: RecordFields) => RowReading<T>,
): Promise<ReadRows<T>> {
  const result: ReadRows<T> = { items: [], rejected: [], replacedCharacters: 0 };
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await letOthersRun();
    const reading = readRow(row, read, result);
    if ('rejected' in reading) result.rejected.push({ reason: reading.rejected });
    else result.items.push(reading);
  }
  return result;
}

function readRow<T extends object>(
  row: unknown,
  read: (fields: RecordFields, raw: string, exact: RecordFields) => RowReading<T>,
  counts: { replacedCharacters: number },
): RowReading<T> {
  if (!isRecord(row)) return { rejected: 'record: not an object' };
  const copy = copyRecord(row);
  if (copy === null || !isRecord(copy.value)) return { rejected: 'record: nested too deeply' };
  counts.replacedCharacters += copy.replaced;
  const fields = toPlain(copy.value);
  return isRecord(fields) ? read(fields, copy.raw, copy.value) : { rejected: 'record: not an object' };
}

/** Returns the list under `key`; a single object counts as a list of one. Throws MarketError if it is neither. */
export function rowsUnder(json: JsonObject, key: string, endpoint: string): unknown[] {
  const value = json[key];
  if (Array.isArray(value)) return value;
  if (isRecord(value)) return [value];
  throw brokenContract(endpoint, `without a list of \`${key}\``);
}

/** Returns the error for a success that lacks what it must have: the call's outcome is unknown. */
export function brokenContract(endpoint: string, what: string): MarketError {
  const message = `${endpoint} answered ${what}: does the market's address lead to its API?`;
  return new MarketError(message, { kind: 'contract', endpoint, httpStatus: 200, outcome: 'unknown' });
}

/** Whether a value is a JSON object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
