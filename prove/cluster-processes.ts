import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

interface Process {
  pid: number;
  parent: number;
  arguments: string[];
  /** null if the system does not show it. */
  folder: string | null;
}

/** Returns pids of the servers (not sessions) on the cluster now, from the system's process table. */
export async function serversOn(clusterDir: string): Promise<number[]> {
  const all = await listProcesses();
  const servers = all.filter(
    ({ arguments: [program, ...rest] }) =>
      basename(program ?? '') === 'postgres' && rest.includes(clusterDir),
  );
  // A new session is a copy of its server for a moment.
  const pids = new Set(servers.map(({ pid }) => pid));
  return servers.filter(({ parent }) => !pids.has(parent)).map(({ pid }) => pid);
}

/** Returns pids of everything that works on the cluster or names it: servers, sessions, initdb. */
export async function processesOn(clusterDir: string): Promise<number[]> {
  return (await listProcesses())
    .filter(
      (each) =>
        each.pid !== process.pid &&
        (each.folder?.startsWith(clusterDir) || each.arguments.some((text) => text.includes(clusterDir))),
    )
    .map(({ pid }) => pid);
}

async function listProcesses(): Promise<Process[]> {
  if (process.platform !== 'linux') return await listByPs();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (stat === null || line === '') return [];
      const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
      // The name in parentheses may itself contain spaces and parentheses.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid: Number(pid), parent, arguments: line.split('\0'), folder }];
    }),
  );
  return read.flat();
}

async function listByPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,command=']);
  return stdout.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (found === null) return [];
    return [
      {
        pid: Number(found[1]),
        parent: Number(found[2]),
        arguments: (found[3] ?? '').split(' '),
        folder: null,
      },
    ];
  });
}
