import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npm, npmEnv, readPacked } from './npm.ts';

const root = join(import.meta.dirname, '../..');
const runFile = promisify(execFile);
/** nobody and nogroup of every Linux. */
const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The package as a stranger has it: installed into a folder that its user cannot write, and no checkout. */
export interface InstalledProgram {
  /** The user's folder, empty at first. */
  folder: string;
  npmPack: { size: number; files: string[] };
  run: (args: readonly string[], env?: Record<string, string>, stdin?: string) => Promise<CommandEnd>;
  /** Starts the service; `stop` asks it to end. */
  start: (env: Record<string, string>) => { log: () => string; stop: () => Promise<CommandEnd> };
  /** The same as `run` by `npx`, from the tarball. */
  npx: (args: readonly string[]) => Promise<CommandEnd>;
  /** Makes a folder of the user's. */
  plant: (folder: string) => Promise<void>;
  /** Paths of all installed files. */
  files: () => Promise<string[]>;
  remove: () => Promise<void>;
}

/** Packs the checkout and installs the tarball, to be run by this version of Node from the registry. */
export async function installProgram(node: string): Promise<InstalledProgram> {
  const work = await mkdtemp(join(tmpdir(), 'offerbook-package-'));
  await chmod(work, 0o755);
  const [prefix, folder, nodeFolder] = ['prefix', 'user', 'node'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(folder);
  if (ordinary.uid !== undefined) await chown(folder, ordinary.uid, ordinary.gid);
  const nodePackage = `node-${process.platform}-${process.arch}`;
  const [packed] = await Promise.all([
    npm(['pack', '--json', '--loglevel=error', '--pack-destination', work], root),
    npm(
      ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', nodeFolder, `${nodePackage}@${node}`],
      work,
    ),
  ]);
  const { filename, size, files } = readPacked(packed);
  const tarball = join(work, filename);
  await npm(['install', '--global', '--no-audit', '--no-fund', '--prefix', prefix, tarball], work);
  await runFile('chmod', ['-R', 'a-w', prefix]);
  const bin = `${join(nodeFolder, 'node_modules', nodePackage, 'bin')}:${join(prefix, 'bin')}`;
  const registry = (await npm(['config', 'get', 'registry'], work)).trim();
  const userEnv = { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: join(folder, 'home') };
  const begin = (program: string, args: readonly string[], env: NodeJS.ProcessEnv, stdin = '') => {
    const child = spawn(program, args, { cwd: folder, env: { ...userEnv, ...env }, ...ordinary });
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (part: string) => {
        text[name] += part;
      });
    }
    child.stdin.end(stdin);
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...text }));
    return { child, text, ended };
  };
  return {
    folder,
    npmPack: { size, files },
    run: async (args, env = {}, stdin = '') => await begin('offerbook', args, env, stdin).ended,
    start: (env) => {
      const { child, text, ended } = begin('offerbook', ['start'], env);
      return {
        log: () => text.stdout + text.stderr,
        stop: async () => {
          child.kill('SIGTERM');
          return await ended;
        },
      };
    },
    npx: async (args) =>
      await begin('npm', ['exec', '--yes', '--package', tarball, '--', 'offerbook', ...args], {
        ...npmEnv(),
        ...userEnv,
        npm_config_registry: registry,
      }).ended,
    plant: async (path) => {
      await runFile('mkdir', ['-p', path]);
      if (ordinary.uid !== undefined) {
        await runFile('chown', ['-R', `${ordinary.uid}:${ordinary.gid}`, folder]);
      }
    },
    files: async () => (await readdir(prefix, { recursive: true })).sort(),
    remove: async () => {
      await runFile('chmod', ['-R', 'u+w', prefix]);
      await rm(work, { recursive: true, force: true });
    },
  };
}
