import { UserError } from '../core/errors.ts';
import { programVersion } from '../core/program-file.ts';
import {
  hasMigrations,
  namesVersions,
  newerThan,
  newerWords,
  olderWords,
  readApplied,
} from './applied-migrations.sql.ts';
import { inTransaction, type ReservedSql, type Sql } from './connection.ts';
import { type Migration, readMigrations } from './migration-files.ts';

const lockKey = 0x0ffe_b00c;
export const oldestServer = 15;

/**
 * Migrates the schema to this program's version under an advisory lock: of many starting processes one migrates and the
 * others wait. Each migration is one transaction. Returns the names applied now. Throws UserError if the server is too
 * old or the schema newer than this program; with `onlyNew` also if it is older, because then only an empty database is
 * migrated.
 */
export async function migrate(sql: Sql, { onlyNew = false } = {}): Promise<string[]> {
  const db = await sql.reserve('lock');
  try {
    await requireServer(db);
    await db`select pg_advisory_lock(${lockKey})`;
    try {
      const known = readMigrations();
      if (onlyNew) await requireCurrentOrNew(db, known);
      return await applyMissing(db, known, await listApplied(db, known), inTransaction);
    } finally {
      await db`select pg_advisory_unlock(${lockKey})`;
    }
  } finally {
    db.release();
  }
}

/**
 * Migrates the schema up to the migrations `upTo` within a transaction, whose end releases the lock; `judge` sees under
 * the lock what was applied before. Throws like `migrate`.
 */
export async function migrateIn(
  tx: ReservedSql,
  upTo: readonly string[],
  judge: (applied: readonly string[]) => Promise<void>,
): Promise<void> {
  await requireServer(tx);
  await tx`select pg_advisory_xact_lock(${lockKey})`;
  const known = readMigrations();
  const applied = await listApplied(tx, known);
  await judge(applied);
  const wanted = known.filter(({ name }) => upTo.includes(name));
  await applyMissing(tx, wanted, applied, async (db, work) => await work(db));
}

/** Throws a UserError, before anything is changed, for the database of an older program. */
async function requireCurrentOrNew(db: ReservedSql, known: readonly Migration[]): Promise<void> {
  const words = (await hasMigrations(db)) ? olderWords(await readApplied(db), known) : null;
  if (words !== null) throw new UserError(words);
}

async function requireServer(db: ReservedSql): Promise<void> {
  const [row] = await db<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  const major = Math.floor((row?.version ?? 0) / 10_000);
  if (major < oldestServer) {
    throw new UserError(`The database is PostgreSQL ${major}; Offerbook needs ${oldestServer} or later.`);
  }
}

/** Returns the names of the applied migrations. Throws UserError for an unknown one. */
async function listApplied(db: ReservedSql, known: readonly Migration[]): Promise<string[]> {
  await db`create table if not exists schema_migration
    (name text primary key, hash text not null, applied_at timestamptz not null default now(), version text)`;
  // Asked first, because even a change that finds nothing to do waits until a running backup has read the table.
  if (!(await namesVersions(db))) await db`alter table schema_migration add column version text`;
  const applied = await readApplied(db);
  const newer = newerThan(applied, known);
  if (newer !== null) throw new UserError(newerWords(newer));
  const other = known.find(({ name, hash }) => applied.some((row) => row.name === name && row.hash !== hash));
  if (other !== undefined) {
    throw new UserError(
      `The database was made by another build of ${other.name}: use the Offerbook that made it.`,
    );
  }
  return applied.map(({ name }) => name);
}

async function applyMissing(
  db: ReservedSql,
  wanted: readonly Migration[],
  applied: readonly string[],
  within: (db: ReservedSql, work: (tx: ReservedSql) => Promise<void>) => Promise<void>,
): Promise<string[]> {
  const missing = wanted.filter(({ name }) => !applied.includes(name));
  for (const migration of missing) {
    await within(db, async (tx) => {
      for (const statement of migration.statements) await tx.unsafe(statement);
      await tx`insert into schema_migration (name, hash, version)
        values (${migration.name}, ${migration.hash}, ${programVersion()})`;
    });
  }
  return missing.map(({ name }) => name);
}
