import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** What a running server writes into its cluster. */
export interface PidFile {
  pid: number;
  /** Folder of its socket. */
  socketDir: string;
}

/** The cluster's `postmaster.pid`; null when there is none or it is not wholly written yet. */
export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const socketDir = lines[4];
  if (!Number.isInteger(pid) || pid <= 1) return null;
  return { pid, socketDir: socketDir ?? '' };
}

/**
 * Whether the process is the server of that very cluster, by its command line, and not one that was given
 * the pid of a dead server. A zombie is not.
 */
export async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const [program, ...args] = text.split('\0');
    return basename(program ?? '') === 'postgres' && args.includes(clusterDir);
  }
  const line = await commandLine(pid);
  return line.includes('postgres') && line.includes(` ${clusterDir} `);
}

async function commandLine(pid: number): Promise<string> {
  return await new Promise((resolve) => {
    execFile('ps', ['-ww', '-o', 'command=', '-p', String(pid)], (error, stdout) => {
      resolve(error === null ? stdout : '');
    });
  });
}

/**
 * All PostgreSQL processes that work in the cluster, sessions of a dead server included; their working
 * folder tells. Only on Linux, where the system shows it; empty elsewhere.
 */
export async function processesIn(clusterDir: string): Promise<number[]> {
  const names = process.platform === 'linux' ? await readdir('/proc') : [];
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (const pid of pids) {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    if (folder !== clusterDir) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (/^(\S*\/)?postgres[\0: ]/.test(line)) found.push(pid);
  }
  return found;
}
