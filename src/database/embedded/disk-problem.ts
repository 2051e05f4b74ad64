import { statfs } from 'node:fs/promises';
import { UserError } from '../../core/errors.ts';

/** With less space PostgreSQL cannot even write its next segment of journal (16 MB). */
const minFreeBytes = 20 * 1024 * 1024;

/** Returns the `code` of a system error, `ENOENT`; null for anything else. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/**
 * Turns a system error into one line that says what to do and begins with `what`: `DATA_DIR /srv/x cannot be written`.
 * A UserError passes unchanged.
 */
export function diskProblem(what: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const code = errorCode(error);
  const text = error instanceof Error ? error.message : String(error);
  return new UserError(`${what}: ${explain(code, text)}`, { cause: error });
}

function explain(code: string | null, text: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full; free some space, then start again';
    case 'EROFS':
      return 'the file system is read-only; set DATA_DIR to a folder that can be written';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied; make it writable for this user or set DATA_DIR to another folder';
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a file is where a folder should be; remove it or set DATA_DIR to another folder';
    case 'ENOENT':
      return 'no folder can be made there; set DATA_DIR to another one';
    default:
      return `${text.split('\n')[0]}; set DATA_DIR to a folder that can be written`;
  }
}

/** Whether the disk with `path` is too full for PostgreSQL. false if unknown. */
export async function isDiskFull(path: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize < minFreeBytes;
  } catch {
    return false;
  }
}
