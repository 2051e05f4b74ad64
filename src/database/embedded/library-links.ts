import { lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode } from './disk-problem.ts';

/** A library's link as the package lists it, relative to the folder that contains `bin` and `lib`. */
interface LibraryLink {
  path: string;
  target: string;
}

/**
 * Returns the links in `pg-symlinks.json` that `folder` lacks: npm packages cannot contain links, and `npm ci
 * --ignore-scripts` skips the script that creates them.
 */
export async function missingLinks(folder: string): Promise<LibraryLink[]> {
  const text = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = (JSON.parse(text) as { source: string; target: string }[]).map(({ source, target }) => ({
    path: relative('native', target),
    target: relative(dirname(target), source),
  }));
  const found = await Promise.all(
    links.map(({ path }) =>
      lstat(join(folder, path)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return links.filter((_, index) => found[index] === false);
}

/** Creates the links in `folder`; ignores one that another process has just created. */
export async function makeLinks(folder: string, links: LibraryLink[]): Promise<void> {
  for (const { path, target } of links) {
    if (basename(path) === basename(target)) continue;
    try {
      await symlink(target, join(folder, path));
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
