import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UserError } from '../../core/errors.ts';

/** Where a backup is read from. */
export interface BackupSource {
  /** Its path or address, for messages. */
  name: string;
  /** Yields its bytes from the beginning, each time that it is called. */
  read: (signal: AbortSignal) => AsyncIterable<Buffer>;
  /** Decrypts it if it is encrypted; null: no key is set. */
  key: string | null;
}

/** Returns a file of this machine as a source. Reading throws a UserError for anything but an ordinary file. */
export const fileSource = (path: string, key: string | null): BackupSource => ({
  name: path,
  key,
  read: async function* (signal) {
    await requireOrdinary(path);
    yield* createReadStream(path, { signal }) as AsyncIterable<Buffer>;
  },
});

async function requireOrdinary(file: string): Promise<void> {
  const kind = await stat(file);
  if (kind.isFile() && kind.size === 0) throw empty(file);
  if (kind.isFile()) return;
  throw new UserError(
    `${file} is ${kind.isDirectory() ? 'a folder' : 'not an ordinary file'}: name the file that \`offerbook backup\` wrote.`,
  );
}

/** Returns the error for a backup without any bytes. */
export const empty = (file: string): UserError =>
  new UserError(`${file} is empty: restore a file that \`offerbook backup\` made.`);
