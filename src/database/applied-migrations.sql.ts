import { programVersion } from '../core/program-file.ts';
import type { Db } from './connection.ts';

/** A migration of the database. */
export interface AppliedMigration {
  name: string;
  hash: string;
  /** Version of the Offerbook that applied it; null: one that did not note it. */
  version: string | null;
}

/** What a database has that this program does not know. */
export interface NewerSchema {
  /** The first unknown migration. */
  name: string;
  /** Version that knows all of them; null: unknown. */
  version: string | null;
}

/** Returns whether the database has the table of migrations. */
export async function hasMigrations(db: Db): Promise<boolean> {
  const [table] = await db`select where to_regclass('schema_migration') is not null`;
  return table !== undefined;
}

/** Returns whether the table of migrations names versions; false also without that table. */
export async function namesVersions(db: Db): Promise<boolean> {
  const [column] = await db`select from pg_attribute
    where attrelid = to_regclass('schema_migration') and attname = 'version' and not attisdropped`;
  return column !== undefined;
}

/** Returns the applied migrations in order. Throws without the table of migrations. */
export async function readApplied(db: Db): Promise<AppliedMigration[]> {
  return (await namesVersions(db))
    ? await db<AppliedMigration[]>`select name, hash, version from schema_migration order by applied_at, name`
    : await db<
        AppliedMigration[]
      >`select name, hash, null::text as version from schema_migration order by applied_at, name`;
}

/** Returns what the database has that `known` lacks; null: nothing. The last program that migrated it knows all. */
export function newerThan(
  applied: readonly AppliedMigration[],
  known: readonly { name: string }[],
): NewerSchema | null {
  const unknown = applied.filter(({ name }) => !known.some((migration) => migration.name === name));
  const [first, last] = [unknown[0], unknown.at(-1)];
  return first === undefined || last === undefined ? null : { name: first.name, version: last.version };
}

/** Says in a sentence that the database is newer, and which version it needs. */
export const newerWords = ({ name, version }: NewerSchema): string =>
  version === null
    ? `The database was migrated by a newer Offerbook (${name}): run that version or newer here.`
    : `The database was migrated by Offerbook ${version} (${name}), and this is ${programVersion()}: install ${version} or newer.`;

/** Says that the database lacks migrations of this program, and what to do; null: it lacks none, or is empty. */
export function olderWords(
  applied: readonly AppliedMigration[],
  known: readonly { name: string }[],
): string | null {
  const missing = known.filter(({ name }) => applied.every((row) => row.name !== name)).length;
  if (applied.length === 0 || missing === 0) return null;
  const by = `Offerbook ${applied.at(-1)?.version ?? 'of an earlier version'}`;
  return (
    `The database is that of ${by} and lacks ${missing} migration${missing === 1 ? '' : 's'} of this one, ${programVersion()}: ` +
    'stop the old service, then run `offerbook upgrade`, or start this version.'
  );
}
