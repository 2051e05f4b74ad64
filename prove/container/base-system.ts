import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** A clean Debian system in a folder, and what removes it with all copies. */
export interface BaseSystem {
  /** Returns the folder of a copy: of Debian alone, or with Node and npm where the official image of Node has them. */
  copy: (withNode: boolean) => Promise<string>;
  remove: () => Promise<void>;
}

/** Makes Debian 12 from its packages, as its image has it. Needs root; fetches mmdebstrap where it is missing. */
export async function makeBaseSystem(): Promise<BaseSystem> {
  if (process.getuid?.() !== 0) throw new Error('Only root can make a system: run this as root.');
  const work = await mkdtemp(join(tmpdir(), 'offerbook-container-'));
  await chmod(work, 0o755);
  const base = join(work, 'debian');
  const program = await findMmdebstrap(work);
  await runFile('perl', [
    ...[program, '--mode=root', '--variant=apt', '--include=ca-certificates', '--skip=cleanup/apt'],
    ...['bookworm', base, 'http://deb.debian.org/debian'],
  ]);
  // What this machine trusts, as an engine is told behind a proxy of its own.
  await cp(authorities, join(base, authorities));
  // As an engine writes it.
  await writeFile(join(base, 'etc/hosts'), '127.0.0.1 localhost\n');
  await cp('/etc/resolv.conf', join(base, 'etc/resolv.conf'));
  let copies = 0;
  return {
    copy: async (withNode) => {
      copies += 1;
      const folder = join(work, `copy-${copies}`);
      await runFile('cp', ['-a', '--reflink=auto', base, folder]);
      if (withNode) await addNode(folder);
      return folder;
    },
    remove: async () => await rm(work, { recursive: true, force: true }),
  };
}

async function findMmdebstrap(work: string): Promise<string> {
  const { stdout } = await runFile('sh', ['-c', 'command -v mmdebstrap || true']);
  if (stdout.trim() !== '') return stdout.trim();
  await runFile(
    'sh',
    ['-c', 'apt-get update -qq && apt-get download -qq mmdebstrap && dpkg -x mmdebstrap_*.deb .'],
    {
      cwd: work,
    },
  );
  return join(work, 'usr/bin/mmdebstrap');
}

/** Adds what `node:24-bookworm-slim` has beyond Debian: Node and npm in /usr/local, and the user node. */
async function addNode(folder: string): Promise<void> {
  const local = join(folder, 'usr/local');
  const node = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  await cp(node, join(local, 'bin/node'));
  const { stdout } = await runFile('sh', ['-c', 'command -v npm']);
  // npm is lib/node_modules/npm/bin/npm-cli.js behind the link.
  const npm = dirname(dirname(await realpath(stdout.trim())));
  await mkdir(join(local, 'lib/node_modules'), { recursive: true });
  await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  await appendFile(join(folder, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n');
  await appendFile(join(folder, 'etc/group'), 'node:x:1000:\n');
}
