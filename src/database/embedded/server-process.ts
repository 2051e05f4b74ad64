import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** What a running server writes into its cluster. */
export interface PidFile {
  pid: number;
  /** Folder of its socket. */
  socketDir: string;
}

/** Reads the cluster's `postmaster.pid`; null if missing or not completely written yet. */
export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  return parsePidFile(await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => ''));
}

/** Returns the pid of the cluster's server without waiting; null if none runs. */
export function findServerNow(clusterDir: string): number | null {
  try {
    const server = parsePidFile(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'));
    if (server === null) return null;
    const isServer =
      process.platform === 'linux'
        ? isCommandOf(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8'), clusterDir)
        : isLineOf(execFileSync('ps', [...psLine, String(server.pid)], { encoding: 'utf8' }), clusterDir);
    return isServer ? server.pid : null;
  } catch {
    return null;
  }
}

function parsePidFile(text: string): PidFile | null {
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const socketDir = lines[4];
  if (!Number.isInteger(pid) || pid <= 1) return null;
  return { pid, socketDir: socketDir ?? '' };
}

/**
 * Whether the process is the server of this cluster, by its command line, and not one that reused the pid of a dead
 * server. A zombie is not.
 */
export async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'linux') {
    return isCommandOf(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''), clusterDir);
  }
  return isLineOf(await commandLine(pid), clusterDir);
}

/** Reads a command line as Linux shows it. */
function isCommandOf(text: string, clusterDir: string): boolean {
  const [program, ...args] = text.split('\0');
  return basename(program ?? '') === 'postgres' && args.includes(clusterDir);
}

/** Reads a command line as `ps` shows it. */
const isLineOf = (line: string, clusterDir: string): boolean =>
  line.includes('postgres') && line.includes(` ${clusterDir} `);

const psLine = ['-ww', '-o', 'command=', '-p'];

async function commandLine(pid: number): Promise<string> {
  return await new Promise((resolve) => {
    execFile('ps', [...psLine, String(pid)], (error, stdout) => {
      resolve(error === null ? stdout : '');
    });
  });
}

/**
 * Returns all PostgreSQL processes of the cluster by their working folder, including sessions of a dead server. Only on
 * Linux; empty elsewhere.
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
