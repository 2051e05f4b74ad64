import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { envOf, isInContext, mayHoldContext, type Stage } from '../../test/support/read-dockerfile.ts';

const checkout = join(import.meta.dirname, '../..');

/** Runs a stage's own COPY and RUN lines in a folder; `others` are the folders of earlier stages. */
export async function buildStage(
  stage: Stage,
  folder: string,
  others: ReadonlyMap<string, string>,
): Promise<void> {
  let place = '/';
  for (const { name, args } of stage.instructions) {
    if (name === 'WORKDIR') {
      place = args;
      await mkdir(join(folder, place), { recursive: true });
    }
    if (name === 'COPY') await copyInto(args, { folder, place, others });
    if (name === 'RUN')
      await runIn(folder, ['/bin/sh', '-c', `cd ${place} && ${args}`], { env: envOf(stage) });
  }
}

async function copyInto(
  args: string,
  { folder, place, others }: { folder: string; place: string; others: ReadonlyMap<string, string> },
): Promise<void> {
  const words = args.split(/ +/);
  const [, from] = /^--from=(.+)$/.exec(words[0] ?? '') ?? [];
  const paths = from === undefined ? words : words.slice(1);
  const target = paths.at(-1) ?? '';
  const into = join(folder, target.startsWith('/') ? target : join(place, target));
  for (const source of paths.slice(0, -1)) {
    const origin = from === undefined ? checkout : others.get(from);
    if (origin === undefined) throw new Error(`COPY ${args}: no such stage`);
    const isWanted = (path: string): boolean => {
      const inside = relative(checkout, path);
      return from !== undefined || inside === '' || isInContext(inside) || mayHoldContext(inside);
    };
    const to = /\/$|^\.\/$/.test(target) ? join(into, basename(source)) : into;
    await cp(join(origin, source), to, { recursive: true, filter: isWanted, verbatimSymlinks: true });
  }
}

export interface RunOptions {
  env?: Record<string, string>;
  user?: string;
  /** More mounts, as lines of shell; `$1` is the folder. */
  mounts?: string;
}

/** Returns program and arguments that run a command in a folder as its root, with /proc and without new rights. */
export function commandIn(
  folder: string,
  command: readonly string[],
  { env = {}, user = 'root', mounts = '' }: RunOptions,
) {
  const script = `set -e; mount --bind "$1" "$1"; mount -t proc proc "$1/proc"; ${mounts}
    folder=$1; user=$2; shift 2; exec setpriv --no-new-privs chroot --userspec="$user:$user" "$folder" "$@"`;
  const variables = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: user === 'root' ? '/root' : `/home/${user}`,
    DEBIAN_FRONTEND: 'noninteractive',
    // As an engine passes on what leads to a registry behind a proxy.
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    ...env,
  };
  return {
    program: 'unshare',
    args: ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', folder, user, ...command],
    env: variables,
  };
}

/** Runs a command in a folder to its end; returns what it printed. */
export async function runIn(
  folder: string,
  command: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { program, args, env } = commandIn(folder, command, options);
  const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 1e8 });
  return stdout;
}
