import type { Migration } from './migration-files.ts';

/** A migration that a database lacks. */
export interface PendingMigration {
  name: string;
  /** Existing tables that it reads or rewrites whole, in order of size. */
  tables: { name: string; bytes: number }[];
  /** Whether these are so large that it may take minutes. */
  mayTakeLong: boolean;
}

const maxQuickBytes = 256_000_000;

/** Statements that read or rewrite all rows of a table; others change its description alone. */
const readsRows =
  /^\s*(?:update|delete|insert|create\s+(?:unique\s+)?index|with|do|select|refresh)\b|^\s*alter\s+table\b[^;]*(?:\balter\s+column\b[^,;]*\b(?:type|set\s+not\s+null)\b|\badd\s+constraint\b|\badd\s+primary\s+key\b|\bgenerated\s+always\b)/i;

/** Returns what a migration goes through, of tables with these bytes. */
export function weighMigration(
  { name, statements }: Migration,
  sizes: ReadonlyMap<string, number>,
): PendingMigration {
  const heavy = statements
    .map((text) => text.replaceAll(/--.*$/gm, ''))
    .filter((text) => readsRows.test(text));
  const words = new Set(heavy.flatMap((text) => text.match(/\w+/g) ?? []));
  const tables = [...sizes]
    .filter(([table]) => words.has(table))
    .map(([table, bytes]) => ({ name: table, bytes }))
    .sort((a, b) => b.bytes - a.bytes);
  return { name, tables, mayTakeLong: tables.reduce((sum, { bytes }) => sum + bytes, 0) > maxQuickBytes };
}
