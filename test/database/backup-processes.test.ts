import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { runOfferbook, startOfferbook, withFault } from '../support/offerbook-command.ts';
import { makeOwnCluster, type OwnCluster } from '../support/own-cluster.ts';
import { createTestDatabase, databaseUrl, type TestDatabase } from '../support/test-database.ts';
import { until } from './embedded/sandbox.ts';

const manyRows = 200_000;
let folder: string;
let cluster: OwnCluster;
let filled: Promise<TestDatabase> | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-backups-'));
  cluster = await makeOwnCluster();
  await cluster.use(fill);
});

afterAll(async () => {
  await cluster.remove();
  await rm(folder, { recursive: true, force: true });
});

async function fill(sql: Sql): Promise<void> {
  const { id } = await ensureMarket(sql, 'recorded', 'recorded');
  for (const hour of [0, 1, 2]) {
    const offers = Array.from({ length: 1_500 }, (_, index) =>
      makeOffer(index + 1, { listedUsdPerHour: 0.4 + hour / 10, gpuName: index % 2 ? 'RTX 4090' : 'H100' }),
    );
    await landOffers(sql, id, `2026-07-30T0${hour}:00:00Z`, offers.slice(hour * 100));
  }
  await sql`insert into blocklist_entry (id, market_id, kind, machine_id, note, added_at)
    select gen_random_uuid(), ${id}, 'block', g, 'note ' || g, '2026-07-30' from generate_series(1, ${manyRows}) g`;
}

/** The same rows in a database of the tests' server, filled when it is first asked for. */
function onServer(): Promise<TestDatabase> {
  filled ??= createTestDatabase().then(async (made) => {
    await fill(made.sql);
    return made;
  });
  return filled;
}

/** On a busy machine a statement may be slow, of which a warning tells: here only errors count. */
const quiet = { LOG_LEVEL: 'error' };
const embedded = (): Record<string, string> => ({ DATA_DIR: cluster.dataDir, ...quiet });
/** Whether a session of the embedded server copies rows: its title says so. */
const isCopying = async (): Promise<boolean> => {
  const pids = (await cluster.sessions()).join(',');
  // The lookup fails if the process has just ended, which counts as no process.
  const listed = spawnSync('ps', ['-ww', '-o', 'command=', '-p', pids === '' ? '0' : pids], {
    encoding: 'utf8',
  });
  return listed.stdout.includes(' COPY');
};
const parts = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith('.part'));

/** How many rows each table has, and a hash over all of them. */
async function digest(sql: Sql): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }[]>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migration' order by 1`;
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    [found[name]] = await sql.unsafe(
      `select count(*), md5(string_agg(t::text, ',' order by t::text)) as rows from "${name}" t`,
    );
  }
  return found;
}

async function figures(env: Record<string, string>): Promise<string[]> {
  const asked = [['trends', '--gpu-name', 'H100'], ['rank'], ['offers']];
  const range = ['--from', '2026-07-30T00:00:00Z', '--to', '2026-07-30T03:00:00Z', '--bucket', '1h'];
  const answers: string[] = [];
  for (const args of asked) {
    const { code, stdout, stderr } = await runOfferbook(
      [...args, ...(args[0] === 'trends' ? range : []), '--json'],
      env,
    );
    expect([code, stderr], args.join(' ')).toEqual([0, []]);
    answers.push(stdout.replace(/"(dataAgeS?|asOf|ageS)":[^,}]*/g, ''));
  }
  return answers;
}

