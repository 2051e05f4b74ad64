import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { quoted } from '../column-lists.ts';
import type { Sql } from '../connection.ts';
import { copyOut, inSnapshot, type Snapshot } from '../snapshot.sql.ts';
import { type BackupEnd, type BackupHeader, copyLine, listPartitions, listTables } from './contents.ts';
import { encryptWith } from './encryption.ts';

/** What was written; rows in all and by table. */
export interface BackupSummary {
  tables: number;
  rows: number;
  rowsOf: Map<string, number>;
}

interface BackupOptions {
  version: string;
  now: Date;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
  /** Encrypts the file; null: it is not encrypted. */
  key: string | null;
}

/**
 * Writes every table at one moment to `file`, as gzipped COPY blocks with backpressure, encrypted if there is a key.
 * Waiting jobs are left out, because schedules create them again. Throws errors of the database and the file.
 */
export async function writeBackup(sql: Sql, file: Writable, options: BackupOptions): Promise<BackupSummary> {
  const { signal, key } = options;
  const summary: BackupSummary = { tables: 0, rows: 0, rowsOf: new Map() };
  const text = inSnapshot(sql, signal, (snapshot) => withEnd(blocksOf(snapshot, options, summary), summary));
  if (key === null) await pipeline(text, createGzip(), file, { signal });
  else await pipeline(text, createGzip(), encryptWith(key), file, { signal });
  return summary;
}

/** Yields the text with its last line, by which a restore verifies it. */
async function* withEnd(
  text: AsyncIterable<string | Buffer>,
  summary: BackupSummary,
): AsyncGenerator<string | Buffer> {
  const hash = createHash('sha256');
  for await (const piece of text) {
    hash.update(piece);
    yield piece;
  }
  const { tables, rows } = summary;
  const end: BackupEnd = { end: true, tables, rows, sha256: hash.digest('hex') };
  yield `${JSON.stringify(end)}\n`;
}

async function* blocksOf(
  snapshot: Snapshot,
  { version, now, onProgress }: BackupOptions,
  summary: BackupSummary,
): AsyncGenerator<string | Buffer> {
  const { tx } = snapshot;
  const tables = await listTables(tx);
  const header: BackupHeader = {
    kind: 'offerbook-backup',
    format: 1,
    version,
    madeAt: now.toISOString(),
    migrations: [
      ...(await tx<{ name: string; hash: string }[]>`
      select name, hash from schema_migration order by applied_at, name`),
    ],
    partitions: [...(await listPartitions(tx))],
  };
  yield `${JSON.stringify(header)}\n`;
  for (const [index, table] of tables.entries()) {
    onProgress(index, tables.length);
    yield `${copyLine(table)}\n`;
    const columns = table.columns.map(quoted).join(', ');
    const statement = `copy (select ${columns} from ${quoted(table.name)}) to stdout`;
    let rows = 0;
    for await (const chunk of copyOut(snapshot, statement)) {
      rows += countLines(chunk);
      yield chunk;
    }
    yield '\\.\n';
    summary.tables += 1;
    summary.rows += rows;
    summary.rowsOf.set(table.name, rows);
  }
}

/** Counts line ends, which are rows: COPY writes a line feed within a value as `\n`. */
export function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}
