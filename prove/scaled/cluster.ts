import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../../src/database/connection.ts';
import { type Account, findServerAccount, isRoot } from '../../src/database/embedded/account.ts';
import { runProgram } from '../../src/database/embedded/run-program.ts';
import { freePort } from '../../test/support/free-port.ts';
import { processesOn } from '../cluster-processes.ts';
import { createKillable, type Killable } from './killable.ts';
import type { Programs } from './programs.ts';

/** A primary, its streaming replica and PgBouncer in front of the primary, on loopback. */
export interface Cluster {
  primary: Killable;
  replica: Killable;
  pgbouncer: Killable;
  urls: { primary: string; replica: string; pgbouncer: string };
}

const settings = [
  ...['listen_addresses=127.0.0.1', 'max_connections=200', 'shared_buffers=256MB', 'jit=off'],
  ...['random_page_cost=1.1', 'wal_keep_size=1GB', 'hot_standby_feedback=on', 'max_wal_size=2GB'],
];

/** Creates and starts all three below `folder`. */
export async function startCluster(folder: string, programs: Programs): Promise<Cluster> {
  const account = isRoot() ? await findServerAccount() : null;
  const places = {
    primary: await newFolder(folder, 'primary', account),
    replica: await newFolder(folder, 'replica', account),
    pgbouncer: await newFolder(folder, 'pgbouncer', account),
  };
  const ports = { primary: await freePort(), replica: await freePort(), pgbouncer: await freePort() };
  const urlOf = (port: number, database = 'offerbook'): string =>
    `postgres://offerbook@127.0.0.1:${port}/${database}`;
  const run = async (name: string, args: string[]): Promise<void> => {
    const { exitCode, stderr } = await runProgram(programs.postgres(name), args, account);
    if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${stderr}`);
  };
  const server = (name: 'primary' | 'replica'): Killable =>
    createKillable(name, {
      command: [
        programs.postgres('postgres'),
        ...['-D', places[name], '-p', String(ports[name]), '-c', `unix_socket_directories=${places[name]}`],
        ...settings.flatMap((setting) => ['-c', setting]),
      ],
      options: { cwd: places[name], ...identityOf(account) },
      isReady: async () => await answers(urlOf(ports[name], 'postgres')),
      isGone: async () => (await processesOn(places[name])).length === 0,
    });
  const primary = server('primary');
  await run('initdb', [
    '-D',
    places.primary,
    '-U',
    'offerbook',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
  ]);
  await primary.start();
  const admin = connect({ url: urlOf(ports.primary, 'postgres') }, { max: 1 });
  await admin.unsafe('create database offerbook');
  await admin.end();
  const from = ['-h', '127.0.0.1', '-p', String(ports.primary), '-U', 'offerbook'];
  await run('pg_basebackup', [...from, '-D', places.replica, '-R', '-X', 'stream', '-c', 'fast']);
  const replica = server('replica');
  await replica.start();
  const config = join(places.pgbouncer, 'pgbouncer.ini');
  await writeFile(config, await bouncerConfig({ ports, folder: places.pgbouncer }));
  const pgbouncer = createKillable('pgbouncer', {
    command: [programs.pgbouncer, config],
    options: { cwd: places.pgbouncer, env: programs.env, ...identityOf(account) },
    isReady: async () => await answers(urlOf(ports.pgbouncer)),
  });
  await pgbouncer.start();
  return {
    ...{ primary, replica, pgbouncer },
    urls: {
      ...{ primary: urlOf(ports.primary), replica: urlOf(ports.replica) },
      pgbouncer: urlOf(ports.pgbouncer),
    },
  };
}

/** The configuration of docs/deploy with other places. */
async function bouncerConfig({
  ports,
  folder,
}: {
  ports: { primary: number; pgbouncer: number };
  folder: string;
}): Promise<string> {
  const documented = await readFile(new URL('../../docs/deploy/pgbouncer.ini', import.meta.url), 'utf8');
  return documented
    .replace(/host=\S+/, `host=127.0.0.1 port=${ports.primary}`)
    .replace(/^listen_addr =.*$/m, 'listen_addr = 127.0.0.1')
    .replace(/^listen_port =.*$/m, `listen_port = ${ports.pgbouncer}`)
    .replace(/^unix_socket_dir =.*$/m, `unix_socket_dir = ${folder}`);
}

async function newFolder(parent: string, name: string, account: Account | null): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { mode: 0o700 });
  if (account !== null) await chown(folder, account.uid, account.gid);
  return folder;
}

const identityOf = (account: Account | null): { uid?: number; gid?: number } =>
  account === null ? {} : { uid: account.uid, gid: account.gid };

async function answers(url: string): Promise<boolean> {
  const sql = connect({ url }, { max: 1, connectSeconds: 2 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 0 });
  }
}
