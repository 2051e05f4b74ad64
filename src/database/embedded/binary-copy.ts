import { chmod, constants, cp, lstat, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { createLockFile, waitForLock } from './file-lock.ts';
import { makeLinks, missingLinks } from './library-links.ts';

/**
 * Copies the binaries in `source` to the folder `copy`, readable by everybody and with all links, unless a complete
 * copy exists. The copy appears in one step, however many processes copy at once.
 */
export async function copyBinaries(source: string, copy: string, log: Log): Promise<void> {
  if (await isWhole(source, copy)) return;
  // Several clusters share one copy, and each has its own start lock.
  const lock = `${copy}.lock`;
  createLockFile(lock, null);
  const release = await waitForLock(lock, {
    timeoutMs: 300_000,
    noticeAfterMs: 5000,
    onWait: () => log.info({ copy }, 'waiting for another process that copies PostgreSQL'),
  });
  if (release === null) {
    throw new UserError(
      `another process has been copying PostgreSQL to ${copy} for 5 minutes: end it, then start again`,
    );
  }
  try {
    if (!(await isWhole(source, copy))) await replaceCopy(source, copy, log);
  } finally {
    release();
  }
}

async function replaceCopy(source: string, copy: string, log: Log): Promise<void> {
  log.info({ copy }, 'copying PostgreSQL');
  // A power failure can truncate files shortly after the rename.
  await rm(copy, { recursive: true, force: true });
  const parent = dirname(copy);
  const prefix = `.${basename(copy)}-`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true });
  }
  const fresh = await mkdtemp(join(parent, prefix));
  try {
    await cp(source, fresh, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !path.endsWith('.a'),
    });
    await makeLinks(fresh, await missingLinks(fresh));
    await openToAll(fresh);
    await rename(fresh, copy);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function isWhole(source: string, copy: string): Promise<boolean> {
  for (const folder of ['bin', 'lib']) {
    for (const entry of await readdir(join(source, folder), { withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('.a')) continue;
      const [wanted, found] = await Promise.all(
        [source, copy].map((base) =>
          stat(join(base, folder, entry.name)).then(
            ({ size }) => size,
            () => null,
          ),
        ),
      );
      if (wanted !== found) return false;
    }
  }
  return (await missingLinks(copy)).length === 0;
}

// With a strict umask, npm leaves files that the server's account cannot read.
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) {
      const executable = (await lstat(path)).mode & 0o111 || folder.endsWith('/bin');
      await chmod(path, executable ? 0o755 : 0o644);
    }
  }
}
