import { createHash } from 'node:crypto';
import { chmod, lstat, readdir, readlink, realpath, rmdir, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { type Account, accountOf, canReach, findServerAccount, isRoot } from './account.ts';
import { diskProblem, errorCode } from './disk-problem.ts';
import { makeFolder, proveWritable } from './make-folder.ts';

/** Where one embedded database is and who runs it. All paths are absolute and without links. */
export interface ClusterPlace {
  dataDir: string;
  /** PostgreSQL's data directory; locks and sockets are next to it, with its name. */
  clusterDir: string;
  /** The server's account; null: this user. */
  account: Account | null;
  /** Folder for copies of the binaries. */
  copyDir: string;
  /** A sentence for the user about an unusual place; null if the cluster is simply `DATA_DIR/pg`. */
  notice: string | null;
}

/**
 * Creates DATA_DIR and decides where its cluster is: `DATA_DIR/pg`, or for root `<stateDir>/<hash of DATA_DIR>` with a
 * link from `DATA_DIR/pg`. The hash names this very folder: another one, made later at the same path, begins empty.
 * Creates no cluster. Throws UserError if DATA_DIR cannot be used.
 */
export async function placeCluster(dataDir: string, stateDir: string): Promise<ClusterPlace> {
  const real = await makeDataDir(dataDir);
  const entry = join(real, 'pg');
  const existing = await findExisting(entry);
  if (!isRoot()) {
    if (existing !== null && existing.uid !== process.getuid?.()) throw foreignOwner(entry);
    const clusterDir = existing?.dir ?? entry;
    return {
      dataDir: real,
      clusterDir,
      account: null,
      copyDir: real,
      notice: noticeOf(real, clusterDir, null),
    };
  }
  // An existing cluster keeps its owner: a service may run as that user while root runs a command.
  const account = existing === null ? await findServerAccount() : await accountOf(existing.uid, existing.gid);
  const shared = (await canHost(stateDir, account)) ? await realpath(stateDir) : null;
  if (existing === null && shared === null && !(await canReach(account, real))) {
    throw new UserError(
      `PostgreSQL does not run as root, and its user \`${account.name}\` can reach neither ${stateDir} nor ${real}: set DATA_DIR to a folder it can reach, run as an ordinary user, or set DATABASE_URL`,
    );
  }
  const fresh = shared === null ? entry : join(shared, await identityOf(real));
  const clusterDir = existing?.dir ?? fresh;
  return {
    dataDir: real,
    clusterDir,
    account,
    copyDir: shared ?? real,
    notice: noticeOf(real, clusterDir, account),
  };
}

/** Makes `DATA_DIR/pg` a link to a cluster elsewhere. */
export async function linkCluster(place: ClusterPlace): Promise<void> {
  const entry = join(place.dataDir, 'pg');
  if (place.clusterDir === entry) return;
  try {
    await symlink(place.clusterDir, entry);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw diskProblem(`${entry} cannot be made`, error);
  }
}

/** A name for the folder itself, equal for all processes that use it. */
async function identityOf(folder: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(folder);
  return createHash('sha256').update(`${folder} ${ino} ${birthtimeMs}`).digest('hex').slice(0, 16);
}

/** Creates DATA_DIR if missing and returns its real path. Throws UserError if it cannot be used. */
export async function makeDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  try {
    await makeFolder(path);
    const real = await realpath(path);
    await proveWritable(real);
    return real;
  } catch (error) {
    throw diskProblem(`DATA_DIR ${path} cannot be used`, error);
  }
}

async function findExisting(entry: string): Promise<{ dir: string; uid: number; gid: number } | null> {
  const found = await lstat(entry).catch(() => null);
  if (found === null) return null;
  const dir = await realpath(entry).catch(async (error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw foreignOwner(entry, error);
    throw new UserError(
      `${entry} links to ${await readlink(entry)}, which is gone: bring that folder back, or delete the link to start with an empty database`,
    );
  });
  const { uid, gid, ...kind } = await stat(dir).then((each) => ({
    uid: each.uid,
    gid: each.gid,
    isDir: each.isDirectory(),
  }));
  if (!kind.isDir) throw new UserError(`${entry} is a file where the database's folder should be: remove it`);
  if (uid !== 0 || !isRoot()) return { dir, uid, gid };
  if ((await readdir(dir)).length > 0) {
    throw new UserError(
      `${entry} belongs to root, as which PostgreSQL does not run: give it to another user (chown -R) or move it away`,
    );
  }
  await rmdir(entry).catch((error: unknown) => {
    throw diskProblem(`the empty folder ${entry} cannot be replaced`, error);
  });
  return null;
}

async function canHost(folder: string, account: Account): Promise<boolean> {
  try {
    const isNew = (await stat(folder).catch(() => null)) === null;
    await makeFolder(folder);
    // Independent of root's umask.
    if (isNew) await chmod(folder, 0o755);
    await proveWritable(folder);
    return await canReach(account, await realpath(folder));
  } catch {
    return false;
  }
}

function noticeOf(dataDir: string, clusterDir: string, account: Account | null): string | null {
  const entry = join(dataDir, 'pg');
  const reason =
    account === null ? '' : `, run by the user \`${account.name}\` because PostgreSQL does not run as root`;
  if (dirname(clusterDir) !== dataDir)
    return `The database is kept in ${clusterDir}${reason}; ${entry} links to it.`;
  return account === null ? null : `The database is kept in ${entry}${reason}.`;
}

const foreignOwner = (entry: string, cause?: unknown): UserError =>
  new UserError(
    `${entry} belongs to another user (perhaps the program once ran as root): run as that user or set DATA_DIR to another folder`,
    { cause },
  );
