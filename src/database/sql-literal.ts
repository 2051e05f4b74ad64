/** A value as SQL text, for statements that take no parameters (COPY). Throws for text that no database holds. */
export function literal(value: string | number | Date | null): string {
  if (value === null) return 'null';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} is no number of SQL`);
    return String(value);
  }
  if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`;
  if (value.includes('\0')) throw new Error('text with U+0000 cannot be a value of SQL');
  return `'${value.replaceAll("'", "''")}'`;
}
