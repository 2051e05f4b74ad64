import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { changedMeanwhile, type LakeStore } from './lake-store.ts';
import { manifestPath } from './manifest.ts';

/** Opens a folder as the place of a lake, made if it is missing. Throws a UserError for one that cannot be used. */
export async function openLocalStore(root: string): Promise<LakeStore> {
  const at = (path: string): string => join(root, path);
  /** Folders whose list of names is not on disk yet. */
  const touched = new Set<string>();
  await explained(root, () => mkdir(root, { recursive: true }));

  const write = async (path: string, bytes: Buffer): Promise<void> => {
    const folder = dirname(at(path));
    // Not named `….parquet` before it is whole: readers look for that ending.
    const part = `${folder}${sep}.${path.split('/').at(-1)}.tmp`;
    await mkdir(folder, { recursive: true });
    const file = await open(part, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
      await file.close();
      await rename(part, at(path));
    } catch (error) {
      await file.close().catch(() => {});
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
    for (const above of foldersAbove(root, path)) touched.add(above);
  };
  const syncFolders = async (): Promise<void> => {
    for (const folder of touched) {
      const handle = await open(folder);
      await handle.sync().finally(() => handle.close());
    }
    touched.clear();
  };
  const readManifest = async (): Promise<{ text: string; tag: string } | null> => {
    const text = await unlessMissing(readFile(at(manifestPath), 'utf8'));
    return text === null ? null : { text, tag: tagOf(text) };
  };

  return {
    place: root,
    readManifest: () => explained(root, readManifest),
    replaceManifest: (text, tag) =>
      explained(root, async () => {
        await syncFolders();
        const present = await readManifest();
        if ((present?.tag ?? null) !== tag) throw new UserError(changedMeanwhile(root));
        await write(manifestPath, Buffer.from(text));
        await syncFolders();
        return tagOf(text);
      }),
    write: (path, bytes) => explained(root, () => write(path, bytes)),
    list: async function* (folder) {
      const entries = await explained(root, () =>
        unlessMissing(readdir(at(folder), { withFileTypes: true, recursive: true })),
      );
      for (const entry of entries ?? []) {
        if (!entry.isFile()) continue;
        const whole = join(entry.parentPath, entry.name);
        const seen = await unlessMissing(stat(whole));
        if (seen === null) continue;
        const path = relative(root, whole).split(sep).join('/');
        yield { path, bytes: seen.size, writtenAt: seen.mtime };
      }
    },
    remove: (path) =>
      explained(root, async () => {
        await rm(at(path), { force: true });
        // Fails while the day has another file.
        await rmdir(dirname(at(path))).catch(() => {});
      }),
  };
}

/** Returns the folders of a file, from the root of its place to its own. */
export function foldersAbove(root: string, path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return [root, ...names.map((_, at) => join(root, ...names.slice(0, at + 1)))];
}

const tagOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const reasons: Record<string, string> = {
  ENOSPC: 'its disk is full. Free space there and run it again',
  EDQUOT: 'the quota of its disk is used up. Free space there and run it again',
  EACCES: 'you may not write there. Choose another place',
  EPERM: 'you may not write there. Choose another place',
  EROFS: 'its disk is read-only. Choose another place',
  ENOTDIR: 'a part of the path is a file. Choose another place',
  EEXIST: 'it is a file. Choose a folder',
};

/** Runs work on a folder; explains what the system refuses. */
export async function explained<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (cause instanceof UserError || syscall === undefined) throw cause;
    const reason = reasons[code ?? ''] ?? 'the system refuses it. Choose another place';
    throw new UserError(`${root} cannot be used (${code}): ${reason}. What it held stays as it was.`, {
      cause,
    });
  }
}
