import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { explainDeath, launchServer, serverLogOf, signal } from './launch-server.ts';
import { queryServer } from './server-probe.ts';
import { isServerOf, type PidFile, readPidFile } from './server-process.ts';
import { removeSocketDir } from './socket-dir.ts';

/** Recovery after a crash may take minutes on a slow disk. */
const patienceMs = 300_000;
const inTheWayPatienceMs = 60_000;
const deafPatienceMs = 10_000;
const stopPatienceMs = 120_000;
/** Times that a server may end while it starts, as one does that is killed, before that counts as the answer. */
const maxDeaths = 3;

/** The state of a server as found; `deaf`: it runs, but nothing answers on its socket. */
type Sighting = { kind: 'ready' | 'busy' | 'deaf'; server: PidFile } | { kind: 'none' };

interface Circumstances {
  /** Prepares the binaries and the cluster; only called when a server must be started. */
  prepare: () => Promise<Binaries>;
  /** Whether no other process uses the cluster. */
  isAlone: () => boolean;
  /** Whether nobody needs the server any more: waiting for it ends. */
  isClosing: () => boolean;
  log: Log;
}

/**
 * Waits for a server that is starting or stopping, adopts a running one or starts one, and returns it. Must be called
 * under the start lock. Throws UserError with the last line of the server's log if it does not come up.
 */
export async function ensureServer(place: ClusterPlace, circumstances: Circumstances): Promise<PidFile> {
  const { prepare, isAlone, isClosing, log } = circumstances;
  const startedAt = performance.now();
  const requireLife = limitDeaths(place.clusterDir);
  let logStart: number | null = null;
  let deafSince: number | null = null;
  let progressAt = startedAt;
  for (;;) {
    if (isClosing()) throw new UserError('the database is being closed');
    const sighting = await lookForServer(place.clusterDir);
    const now = performance.now();
    if (sighting.kind === 'ready') return sighting.server;
    if (sighting.kind === 'none') {
      if (logStart !== null) await requireLife(logStart);
      const launch = await launchServer(place, await prepare(), log);
      logStart = launch.kind === 'up' ? launch.logStart : null;
      if (launch.kind === 'up') continue;
      if (now - startedAt > inTheWayPatienceMs) {
        throw new UserError(
          `the database server cannot start: ${launch.reason} (more in ${serverLogOf(place.clusterDir)})`,
        );
      }
      await sleep(250);
      continue;
    }
    deafSince = sighting.kind === 'deaf' ? (deafSince ?? now) : null;
    if (deafSince !== null && now - deafSince > deafPatienceMs) {
      await stopDeaf(place, sighting.server, isAlone, log);
      deafSince = null;
      continue;
    }
    if (now - startedAt > patienceMs) {
      throw new UserError(
        `the database server (process ${sighting.server.pid}) has not come up for ${patienceMs / 60_000} minutes: see ${serverLogOf(place.clusterDir)}`,
      );
    }
    if (now - progressAt > 5000) {
      progressAt = now;
      log.info({ pid: sighting.server.pid }, 'waiting for the database server to come up');
    }
    await sleep(20);
  }
}

/** Returns a check of a server that has ended while it started; throws UserError once another start is of no use. */
function limitDeaths(clusterDir: string): (logStart: number) => Promise<void> {
  let deaths = 0;
  return async (logStart) => {
    const { isDiskFull, error } = await explainDeath(clusterDir, logStart);
    deaths += 1;
    if (isDiskFull || deaths === maxDeaths) throw error;
  };
}

/** Stops the cluster's server if there is one, and waits until it is gone. Must be called under the start lock. */
export async function stopServer(place: ClusterPlace, log: Log): Promise<void> {
  const server = await readPidFile(place.clusterDir);
  if (server === null || !(await isServerOf(server.pid, place.clusterDir))) return;
  // SIGINT requests a fast shutdown: sessions end, everything is flushed.
  signal(server.pid, 'SIGINT');
  const startedAt = performance.now();
  while (await isServerOf(server.pid, place.clusterDir)) {
    if (performance.now() - startedAt > stopPatienceMs) {
      log.warn({ pid: server.pid }, 'the database server is still shutting down; it ends by itself');
      return;
    }
    await sleep(10);
  }
  log.debug({ pid: server.pid }, 'stopped the database server');
  await removeSocketDir(place, server.socketDir);
}

async function lookForServer(clusterDir: string): Promise<Sighting> {
  const server = await readPidFile(clusterDir);
  if (server === null || !(await isServerOf(server.pid, clusterDir))) return { kind: 'none' };
  if (server.socketDir === '') return { kind: 'busy', server };
  const answer = await queryServer(server.socketDir, clusterDir);
  return { kind: answer === 'absent' ? 'deaf' : answer, server };
}

async function stopDeaf(
  place: ClusterPlace,
  server: PidFile,
  isAlone: () => boolean,
  log: Log,
): Promise<void> {
  if (!isAlone()) {
    throw new UserError(
      `the database server (process ${server.pid}) runs, but its socket in ${server.socketDir} is gone: end the programs that use ${place.dataDir}, then start again`,
    );
  }
  log.warn(
    { pid: server.pid, socketDir: server.socketDir },
    'the socket of the database server is gone: restarting it',
  );
  await stopServer(place, log);
}
