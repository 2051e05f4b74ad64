import { mkdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from './disk-problem.ts';

/**
 * Creates the folder and its parents if missing. Throws the system's error. Not with `recursive: true`, with which Node
 * never returns for a folder below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  try {
    await mkdir(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && (await isFolder(path))) return;
    if (code !== 'ENOENT' || (await isFolder(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

/** Writes and removes a small file in the folder. Throws the system's error if that fails. */
export async function proveWritable(folder: string): Promise<void> {
  const probe = join(folder, `.write-probe-${process.pid}-${performance.now()}`);
  await writeFile(probe, 'x'.repeat(8192));
  await unlink(probe);
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
