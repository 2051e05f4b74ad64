import { type Release, tryLock } from './file-lock.ts';
import { signal } from './launch-server.ts';
import { findServerNow } from './server-process.ts';

/** A use of a cluster that has not been closed yet. */
export interface OpenUse {
  clusterDir: string;
  locks: { start: string; use: string };
  /** Whether this process holds the start lock at the moment. */
  holdsStart: boolean;
  /** Ends the use. */
  release: Release;
}

const patienceMs = 2_000;
const betweenTriesMs = 50;

const open = new Set<OpenUse>();

/**
 * Keeps the server from being left behind by a process that ends without closing its use: the last to leave asks it to
 * shut down as the process exits. Call the result once the use is closed.
 */
export function leaveAtExit(use: OpenUse): () => void {
  if (open.size === 0) process.once('exit', leaveAll);
  open.add(use);
  return () => {
    open.delete(use);
    if (open.size === 0) process.off('exit', leaveAll);
  };
}

function leaveAll(): void {
  for (const use of open) {
    try {
      leaveNow(use);
    } catch {
      // The folder is gone or read-only: nobody is left to be told.
    }
  }
}

/** Nothing can be waited for in a process that exits, but a moment for others that start or stop. */
function leaveNow({ clusterDir, locks, holdsStart, release }: OpenUse): void {
  const start = holdsStart ? () => {} : waitNow(() => tryLock(locks.start, 'exclusive'));
  if (start === null) return;
  release();
  const last = tryLock(locks.use, 'exclusive');
  const pid = last === null ? null : findServerNow(clusterDir);
  // A fast shutdown: sessions are ended, everything is flushed.
  if (pid !== null) signal(pid, 'SIGINT');
  last?.();
  start();
}

function waitNow(look: () => Release | null): Release | null {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += betweenTriesMs) {
    const found = look();
    if (found !== null || waited >= patienceMs) return found;
    Atomics.wait(never, 0, 0, betweenTriesMs);
  }
}
