import { spawn } from 'node:child_process';
import { open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { giveTo, spawnAs } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { diskProblem, errorCode, isDiskFull } from './disk-problem.ts';
import { cannotStart, errorLineOf } from './run-program.ts';
import { isServerOf, processesIn, readPidFile } from './server-process.ts';
import { settingsFor } from './server-settings.ts';
import { makeSocketDir } from './socket-dir.ts';

const logLimitBytes = 16 * 1024 * 1024;

/**
 * `up`: it has written its pid file and may still be recovering, and its log begins at that byte of the file; `in the
 * way`: try again in a moment.
 */
type Launch = { kind: 'up'; logStart: number } | { kind: 'in the way'; reason: string };

/** Why a server ended; a full disk does not go away by trying again. */
interface Death {
  line: string;
  isDiskFull: boolean;
  error: UserError;
}

/** Returns the log file of the cluster's server. */
export const serverLogOf = (clusterDir: string): string => join(clusterDir, 'server.log');

/**
 * Starts a server that outlives this process. Must be called under the start lock while no server runs. Throws
 * UserError with the last line of its log if it exits at once.
 */
export async function launchServer(place: ClusterPlace, binaries: Binaries, log: Log): Promise<Launch> {
  const { clusterDir } = place;
  const socketDir = await makeSocketDir(place);
  await removeStalePidFile(clusterDir);
  const serverLog = await openServerLog(place);
  let ended = false;
  let problem: unknown = null;
  try {
    const settings = Object.entries(settingsFor(socketDir)).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    // A session of its own, so that neither its starter's exit nor the terminal's signals reach it.
    const child = spawn(binaries.postgres, ['-D', clusterDir, ...settings], {
      ...spawnAs(place.account),
      detached: true,
      stdio: ['ignore', serverLog.fd, serverLog.fd],
    });
    child.on('error', (error) => {
      problem = error;
      ended = true;
    });
    child.on('exit', () => {
      ended = true;
    });
    child.unref();
    log.debug({ clusterDir, pid: child.pid }, 'starting the database server');
    while (!ended) {
      if (await hasServer(clusterDir)) return { kind: 'up', logStart: serverLog.size };
      await sleep(10);
    }
  } finally {
    await serverLog.close();
  }
  if (problem !== null) throw cannotStart(binaries.postgres, place.account, problem);
  // Another server won, whose starter was killed before it had written its pid file.
  if (await hasServer(clusterDir)) return { kind: 'up', logStart: serverLog.size };
  return await explainEnd(place, serverLog.size);
}

async function hasServer(clusterDir: string): Promise<boolean> {
  const server = await readPidFile(clusterDir);
  return server !== null && (await isServerOf(server.pid, clusterDir));
}

async function explainEnd(place: ClusterPlace, logStart: number): Promise<Launch> {
  const { clusterDir } = place;
  const { line, error } = await explainDeath(clusterDir, logStart);
  if (line.includes('lock file')) return { kind: 'in the way', reason: line };
  if (line.includes('pre-existing shared memory block')) {
    // Sessions of a killed server hold its memory until their query ends.
    for (const pid of await processesIn(clusterDir)) signal(pid, 'SIGTERM');
    return { kind: 'in the way', reason: line };
  }
  throw error;
}

/** Returns why the server whose log begins at the byte `logStart` has ended, by its last error. */
export async function explainDeath(clusterDir: string, logStart: number): Promise<Death> {
  const path = serverLogOf(clusterDir);
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const text = bytes.subarray(logStart).toString('utf8');
  const line = errorLineOf(text);
  const full = text.includes('No space left on device') || (await isDiskFull(clusterDir));
  const error = new UserError(
    full
      ? `the database server cannot start in ${clusterDir}: the disk is full; free some space, then start again`
      : `the database server cannot start: ${line}${remedyOf(line, clusterDir)} (more in ${path})`,
  );
  return { line, isDiskFull: full, error };
}

const remedyOf = (line: string, clusterDir: string): string =>
  line.includes('has invalid permissions') ? `; run \`chmod 700 ${clusterDir}\`, then start again` : '';

/** Sends a signal; ignores a process that has just ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

// PostgreSQL mistakes any live process with the old pid for the old server, and an empty file for a starting one.
async function removeStalePidFile(clusterDir: string): Promise<void> {
  const path = join(clusterDir, 'postmaster.pid');
  const present = await stat(path).catch(() => null);
  if (present === null) return;
  if ((await readPidFile(clusterDir)) === null) await sleep(500);
  if (!(await hasServer(clusterDir))) await rm(path, { force: true });
}

async function openServerLog(
  place: ClusterPlace,
): Promise<{ fd: number; size: number; close(): Promise<void> }> {
  const path = serverLogOf(place.clusterDir);
  try {
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    if (size > logLimitBytes) await truncate(path);
    const file = await open(path, 'a', 0o600);
    await giveTo(place.account, path);
    return { fd: file.fd, size: size > logLimitBytes ? 0 : size, close: () => file.close() };
  } catch (error) {
    throw diskProblem(`${path} cannot be written`, error);
  }
}
