import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { giveTo } from './account.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { diskProblem, errorCode } from './disk-problem.ts';

/** Only names the socket: every server has its own socket folder and no network listener. */
export const socketPort = 5432;

/** 107 on Linux, 103 on macOS, without the closing NUL. */
const maxSocketPathLength = 103;

/** Returns the path of the server's socket in its folder. */
const socketPath = (socketDir: string): string => join(socketDir, `.s.PGSQL.${socketPort}`);

/**
 * Creates the folder of the server's socket, which only its owner can enter: next to the cluster, or in the system's
 * temporary folder if that path is too long for a socket. Throws UserError if the folder is not safely its owner's.
 */
export async function makeSocketDir(place: ClusterPlace): Promise<string> {
  const owner = place.account?.uid ?? process.getuid?.() ?? 0;
  const folder = chooseFolder(place.clusterDir, owner);
  try {
    await mkdir(folder, { mode: 0o700 });
    await giveTo(place.account, folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw diskProblem(`${folder} cannot be made`, error);
  }
  const found = await lstat(folder);
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.())) {
    throw new UserError(`${folder}, for the database's socket, is not a folder of its own: remove it`);
  }
  if (found.uid !== owner) await giveTo(place.account, folder);
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  return folder;
}

/** Removes a socket folder in the temporary folder, unless it is in use or gone. */
export async function removeSocketDir(place: ClusterPlace, socketDir: string): Promise<void> {
  if (dirname(socketDir) !== dirname(place.clusterDir)) await rmdir(socketDir).catch(() => undefined);
}

function chooseFolder(clusterDir: string, owner: number): string {
  const beside = `${clusterDir}-run`;
  const short = `offerbook-${owner}-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 16)}`;
  const fits = (folder: string): boolean =>
    Buffer.byteLength(socketPath(folder)) <= maxSocketPathLength && !folder.includes('\n');
  return [beside, join(tmpdir(), short)].find(fits) ?? join('/tmp', short);
}
