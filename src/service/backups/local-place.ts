import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileSource } from '../../database/backup/backup-source.ts';
import { explained } from '../../exports/lake/local-store.ts';
import { writeWholeFile } from '../commands/whole-file.ts';
import { type BackupPlace, isPart } from './backup-place.ts';

/** Opens a folder of this machine, made with the first backup. */
export function openLocalPlace(root: string, signal: AbortSignal): BackupPlace {
  const remove = async (name: string): Promise<void> =>
    await explained(root, () => rm(join(root, name), { force: true }));
  const files: BackupPlace['files'] = async function* () {
    for (const path of await explained(root, () => unlessMissing(readdir(root), []))) {
      const found = await unlessMissing(stat(join(root, path)), null);
      if (found?.isFile() === true) yield { path, bytes: found.size };
    }
  };
  return {
    place: root,
    files,
    write: async (name, fill) => {
      await explained(root, () => mkdir(root, { recursive: true, mode: 0o700 }));
      return await writeWholeFile(join(root, name), { replace: false, mode: 0o600, signal }, fill);
    },
    source: ({ name }, key) => fileSource(join(root, name), key),
    remove,
    clear: async () => {
      for await (const { path } of files()) if (isPart(path)) await remove(path);
    },
  };
}

async function unlessMissing<T, U>(work: Promise<T>, missing: U): Promise<T | U> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
}
