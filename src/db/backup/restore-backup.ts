import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../domain/errors.ts';
import { inTransaction, type ReservedSql, type Sql } from '../connection.ts';
import { knownMigrations, migrate } from '../migrate.ts';
import { type BackupEnd, type BackupHeader, copyIn, listPartitions, listTables, quoted } from './contents.ts';
import { readBlocks } from './read-blocks.ts';

/** What was restored, and what the schema was brought up by since. */
export interface RestoreSummary {
  madeAt: string;
  tables: number;
  rows: number;
  migrated: string[];
}

/**
 * Fills a database that was never used from a backup, all or nothing, with the schema that the backup has, and then
 * migrates it to this program's. Throws UserError for a database in use, a file that is no whole backup, and a
 * backup of a newer Offerbook.
 */
export async function restoreBackup(sql: Sql, file: string, signal: AbortSignal): Promise<RestoreSummary> {
  const blocks = readBlocks(unzipped(file, signal));
  try {
    const header = await readHeader(blocks, file);
    await requireUnused(sql, header);
    await migrate(
      sql,
      header.migrations.map(({ name }) => name),
    );
    const db = await sql.reserve();
    try {
      const end = await inTransaction(db, async (tx) => {
        await makePartitions(tx, header);
        const told = await fillTables(tx, blocks, file);
        await setSequences(tx);
        return told;
      });
      const migrated = await migrate(sql);
      return { madeAt: header.madeAt, tables: end.tables, rows: end.rows, migrated };
    } finally {
      db.release();
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw explain(cause, file);
  }
}

async function* unzipped(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { signal });
  const text = createGunzip();
  source.once('error', (error) => text.destroy(error));
  yield* source.pipe(text) as AsyncIterable<Buffer>;
}

type Blocks = ReturnType<typeof readBlocks>;

async function readHeader(blocks: Blocks, file: string): Promise<BackupHeader> {
  const first = await blocks.next();
  const line = !first.done && 'line' in first.value ? first.value.line : '';
  if (!line.startsWith('{"kind":"offerbook-backup"')) throw notABackup(file);
  const header = JSON.parse(line) as BackupHeader;
  const known = knownMigrations();
  const foreign = header.migrations.find(
    ({ name, hash }) => !known.some((migration) => migration.name === name && migration.hash === hash),
  );
  if (header.format !== 1 || foreign !== undefined) {
    throw new UserError(
      `${file} was made by another Offerbook (${header.version}, ${foreign?.name ?? `format ${header.format}`}): ` +
        'restore it with that version or a newer one.',
    );
  }
  return header;
}

/** Takes no database that has a market, or that is at a migration which the backup does not have. */
async function requireUnused(sql: Sql, header: BackupHeader): Promise<void> {
  if (!(await hasTable(sql, 'schema_migration'))) return;
  const applied = await sql<{ name: string }[]>`select name from schema_migration`;
  const beyond = applied.find(({ name }) => !header.migrations.some((migration) => migration.name === name));
  const used = (await hasTable(sql, 'market')) && (await sql`select from market limit 1`).length > 0;
  if (used || beyond !== undefined) {
    throw new UserError(
      'The database has been used already: restore into a new one, with another DATA_DIR or DATABASE_URL.',
    );
  }
}

async function hasTable(sql: Sql, name: string): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`select to_regclass(${name}) is not null as has`;
  return row?.has === true;
}

async function makePartitions(db: ReservedSql, { partitions }: BackupHeader): Promise<void> {
  const present = new Set((await listPartitions(db)).map(({ name }) => name));
  for (const { name, parent, bound } of partitions) {
    if (present.has(name)) continue;
    if (!/^(FOR VALUES [^;]*|DEFAULT)$/.test(bound)) throw new Error(`no bound of a partition: ${bound}`);
    await db.unsafe(`create table ${quoted(name)} partition of ${quoted(parent)} ${bound}`);
    present.add(name);
  }
}

/** Takes each block into its table; rows that a migration made give way to those of the backup. */
async function fillTables(db: ReservedSql, blocks: Blocks, file: string): Promise<BackupEnd> {
  const tables = await listTables(db);
  const statements = new Set(tables.map(copyIn));
  await emptyTables(
    db,
    tables.map(({ name }) => name),
  );
  let block: Awaited<ReturnType<typeof openBlock>> | null = null;
  let told: BackupEnd | null = null;
  for await (const part of blocks) {
    if ('rows' in part) {
      await block?.take(part.rows);
    } else if ('rowsEnd' in part) {
      await block?.end();
    } else if (part.line.startsWith('COPY ')) {
      if (!statements.delete(part.line)) throw notABackup(file);
      block = await openBlock(db, part.line);
    } else {
      told = JSON.parse(part.line) as BackupEnd;
    }
  }
  if (told?.end !== true) throw cutOff(file);
  return told;
}

/** What takes the rows of one table. */
async function openBlock(db: ReservedSql, statement: string) {
  const into = await db.unsafe(statement.replace(/;$/, '')).writable();
  const taken = finished(into);
  // What it says is heard at the end of the block; until then nobody else listens.
  taken.catch(() => {});
  return {
    take: async (rows: Buffer): Promise<void> => {
      if (!into.write(rows)) await Promise.race([once(into, 'drain'), taken]);
    },
    end: async (): Promise<void> => {
      into.end();
      await taken;
    },
  };
}

/** Only tables with rows: some refuse to be emptied by design, and have none in a new database. */
async function emptyTables(db: ReservedSql, names: readonly string[]): Promise<void> {
  for (const name of names.toReversed()) {
    const rows = await db.unsafe(`select from ${quoted(name)} limit 1`);
    if (rows.length > 0) await db.unsafe(`delete from ${quoted(name)}`);
  }
}

/** Numbers that the database gives go on after the restored ones. */
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

const notABackup = (file: string): UserError =>
  new UserError(`${file} is not a backup of Offerbook: \`offerbook backup\` makes them.`);
const cutOff = (file: string): UserError =>
  new UserError(`${file} is cut off: the backup was not whole. Nothing was restored.`);

function explain(cause: unknown, file: string): unknown {
  if (cause instanceof UserError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') {
    return new UserError(`${file} cannot be read (${code}).`, { cause });
  }
  if (code === 'Z_BUF_ERROR' || message === 'cut off') return cutOff(file);
  return code?.startsWith('Z_') === true ? notABackup(file) : cause;
}
