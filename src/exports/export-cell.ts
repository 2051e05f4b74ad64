/**
 * A value of a row as text, whatever its column's type: digits of numbers and decimals, times in UTC as PostgreSQL or
 * ISO 8601 writes them, booleans as `t…` and `f…`; null: unknown.
 */
export type ExportCell = string | null;

/** Returns a value of the program as a cell; lists and objects become JSON. */
export function cellOf(value: unknown): ExportCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `2026-03-28T22:00:00.5Z` */
export const isoMoment = (cell: string): string =>
  cell.endsWith('Z') ? cell : `${cell.slice(0, 10)}T${cell.slice(11, -'+00'.length)}Z`;

export const isTrue = (cell: string): boolean => cell.startsWith('t');
