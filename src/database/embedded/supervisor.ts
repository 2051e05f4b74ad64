import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { type Binaries, readyBinaries } from './binaries.ts';
import { type ClusterPlace, placeCluster } from './cluster-place.ts';
import { createLockFile, type Release, tryLock, waitForLock } from './file-lock.ts';
import { initCluster } from './init-cluster.ts';
import { leaveAtExit, type OpenUse } from './leave-at-exit.ts';
import { ensureServer, stopServer } from './server.ts';
import type { PidFile } from './server-process.ts';
import { databaseName, superuser } from './server-settings.ts';
import { socketPort } from './socket-dir.ts';

/** One use of the embedded database; the server runs at least until every use is closed. */
export interface EmbeddedHandle {
  /** Folder of the Unix socket: the `host` of postgres.js. */
  socketDir: string;
  /** Names the socket; the server does not listen on the network. */
  port: number;
  user: string;
  database: 'offerbook';
  clusterDir: string;
  /** A sentence for the user about where the cluster is; null if it is simply `DATA_DIR/pg`. */
  notice: string | null;
  /** Restarts the server on the same socket if it has died; else, or once the use is being closed, does nothing. */
  ensureRunning(): Promise<void>;
  /** Closes the use; the last one stops the server. A second call does nothing. */
  close(): Promise<void>;
}

interface OpenOptions {
  dataDir: string;
  log: Log;
  /** Folder with `bin`, `lib` and `share` of another PostgreSQL. @default the bundled package */
  postgresBinaries?: string;
  /** Folder of root's clusters and copied binaries. @default `/var/lib/offerbook` */
  stateDir?: string;
}

const lockPatienceMs = 600_000;

/**
 * Opens the embedded database of DATA_DIR: creates its cluster when there is none, adopts a running server or starts
 * one. The server belongs to no process: each use shares a lock, and starting and stopping happen under a second one,
 * so that any number of processes can come and go. The kernel holds both locks and frees them when their process ends;
 * if every user was killed, the server keeps running for the next one.
 * Source: docs/decisions/0002-embedded-postgresql.md.
 * Throws UserError.
 */
export async function openEmbedded(options: OpenOptions): Promise<EmbeddedHandle> {
  const { log } = options;
  const place = await placeCluster(options.dataDir, options.stateDir ?? '/var/lib/offerbook');
  const locks = { start: `${place.clusterDir}-start.lock`, use: `${place.clusterDir}-use.lock` };
  for (const path of Object.values(locks)) createLockFile(path, place.account);

  let use: Release | null = null;
  const openUse: OpenUse = { clusterDir: place.clusterDir, locks, holdsStart: false, release: () => use?.() };
  const underStartLock = <T>(work: () => Promise<T>): Promise<T> =>
    underLock(locks.start, place, log, async () => {
      openUse.holdsStart = true;
      try {
        return await work();
      } finally {
        openUse.holdsStart = false;
      }
    });
  let forget = (): void => {};
  const isAlone = (): boolean => {
    use?.();
    const alone = tryLock(locks.use, 'exclusive');
    alone?.();
    use = tryLock(locks.use, 'shared');
    return alone !== null;
  };
  const prepare = async (): Promise<Binaries> => {
    const binaries = await readyBinaries(place, options.postgresBinaries ?? null, log);
    await initCluster(place, binaries, log);
    return binaries;
  };
  let closing: Promise<void> | null = null;
  const isClosing = (): boolean => closing !== null;
  const start = (): Promise<PidFile> => ensureServer(place, { prepare, isAlone, isClosing, log });

  const server = await underStartLock(async () => {
    use = takeUse(locks.use, place);
    forget = leaveAtExit(openUse);
    try {
      return await start();
    } catch (error) {
      forget();
      use();
      throw error;
    }
  });

  const leave = async (): Promise<void> => {
    await underStartLock(async () => {
      use?.();
      const last = tryLock(locks.use, 'exclusive');
      if (last !== null) {
        try {
          await stopServer(place, log);
        } finally {
          last();
        }
      }
    });
    forget();
  };
  return {
    socketDir: server.socketDir,
    port: socketPort,
    user: superuser,
    database: databaseName,
    clusterDir: place.clusterDir,
    notice: place.notice,
    ensureRunning: async () => {
      if (isClosing()) return;
      await underStartLock(start).catch((error: unknown) => {
        if (!isClosing()) throw error;
      });
    },
    close: () => {
      closing ??= leave();
      return closing;
    },
  };
}

function takeUse(path: string, place: ClusterPlace): Release {
  const use = tryLock(path, 'shared');
  // Only the start lock's holder ever takes this lock exclusively.
  if (use === null)
    throw new UserError(`${path} is locked by another program: end it (DATA_DIR ${place.dataDir})`);
  return use;
}

async function underLock<T>(path: string, place: ClusterPlace, log: Log, work: () => Promise<T>): Promise<T> {
  const release = await waitForLock(path, {
    timeoutMs: lockPatienceMs,
    noticeAfterMs: 5000,
    onWait: () =>
      log.info({ dataDir: place.dataDir }, 'waiting for another process that starts or stops the database'),
  });
  if (release === null) {
    throw new UserError(
      `another process has been starting or stopping the database in ${place.dataDir} for ${lockPatienceMs / 60_000} minutes: end it, then start again`,
    );
  }
  try {
    return await work();
  } finally {
    release();
  }
}
