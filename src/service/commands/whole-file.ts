import { rmSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { UserError } from '../../core/errors.ts';
import { isDatabaseUnreachable } from '../../database/unreachable.ts';

interface WholeFileOptions {
  /** Whether an existing file of that name may be overwritten. */
  replace: boolean;
  mode?: number;
  /** When it aborts, its reason is thrown instead of the errors that follow from it. */
  signal: AbortSignal;
}

/**
 * Writes a file that gets its name only when it is complete and on disk; if the program ends before, nothing is left.
 * `fill` writes and ends the stream. Throws UserError for a place that cannot be written, a name in use and anything
 * but an ordinary file, and the errors of `fill`.
 */
export async function writeWholeFile<T>(
  path: string,
  { replace, mode = 0o666, signal }: WholeFileOptions,
  fill: (file: Writable) => Promise<T>,
): Promise<T> {
  const place = await findPlace(path, replace);
  const part = `${place}.${process.pid}.part`;
  const remove = (): void => rmSync(part, { force: true });
  let file: FileHandle | null = null;
  process.once('exit', remove);
  try {
    file = await open(part, 'w', mode);
    const filled = await fill(file.createWriteStream({ flush: true }));
    await findPlace(path, replace);
    await rename(part, place);
    return filled;
  } catch (cause) {
    await file?.close().catch(() => {});
    remove();
    throw signal.aborted ? signal.reason : explain(path, cause);
  } finally {
    process.off('exit', remove);
  }
}

/** Returns the final path of the file, following a link. */
async function findPlace(path: string, replace: boolean): Promise<string> {
  const present = await look(lstat(path), path);
  if (present === null) return path;
  const kind = await look(stat(path), path);
  if (kind === null) throw new UserError(`${path} is a link that leads nowhere: choose another name.`);
  if (kind.isDirectory()) throw new UserError(`${path} is a folder: give the name of a file in it.`);
  if (!kind.isFile()) {
    throw new UserError(`${path} is not an ordinary file but ${kindOf(kind)}: choose another name.`);
  }
  if (!replace) {
    throw new UserError(`${path} exists already: choose another name, or replace it with --force.`);
  }
  return await realpath(path);
}

async function look(seen: Promise<Stats>, path: string): Promise<Stats | null> {
  try {
    return await seen;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw explain(path, cause);
  }
}

/** What kind of thing it is, for a message. */
function kindOf(kind: Stats): string {
  if (kind.isDirectory()) return 'a folder';
  if (kind.isFIFO()) return 'a named pipe';
  if (kind.isSocket()) return 'a socket';
  return 'a device';
}

const reasons: Record<string, string> = {
  ENOSPC: 'its disk is full. Free space there, or choose another place',
  EDQUOT: 'the quota of its disk is used up. Free space there, or choose another place',
  ENOENT: 'its folder does not exist. Make the folder first, or choose another place',
  ENOTDIR: 'its folder is a file. Choose another place',
  EACCES: 'you may not write there. Choose another place',
  EPERM: 'you may not write there. Choose another place',
  EROFS: 'its disk is read-only. Choose another place',
  ENAMETOOLONG: 'the name is too long. Choose a shorter one',
};

function explain(path: string, cause: unknown): unknown {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  // A broken connection is not the file's problem.
  if (cause instanceof UserError || syscall === undefined || isDatabaseUnreachable(cause)) return cause;
  const reason = reasons[code ?? ''] ?? 'the system refuses it. Choose another place';
  return new UserError(`${path} cannot be written (${code}): ${reason}.`, { cause });
}
