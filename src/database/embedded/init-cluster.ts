import { mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { giveTo } from './account.ts';
import type { Binaries } from './binaries.ts';
import { type ClusterPlace, linkCluster } from './cluster-place.ts';
import { diskProblem, isDiskFull } from './disk-problem.ts';
import { errorLineOf, runProgram } from './run-program.ts';
import { initdbArguments } from './server-settings.ts';

/**
 * Creates the cluster if missing and checks its PostgreSQL version. A new one appears in one step, so a crash leaves
 * none or a complete one. Must be called under the start lock. Throws UserError for another version, a folder that is
 * not a cluster, and a failed initdb.
 */
export async function initCluster(place: ClusterPlace, binaries: Binaries, log: Log): Promise<void> {
  const { clusterDir } = place;
  const found = await readVersion(clusterDir);
  if (found === null) {
    await createCluster(place, binaries, log);
  } else {
    const bundled = await majorOf(place, binaries);
    if (found !== bundled) {
      throw new UserError(
        `${clusterDir} was made by PostgreSQL ${found}, this program brings ${bundled}: back up with the program that made it and restore here, move the folder away, or set DATABASE_URL`,
      );
    }
  }
  await linkCluster(place);
}

async function readVersion(clusterDir: string): Promise<string | null> {
  const text = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => null);
  if (text !== null) return text.trim();
  const entries = await readdir(clusterDir).catch(() => []);
  if (entries.length > 0) {
    throw new UserError(
      `${clusterDir} holds files but no PostgreSQL database: move it away or set DATA_DIR to another folder`,
    );
  }
  return null;
}

async function majorOf(place: ClusterPlace, binaries: Binaries): Promise<string> {
  const { stdout, stderr } = await runProgram(binaries.postgres, ['--version'], place.account);
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  if (major === undefined) throw new UserError(`${binaries.postgres} does not run: ${errorLineOf(stderr)}`);
  return major;
}

async function createCluster(place: ClusterPlace, binaries: Binaries, log: Log): Promise<void> {
  const { clusterDir } = place;
  const parent = dirname(clusterDir);
  const prefix = `${basename(clusterDir)}.new-`;
  log.info({ clusterDir }, 'creating the database');
  let fresh: string | null = null;
  try {
    await removeLeftovers(parent, prefix);
    fresh = await mkdtemp(join(parent, prefix));
    await giveTo(place.account, fresh);
    const { exitCode, stdout, stderr } = await runProgram(
      binaries.initdb,
      [...initdbArguments, `--pgdata=${fresh}`],
      place.account,
    );
    if (exitCode !== 0) {
      const full = stderr.includes('No space left on device') || (await isDiskFull(parent));
      throw new UserError(
        `the database cannot be created in ${parent}: ${full ? 'the disk is full; free some space, then start again' : errorLineOf(stderr || stdout)}`,
      );
    }
    await rename(fresh, clusterDir);
    await syncFolder(parent);
  } catch (error) {
    if (fresh !== null) await rm(fresh, { recursive: true, force: true }).catch(() => undefined);
    throw diskProblem(`the database cannot be created in ${parent}`, error);
  }
}

// Best effort: an initdb whose starter was killed may still be writing there, and ends by itself.
async function removeLeftovers(parent: string, prefix: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
