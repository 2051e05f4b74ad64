import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const minFreeBytes = 4 * 2 ** 30;

/**
 * The parent folder of databases that may be lost: in memory where there is room and programs may run, because each has
 * hundreds of files, which take a disk many times as long; else the folder of temporary files.
 */
async function quickFolder(): Promise<string> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  if (!/^\S+ \/dev\/shm tmpfs rw(?!\S*\bnoexec\b)/m.test(mounts)) return tmpdir();
  const { bavail, bsize } = await statfs(memory);
  const isRoomy = Math.min(bavail * bsize, process.availableMemory()) >= minFreeBytes;
  return isRoomy ? memory : tmpdir();
}

/** Makes a folder there, and first removes those that killed processes have left in memory. */
export async function makeQuickFolder(name: string): Promise<string> {
  const left = existsSync(memory) ? await readdir(memory) : [];
  for (const entry of left) {
    const [, made, pid] = /^(.+)-(\d+)-\w+$/.exec(entry) ?? [];
    if (made !== name || existsSync(`/proc/${pid}`)) continue;
    const path = join(memory, entry);
    // A container that shares this memory has processes of its own; another user's folders stay.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 3_600_000) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
  return await mkdtemp(join(await quickFolder(), `${name}-${process.pid}-`));
}
