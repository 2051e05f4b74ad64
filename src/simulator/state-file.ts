import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { accountStateSchema } from './account/account-state.ts';

const version = 1;

const snapshotSchema = z.object({
  version: z.literal(version),
  seed: z.int(),
  /** Both clocks at the time of saving, in milliseconds since 1970. */
  realMs: z.number(),
  virtualMs: z.number(),
  account: accountStateSchema,
});

/** Everything that outlives a simulator; the market itself follows from the seed. */
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Returns the snapshot in a file; null: the file does not exist yet. Throws a UserError if it is not a snapshot. */
export function loadSnapshot(file: string): Snapshot | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new UserError(`The state file ${file} cannot be read: check its permissions.`, { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UserError(`The state file ${file} is not JSON: move it away to start with a new account.`, {
      cause,
    });
  }
  const read = snapshotSchema.safeParse(value);
  if (read.success) return read.data;
  const at = read.error.issues[0]?.path.join('.') ?? '';
  throw new UserError(
    `The state file ${file} does not fit version ${version} (${at}): move it away to start with a new account.`,
  );
}

/** Writes a snapshot to a temporary file and renames it, so that the file is always complete, old or new. */
export function saveSnapshot(file: string, snapshot: Omit<Snapshot, 'version'>): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(handle, JSON.stringify({ version, ...snapshot }));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
}
