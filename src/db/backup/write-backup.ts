import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { inTransaction, type ReservedSql, type Sql } from '../connection.ts';
import { type BackupHeader, copyIn, listPartitions, listTables, quoted } from './contents.ts';

/** What was written. */
export interface BackupSummary {
  tables: number;
  rows: number;
}

interface BackupOptions {
  version: string;
  now: Date;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
}

/**
 * Writes every table as it is at one moment to a gzipped file of COPY blocks, under its name only once it is
 * whole. Jobs that wait are left out: schedules make them again. Throws what the file system says.
 */
export async function writeBackup(sql: Sql, file: string, options: BackupOptions): Promise<BackupSummary> {
  const unfinished = `${file}.part`;
  const summary: BackupSummary = { tables: 0, rows: 0 };
  const db = await sql.reserve();
  try {
    await inTransaction(
      db,
      async () => {
        await pipeline(
          Readable.from(blocksOf(db, options, summary), { objectMode: false, highWaterMark: 1 << 20 }),
          createGzip(),
          createWriteStream(unfinished, { mode: 0o600 }),
          { signal: options.signal },
        );
      },
      'isolation level repeatable read read only',
    );
    await rename(unfinished, file);
    return summary;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    db.release();
  }
}

async function* blocksOf(db: ReservedSql, options: BackupOptions, summary: BackupSummary) {
  const tables = await listTables(db);
  const header: BackupHeader = {
    ...{ kind: 'offerbook-backup', format: 1, version: options.version, madeAt: options.now.toISOString() },
    migrations: [
      ...(await db<{ name: string; hash: string }[]>`
      select name, hash from schema_migration order by applied_at, name`),
    ],
    partitions: [...(await listPartitions(db))],
  };
  yield `${JSON.stringify(header)}\n`;
  for (const [index, table] of tables.entries()) {
    options.onProgress(index, tables.length);
    yield `${copyIn(table)}\n`;
    const columns = table.columns.map(quoted).join(', ');
    const rows = await db.unsafe(`copy (select ${columns} from ${quoted(table.name)}) to stdout`).readable();
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      summary.rows += countLines(chunk);
      yield chunk;
    }
    yield '\\.\n';
    summary.tables += 1;
  }
  yield `${JSON.stringify({ end: true, ...summary })}\n`;
}

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}
