import { UserError } from '../../core/errors.ts';
import { quoted } from '../column-lists.ts';
import { inTransaction, type ReservedSql, type Sql } from '../connection.ts';
import { copyIn } from '../copy-stream.ts';
import { migrate, migrateIn } from '../migrate.ts';
import type { BackupSource } from './backup-source.ts';
import { type BackupEnd, type BackupHeader, copyLine, listPartitions, listTables } from './contents.ts';
import { type BackupPiece, damaged, excerpt, readBackup, requireKnown } from './read-backup.ts';

/** What was restored, and the migrations applied since. */
export interface RestoreSummary {
  madeAt: string;
  tables: number;
  rows: number;
  migrated: string[];
}

/**
 * Fills an unused database from a backup, all or nothing, with the backup's schema, then migrates it. Throws UserError
 * for a database in use, a damaged file or a backup of a newer version, and leaves the database unchanged.
 */
export async function restoreBackup(
  sql: Sql,
  source: BackupSource,
  signal: AbortSignal,
): Promise<RestoreSummary> {
  const { name: file } = source;
  const pieces = readBackup(source, signal);
  const first = await nextPiece(pieces);
  if (!('header' in first)) throw new Error('a backup begins with its header');
  const { header } = first;
  requireKnown(header, file);
  try {
    const end = await inCancellableTransaction(sql, signal, async (tx) => {
      await migrateIn(
        tx,
        header.migrations.map((migration) => migration.name),
        (names) => requireUnused(tx, header, names),
      );
      await makePartitions(tx, header, file);
      const told = await fillTables(tx, pieces, file);
      await setSequences(tx);
      return told;
    });
    const migrated = await migrate(sql);
    return { madeAt: header.madeAt, tables: end.tables, rows: end.rows, migrated };
  } catch (cause) {
    throw signal.aborted ? signal.reason : explain(cause, file);
  } finally {
    await pieces.return(undefined);
  }
}

/** A transaction whose statement ends when `signal` aborts, even while it waits for a lock. */
async function inCancellableTransaction<T>(
  sql: Sql,
  signal: AbortSignal,
  work: (tx: ReservedSql) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const db = await sql.reserve('snapshot');
  let canceled: Promise<unknown> | null = null;
  const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const cancel = (): void => {
    canceled ??= sql`select pg_cancel_backend(${row?.pid ?? 0})`.catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await inTransaction(db, work);
  } finally {
    signal.removeEventListener('abort', cancel);
    // A later cancel would end the next query on the connection.
    await canceled;
    db.release();
  }
}

/** Throws for a database that has stored anything, or with a migration that the backup does not have. */
async function requireUnused(
  db: ReservedSql,
  header: BackupHeader,
  applied: readonly string[],
): Promise<void> {
  const beyond = applied.find((name) => !header.migrations.some((migration) => migration.name === name));
  if (beyond !== undefined || (await isUsed(db))) {
    throw new UserError(
      'The database is not empty: restore into a new one, with another DATA_DIR or DATABASE_URL.',
    );
  }
}

/** Whether a table has a row. A look at an empty database names the market, which is nothing yet. */
async function isUsed(db: ReservedSql): Promise<boolean> {
  for (const { name } of await listTables(db)) {
    if (name !== 'market' && (await db`select from ${db(name)} limit 1`).length > 0) return true;
  }
  return false;
}

async function makePartitions(db: ReservedSql, { partitions }: BackupHeader, file: string): Promise<void> {
  const present = new Set((await listPartitions(db)).map(({ name }) => name));
  for (const { name, parent, bound } of partitions) {
    if (present.has(name)) continue;
    if (!/^(FOR VALUES [^;]*|DEFAULT)$/.test(bound)) {
      throw damaged(file, `its header has no bound of the partition ${excerpt(name)}`);
    }
    await db.unsafe(`create table ${quoted(name)} partition of ${quoted(parent)} ${bound}`);
    present.add(name);
  }
}

/** Loads each block into its table; rows that a migration inserted are replaced by the backup's. */
async function fillTables(
  db: ReservedSql,
  pieces: AsyncGenerator<BackupPiece, void>,
  file: string,
): Promise<BackupEnd> {
  const tables = await listTables(db);
  const statements = new Set(tables.map(copyLine));
  await emptyTables(
    db,
    tables.map(({ name }) => name),
  );
  for (;;) {
    const piece = await nextPiece(pieces);
    if ('end' in piece) {
      if (statements.size > 0) throw damaged(file, `${statements.size} of its tables are missing`);
      return piece.end;
    }
    if (!('copy' in piece)) throw new Error('rows without their table');
    if (!statements.delete(piece.copy)) {
      throw damaged(file, 'it holds a table that is not of its Offerbook, or one twice');
    }
    await copyIn(db, piece.copy.replace(/;$/, ''), rowsOf(pieces));
  }
}

/** The rows of the current block. */
async function* rowsOf(pieces: AsyncGenerator<BackupPiece, void>): AsyncGenerator<Buffer> {
  for (let piece = await nextPiece(pieces); 'rows' in piece; piece = await nextPiece(pieces))
    yield piece.rows;
}

async function nextPiece(pieces: AsyncGenerator<BackupPiece, void>): Promise<BackupPiece> {
  const { value } = await pieces.next();
  if (value === undefined) throw new Error('a backup ends with its end');
  return value;
}

/**
 * Only empties tables that have rows: some tables cannot be emptied by design, and those are empty in a new database.
 */
async function emptyTables(db: ReservedSql, names: readonly string[]): Promise<void> {
  for (const name of names.toReversed()) {
    const rows = await db`select from ${db(name)} limit 1`;
    if (rows.length > 0) await db`delete from ${db(name)}`;
  }
}

/** Sequences continue after the restored numbers. */
async function setSequences(db: ReservedSql): Promise<void> {
  const columns = await db<{ table: string; column: string; sequence: string }[]>`
    select * from (
      select c.relname as table, a.attname as column,
        pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped) owned
    where sequence is not null`;
  for (const { table, column, sequence } of columns) {
    const newest = `max(${quoted(column)})`;
    await db.unsafe(
      `select setval('${sequence}', coalesce(${newest}, 1), ${newest} is not null) from ${quoted(table)}`,
    );
  }
}

/** Errors of the database about rows become errors of the file. */
function explain(cause: unknown, file: string): unknown {
  const { name, code = '', message, where } = cause as Error & { code?: string; where?: string };
  if (name !== 'PostgresError' || !/^2[23]/.test(code)) return cause;
  const place = where === undefined ? '' : `, ${where.split('\n', 1)[0]?.slice(0, 160)}`;
  return damaged(file, `the database refuses its rows (${code}: ${message}${place})`, cause);
}
