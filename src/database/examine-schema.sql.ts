import {
  type AppliedMigration,
  hasMigrations,
  type NewerSchema,
  newerThan,
  readApplied,
} from './applied-migrations.sql.ts';
import type { Sql } from './connection.ts';
import { readMigrations } from './migration-files.ts';
import { type PendingMigration, weighMigration } from './weigh-migration.ts';

/** What a database has of this program's schema. */
export interface SchemaState {
  /** The last migration of the program. */
  programSchema: string;
  /** The last migration that was applied; null: none, the database is empty. */
  databaseSchema: string | null;
  /** Version of the Offerbook that applied it; null: it did not note it. */
  databaseVersion: string | null;
  pending: PendingMigration[];
  /** What only a newer program knows; null: nothing. */
  newer: NewerSchema | null;
}

/** Compares a database with the program's migrations; only reads. */
export async function examineSchema(sql: Sql): Promise<SchemaState> {
  const known = readMigrations();
  const applied: AppliedMigration[] = (await hasMigrations(sql)) ? await readApplied(sql) : [];
  const missing = known.filter(({ name }) => applied.every((row) => row.name !== name));
  const sizes = await readTableSizes(sql);
  const last = applied.at(-1);
  return {
    programSchema: known.at(-1)?.name ?? '',
    databaseSchema: last?.name ?? null,
    databaseVersion: last?.version ?? null,
    pending: missing.map((migration) => weighMigration(migration, sizes)),
    newer: newerThan(applied, known),
  };
}

/** Bytes of every table with its indexes and partitions. */
async function readTableSizes(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select c.relname as name,
      (select sum(pg_total_relation_size(t.relid)) from pg_partition_tree(c.oid) t)::float8 as bytes
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
