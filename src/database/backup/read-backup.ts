import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { knownMigrations } from '../migration-files.ts';
import { type BackupSource, empty } from './backup-source.ts';
import type { BackupEnd, BackupHeader } from './contents.ts';
import { decryptWith, EncryptionError } from './encryption.ts';
import { type BackupPart, readBlocks } from './read-blocks.ts';
import { countLines } from './write-backup.ts';

/**
 * The parts of a backup in order: the header, for each table its COPY and rows, and the end once everything is
 * verified.
 */
export type BackupPiece =
  | { header: BackupHeader }
  | { copy: string }
  | { rows: Buffer }
  | { rowsEnd: true }
  | { end: BackupEnd };

const headerShape = z.object({
  kind: z.literal('offerbook-backup'),
  format: z.number(),
  version: z.string(),
  madeAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
});
const endShape = z.object({
  end: z.literal(true),
  tables: z.number(),
  rows: z.number(),
  sha256: z.string().optional(),
});

/**
 * Reads a backup and checks that it is complete and unchanged. Throws a UserError that says what is wrong with the
 * file.
 */
export async function* readBackup(
  source: BackupSource,
  signal: AbortSignal,
): AsyncGenerator<BackupPiece, void> {
  const state = { begun: false };
  try {
    yield* checked(readBlocks(unzipped(source, signal)), source.name, state);
  } catch (cause) {
    throw signal.aborted ? signal.reason : explain(cause, source.name, state.begun);
  }
}

/**
 * Reads the whole file without a database, and returns the moment it is of and what it counts. Throws like `readBackup`
 * and `requireKnown`.
 */
export async function checkBackup(
  source: BackupSource,
  signal: AbortSignal,
): Promise<{ madeAt: string; rows: number; tables: number }> {
  let madeAt = '';
  let counted = { rows: 0, tables: 0 };
  for await (const piece of readBackup(source, signal)) {
    if ('header' in piece) {
      requireKnown(piece.header, source.name);
      ({ madeAt } = piece.header);
    } else if ('end' in piece) counted = piece.end;
  }
  return { madeAt, rows: counted.rows, tables: counted.tables };
}

/** Throws UserError for a backup with a schema that this program does not know. */
export function requireKnown({ migrations, version }: BackupHeader, file: string): void {
  const known = knownMigrations();
  const foreign = migrations.find(
    ({ name, hash }) => !known.some((migration) => migration.name === name && migration.hash === hash),
  );
  if (foreign !== undefined) throw madeByAnother(file, version, foreign.name);
}

async function* checked(
  parts: AsyncIterable<BackupPart>,
  file: string,
  state: { begun: boolean },
): AsyncGenerator<BackupPiece> {
  const hash = createHash('sha256');
  const found = { tables: 0, rows: 0 };
  let header: BackupHeader | null = null;
  let end: BackupEnd | null = null;
  for await (const part of parts) {
    if (end !== null) throw damaged(file, 'more follows after its end');
    if ('rows' in part) {
      hash.update(part.rows);
      found.rows += countLines(part.rows);
      yield part;
    } else if ('rowsEnd' in part) {
      hash.update('\\.\n');
      found.tables += 1;
      yield part;
    } else if (header === null) {
      header = readHeader(part.line, file);
      state.begun = true;
      yield { header };
      hash.update(`${part.line}\n`);
    } else if (part.line.startsWith('COPY ')) {
      hash.update(`${part.line}\n`);
      yield { copy: part.line };
    } else {
      end = readEnd(part.line, file);
      const { tables, rows, sha256 } = end;
      if (sha256 !== undefined && sha256 !== hash.digest('hex')) {
        throw damaged(file, 'its contents do not match its checksum');
      }
      if (tables !== found.tables || rows !== found.rows) {
        throw damaged(
          file,
          `it holds ${found.rows} rows of ${found.tables} tables, not ${rows} of ${tables}`,
        );
      }
    }
  }
  if (header === null) throw empty(file);
  if (end === null) throw cutOff(file);
  yield { end };
}

function readHeader(line: string, file: string): BackupHeader {
  if (!line.startsWith('{"kind":"offerbook-backup"')) throw notABackup(file);
  const header = parse(headerShape, line);
  if (header === null) throw damaged(file, 'its first line cannot be read');
  if (header.format !== 1) throw madeByAnother(file, header.version, `format ${header.format}`);
  return header as BackupHeader;
}

function readEnd(line: string, file: string): BackupEnd {
  const end = parse(endShape, line);
  if (end === null) throw damaged(file, `a line is neither a table nor the end: ${excerpt(line)}`);
  return end as BackupEnd;
}

function parse<T>(shape: z.ZodType<T>, line: string): T | null {
  try {
    return shape.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Returns the beginning of a line, safe for a terminal. */
export const excerpt = (line: string): string => JSON.stringify(line.slice(0, 40).replace(/[^ -~]/g, '?'));

async function* unzipped({ read, key }: BackupSource, signal: AbortSignal): AsyncGenerator<Buffer> {
  const text = createGunzip();
  pipeline(Readable.from(decryptWith(read(signal), key)), text, () => {});
  yield* text as AsyncIterable<Buffer>;
}

const notABackup = (file: string): UserError =>
  new UserError(`${file} is not an Offerbook backup: choose a file that \`offerbook backup\` wrote.`);

const madeByAnother = (file: string, version: string, what: string): UserError =>
  new UserError(
    `${file} was made by another version of Offerbook (${version}, ${what}): restore it with that version or a newer one.`,
  );

const cutOff = (file: string): UserError =>
  new UserError(
    `${file} is cut off: the backup was not whole. Nothing was restored. Copy it again, or restore another backup.`,
  );

/** Returns the error for a backup file that was changed after it was written. */
export const damaged = (file: string, what: string, cause?: unknown): UserError =>
  new UserError(
    `${file} is damaged: ${what}. Nothing was restored. Copy it again, or restore another backup.`,
    { cause },
  );

const unreadable: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};

function explain(cause: unknown, file: string, begun: boolean): unknown {
  if (cause instanceof UserError) return cause;
  if (cause instanceof EncryptionError) return explainEncryption(cause, file);
  const { code = '', message, syscall } = cause as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return cutOff(file);
  if (message === 'cut off') return begun ? cutOff(file) : notABackup(file);
  if (code.startsWith('Z_')) {
    // Damage soon after the head shows before any text is read: only the head identifies the file.
    if (message === 'incorrect header check') return notABackup(file);
    return damaged(file, `its compressed contents are broken (${message})`, cause);
  }
  if (message === 'line too long') {
    return begun ? damaged(file, 'a line has no end', cause) : notABackup(file);
  }
  if (syscall === undefined) return cause;
  const reason = unreadable[code] ?? 'the disk or the system refuses it';
  return new UserError(`${file} cannot be read (${code}): ${reason}.`, { cause });
}

function explainEncryption(cause: EncryptionError, file: string): UserError {
  if (cause.kind === 'no key') {
    return new UserError(`${file} is encrypted, and BACKUP_KEY is not set: set it to the key of the backup.`);
  }
  if (cause.kind === 'wrong key') {
    return new UserError(
      `${file} was encrypted with another key, or its beginning is damaged: set BACKUP_KEY to the key of that day. Nothing was restored.`,
    );
  }
  if (cause.kind === 'cut off') return cutOff(file);
  return damaged(file, 'its encrypted contents were changed or cut off', cause);
}