describe('a database of ordinary size', () => {
  it('is backed up to a slow disk, restored on a server and back, with every figure equal', async () => {
    const first = join(await mkdtemp(join(folder, 'ordinary-')), 'first.gz');
    const made = await runOfferbook(['backup', first, '--json'], {
      ...embedded(),
      ...withFault('slow-disk'),
    });
    expect([made.code, made.stderr]).toEqual([0, []]);
    const { rows, tables } = JSON.parse(made.stdout) as { rows: number; tables: number };
    expect(rows).toBeGreaterThan(manyRows);
    expect((await stat(first)).mode & 0o777).toBe(0o600);
    expect([await readdir(dirname(first)), await cluster.servers()]).toEqual([['first.gz'], []]);
    const text = gunzipSync(readFileSync(first)).toString();
    expect(text.match(/^COPY "/gm)).toHaveLength(tables);
    expect(text.match(/\tnote \d+\t/g)).toHaveLength(manyRows);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^\{"end":true,/);

    const { sql, target } = await createTestDatabase();
    await sql.unsafe(
      'drop schema if exists offerbook_jobs cascade; drop schema public cascade; create schema public',
    );
    const server = { DATABASE_URL: databaseUrl(target), DATA_DIR: join(folder, 'no-data'), ...quiet };
    const there = await runOfferbook(['restore', first, '--json'], server);
    expect([there.code, there.stderr]).toEqual([0, []]);
    expect(JSON.parse(there.stdout)).toMatchObject({ rows, tables });

    // As fast as it goes, where rows come while a piece is compressed.
    const second = join(dirname(first), 'second.gz');
    expect(await runOfferbook(['backup', second], server)).toMatchObject({ code: 0, stderr: [] });
    const home = await makeOwnCluster();
    try {
      const back = await runOfferbook(['restore', second], { DATA_DIR: home.dataDir, ...quiet });
      expect([back.code, back.stderr]).toEqual([0, []]);
      expect(await home.servers()).toEqual([]);
      const original = await cluster.use(digest);
      expect(await digest(sql)).toEqual(original);
      expect(await home.use(digest)).toEqual(original);
      const shown = await figures(embedded());
      expect(shown.join()).toContain('H100');
      expect(await figures(server)).toEqual(shown);
      expect(await figures({ DATA_DIR: home.dataDir, ...quiet })).toEqual(shown);
    } finally {
      await home.remove();
    }
  });
});

describe('a failed backup leaves neither a partial file nor a server, and reports the reason:', () => {
  it('after SIGTERM while it writes', async () => {
    const gate = join(folder, 'never');
    const file = join(folder, 'stopped.gz');
    const { child, ended } = startOfferbook(['backup', file], {
      ...embedded(),
      ...withFault('slow-disk', gate),
    });
    await until(isCopying);
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([1, ['Stopped.']]);
    expect([await parts(), existsSync(file), await cluster.servers()]).toEqual([[], false, []]);
  });

  it('after a second SIGTERM while the database hangs', async () => {
    const gate = join(folder, 'never');
    const { child, ended } = startOfferbook(['backup', join(folder, 'impatient.gz')], {
      ...embedded(),
      ...withFault('slow-disk', gate),
    });
    await until(isCopying);
    const sessions = await cluster.sessions();
    for (const pid of sessions) process.kill(pid, 'SIGSTOP');
    const again = setInterval(() => child.kill('SIGTERM'), 100);
    const { code, stderr } = await ended;
    clearInterval(again);
    expect(code).toBe(1);
    for (const pid of sessions) process.kill(pid, 'SIGCONT');
    expect(stderr).toEqual(['Stopped at once. Stored data is intact.']);
    await until(async () => (await cluster.servers()).length === 0);
    expect(await parts()).toEqual([]);
  });

  it('without space for the file', async () => {
    const { target } = await onServer();
    const file = join(folder, 'big.gz');
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl(target), DATA_DIR: folder };
    // The shell's limit on files, in KB: the disk of one process is full.
    const command = `ulimit -f 256; exec "${process.execPath}" bin/offerbook.mjs backup "${file}" 2>&1; true`;
    const said = execFileSync('sh', ['-c', `(${command}) || echo "code $?"`], { env, encoding: 'utf8' });
    expect(said).toContain(`${file} cannot be written (EFBIG)`);
    expect(said).toContain('code 1');
    expect([await parts(), existsSync(file)]).toEqual([[], false]);
  });

  it('when the database ends its session', async () => {
    const { target, sql } = await onServer();
    const gate = join(folder, 'session-ended');
    const { ended } = startOfferbook(['backup', join(folder, 'lost.gz')], {
      ...{ DATABASE_URL: databaseUrl(target), DATA_DIR: folder },
      ...withFault('slow-disk', gate),
    });
    await until(async () => {
      const gone = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'copy (select%' and pid <> pg_backend_pid()`;
      return gone.length > 0;
    });
    await writeFile(gate, '');
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr.join()).toMatch(/The database does not answer \(.*start it and try again/);
    expect(await parts()).toEqual([]);
  });
});

describe('a backup is only written to a new ordinary file:', () => {
  it('an existing file is only replaced with --force', async () => {
    const env = { ...embedded() };
    const file = join(folder, 'there.gz');
    await writeFile(file, 'precious');
    const refused = await runOfferbook(['backup', file], env);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      [`${file} exists already: choose another name, or replace it with --force.`],
    ]);
    expect(readFileSync(file, 'utf8')).toBe('precious');
    const link = join(folder, 'link.gz');
    await symlink(file, link);
    expect((await runOfferbook(['backup', link], env)).stderr.join()).toContain('exists already');
    expect(await runOfferbook(['backup', link, '--force'], env)).toMatchObject({ code: 0, stderr: [] });
    expect(gunzipSync(readFileSync(file)).toString()).toContain('offerbook-backup');
  });

  it('folders, pipes and devices are refused, even behind a link and with --force', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const [toPipe, toNothing] = [join(folder, 'to-pipe'), join(folder, 'to-nothing')];
    await symlink(pipe, toPipe);
    await symlink(join(folder, 'nothing'), toNothing);
    for (const [place, says] of [
      [folder, /is a folder: give the name of a file in it/],
      [pipe, /is not an ordinary file but a named pipe/],
      [toPipe, /is not an ordinary file but a named pipe/],
      ['/dev/null', /is not an ordinary file but a device/],
      [toNothing, /leads nowhere/],
    ] as const) {
      for (const force of [[], ['--force']]) {
        const env = { DATA_DIR: join(folder, 'never-made') };
        const { code, stderr } = await runOfferbook(['backup', place, ...force], env);
        expect([code, stderr.length]).toEqual([1, 1]);
        expect(stderr[0]).toMatch(says);
      }
    }
    // Refused before a database was made for it.
    expect(existsSync(join(folder, 'never-made'))).toBe(false);
    expect(await parts()).toEqual([]);
  });
});

it('a command that can never continue exits with an error message, and leaves no server', async () => {
  const file = join(folder, 'silent.gz');
  const { code, stderr } = await runOfferbook(['backup', file], {
    ...embedded(),
    ...withFault('deaf-sockets'),
  });
  expect(stderr.join('\n')).toMatch(/`offerbook backup` cannot continue: .*Run it again/);
  expect(code).toBe(1);
  await until(async () => (await cluster.servers()).length === 0);
  expect(await parts()).toEqual([]);
});
