import { chownSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import type { Account } from './account.ts';
import { diskProblem, errorCode } from './disk-problem.ts';

// Node has no flock. SQLite, which is part of Node, takes fcntl locks, which the kernel frees when a process dies: no
// pid can be reused and no file can be stale. The file itself stays empty.
const sqliteBusy = 5;

type LockKind = 'shared' | 'exclusive';

/** Releases a lock; a second call does nothing. */
export type Release = () => void;

/**
 * Creates the lock file at `path` if missing, owned by `account` (null: this user). Throws UserError if it cannot be
 * created. Nothing else may open a lock file: when a process closes any descriptor of it, the kernel drops all its
 * fcntl locks on it.
 */
export function createLockFile(path: string, account: Account | null): void {
  try {
    // `wx` does not open an existing file, which would drop a lock that this process holds on it.
    closeSync(openSync(path, 'wx', 0o600));
    if (account !== null) chownSync(path, account.uid, account.gid);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw diskProblem(`${path} cannot be written`, error);
  }
}

/**
 * Takes the lock at once and returns its release; null if others hold it. Within a process as between processes, a lock
 * is shared by any number or exclusive to one. Throws UserError for a file that cannot be locked.
 */
export function tryLock(path: string, kind: LockKind): Release | null {
  let file: DatabaseSync | null = null;
  try {
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec('PRAGMA journal_mode = MEMORY');
    file.exec(kind === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch (error) {
    file?.close();
    if (isBusy(error)) return null;
    throw new UserError(
      `${path} cannot be locked (${messageOf(error)}); it belongs to another user, or the disk is full or read-only`,
      { cause: error },
    );
  }
  const held = file;
  let released = false;
  return () => {
    if (released) return;
    released = true;
    held.close();
  };
}

interface Waiting {
  timeoutMs: number;
  /** Called once if the lock was not free for `noticeAfterMs`. */
  onWait: () => void;
  noticeAfterMs: number;
}

/** Waits for the exclusive lock and returns its release; null after `timeoutMs`. */
export async function waitForLock(path: string, waiting: Waiting): Promise<Release | null> {
  const startedAt = performance.now();
  let noticed = false;
  for (;;) {
    const release = tryLock(path, 'exclusive');
    if (release !== null) return release;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > waiting.timeoutMs) return null;
    if (!noticed && waitedMs > waiting.noticeAfterMs) {
      noticed = true;
      waiting.onWait();
    }
    await sleep(15);
  }
}

const isBusy = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === sqliteBusy;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
