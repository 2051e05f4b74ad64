import { type Release, tryLock } from './file-lock.ts';
import { signal } from './launch-server.ts';
import { findServerNow } from './server-process.ts';

/** A use of a cluster that is not closed yet. */
export interface OpenUse {
  clusterDir: string;
  locks: { start: string; use: string };
  /** Whether this process currently holds the start lock. */
  holdsStart: boolean;
  /** Ends the use. */
  release: Release;
}

const patienceMs = 2_000;
const betweenTriesMs = 50;

const open = new Set<OpenUse>();

/**
 * Stops the server when a process exits without closing its use and is the last one. Call the returned function once
 * the use is closed.
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
      // The folder is gone or read-only, so nothing can be done.
    }
  }
}

/** An exiting process cannot wait for anything, except a moment for others that start or stop. */
function leaveNow({ clusterDir, locks, holdsStart, release }: OpenUse): void {
  const start = holdsStart ? () => {} : waitNow(() => tryLock(locks.start, 'exclusive'));
  if (start === null) return;
  release();
  const last = tryLock(locks.use, 'exclusive');
  const pid = last === null ? null : findServerNow(clusterDir);
  // A fast shutdown: sessions end, everything is flushed.
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
