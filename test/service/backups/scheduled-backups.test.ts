import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/database/connection.ts';
import { type JobQueue, openJobQueue } from '../../../src/jobs/job-queue.ts';
import { createOutageLog } from '../../../src/jobs/outage-log.ts';
import { createScheduler } from '../../../src/jobs/scheduler.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { examineBackups } from '../../../src/service/backups/backup-finding.ts';
import { backupSchedules, createBackupHandler } from '../../../src/service/backups/backup-work.ts';
import { readKeepRule } from '../../../src/service/backups/keep-rule.ts';
import { openLocalPlace } from '../../../src/service/backups/local-place.ts';
import { makeScratch } from '../../../src/service/backups/scratch-database.sql.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { until } from '../../database/embedded/sandbox.ts';
import { createLimitedRole } from '../../support/limited-role.ts';
import { startOfferbook, withFault } from '../../support/offerbook-command.ts';
import { createTestContext, runInProcess } from '../../support/run-in-process.ts';
import { silentLog } from '../../support/silent-log.ts';
import { databaseUrl } from '../../support/test-database.ts';
import { backUp, createEmptyDatabase, createFilledDatabase } from './made-database.ts';

const database = await createFilledDatabase(3_000);
const { sql, target } = database;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-backups-'));
});

afterEach(async () => {
  await sql`delete from backup`;
  await rm(folder, { recursive: true, force: true });
});

const files = async (): Promise<string[]> => (await readdir(folder)).sort();
const attempts = (): Promise<{ outcome: string; checked: string | null; reason: string | null }[]> =>
  sql<{ outcome: string; checked: string | null; reason: string | null }[]>`
    select outcome, checked, reason from backup order by id`;
const scratches = async (): Promise<number> =>
  (
    await sql`select from pg_database where datname = 'offerbook_backup_check_' || (
    select oid from pg_database where datname = current_database())`
  ).length;
const settings = (more: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: databaseUrl(target),
  DATA_DIR: join(folder, 'data'),
  BACKUP_TO: folder,
  ...more,
});
/** What the doctor says at a moment. */
const examined = async (at: string, more: Record<string, string> = {}) => {
  const context = createTestContext(loadConfig(settings(more)), { code: 0, stdout: '', notes: [] });
  return await examineBackups(context, new Date(at));
};
const run = (args: readonly string[], more: Record<string, string> = {}) =>
  runInProcess(args, loadConfig(settings(more)));

it('a tick becomes one verified backup, whichever of two processes makes it, and old ones go after it', async () => {
  const outdated = 'offerbook-20250101T000000Z.backup.gz';
  for (const name of [outdated, `${outdated}.read`, 'notes.txt']) await writeFile(join(folder, name), 'x');
  const config = loadConfig(settings({ BACKUPS: '30 2 * * *', BACKUP_KEEP: '1d' }));
  const now = (): Date => new Date('2026-07-30T02:30:05Z');
  const runtime = { sql, target, config, log: silentLog, now };
  const outages = createOutageLog(silentLog, now);
  const queues: JobQueue[] = [];
  for (const supervise of [true, false]) {
    const queue = await openJobQueue({ target, log: silentLog, supervise });
    queues.push(queue);
    const handle = createBackupHandler(runtime);
    const slots = [{ queue: 'make-backup' as const, handle, together: 1, minPriority: null }];
    const worker = startWorker({ sql, queue, outages, slots });
    const schedules = async () => backupSchedules({ sql, config });
    const scheduler = createScheduler({
      ...{ sql, queue, now, log: silentLog, outages, schedules },
      onAdded: () => {},
    });
    onTestFinished(async () => {
      await scheduler.stop();
      await worker.stop();
      await queue.stop();
    });
  }
  await until(async () => (await attempts()).length > 0);
  await until(async () => (await sql`select from offerbook_jobs.job where state = 'active'`).length === 0);
  expect(await attempts()).toEqual([{ outcome: 'good', checked: 'restored', reason: null }]);
  const name = 'offerbook-20260730T023005Z.backup.gz';
  expect(await files()).toEqual(['notes.txt', name, `${name}.restored`]);
  expect(await scratches()).toBe(0);
  const on = { BACKUPS: '30 2 * * *' };
  expect(await examined('2026-07-30T05:30:05Z', on)).toMatchObject([
    {
      status: 'ok',
      message: expect.stringMatching(/^last good one .*\(3 h ago\), .*verified by a restore$/),
    },
  ]);
  expect(await examined('2026-07-31T05:00:00Z', on)).toMatchObject([
    { status: 'warning', message: expect.stringMatching(/\(overdue\)$/) },
  ]);
  const listed = JSON.parse((await run(['backup', 'list', '--json'])).stdout) as { backups: object[] };
  expect(listed.backups).toMatchObject([{ name, check: 'restored', isEncrypted: false }]);
  expect((await run(['backup', 'list'])).stdout).toMatch(/2026-07-30 02:30 UTC.*kB.*restored/);
});

it('an encrypted one is restored by name with --into and its key, and refused without it or with another', async () => {
  const key = { BACKUP_KEY: 'the-key-of-these-backups' };
  const made = await run(['backup', 'run', '--json'], key);
  expect([made.code, made.notes]).toEqual([0, []]);
  const { name, rows, checked } = JSON.parse(made.stdout) as { name: string; rows: number; checked: string };
  expect([name.endsWith('.backup.gz.encrypted'), checked]).toEqual([true, 'restored']);
  expect((await readFile(join(folder, name))).subarray(0, 9).toString()).toBe('offerbook');
  const empty = await createEmptyDatabase();
  const restore = ['restore', 'latest', '--into', empty.url];
  const [none, wrong] = [await run(restore), await run(restore, { BACKUP_KEY: 'another-key-of-backups' })];
  expect([none.code, none.notes.join()]).toEqual([1, expect.stringMatching(/is encrypted, and BACKUP_KEY/)]);
  expect([wrong.code, wrong.notes.join()]).toEqual([1, expect.stringMatching(/with another key/)]);
  expect(await empty.sql`select from pg_class where relname = 'market'`).toHaveLength(0);
  const good = await run(['restore', name, '--into', empty.url], key);
  expect([good.code, good.stdout]).toEqual([0, expect.stringMatching(`^${rows} rows of `)]);
  expect(good.stdout).toContain('the files `token` and `secrets-key` of the old DATA_DIR');
  expect(await empty.sql`select from blocklist_entry`).toHaveLength(3_000);

  const file = join(folder, 'one.gz');
  const refused = await run(['backup', file, '--encrypt']);
  expect([refused.code, refused.notes.join()]).toEqual([2, expect.stringMatching(/needs BACKUP_KEY/)]);
  expect((await run(['backup', file, '--encrypt'], key)).stdout).toContain(
    `Not verified yet: \`offerbook backup verify ${file}\` reads it through.`,
  );
  const verified = JSON.parse((await run(['backup', 'verify', 'latest', '--json'], key)).stdout) as object;
  expect(verified).toMatchObject({ rows, checked: 'read', tables: expect.any(Number) });
  expect((await run(['backup', 'verify', file], key)).stdout).toMatch(
    /one\.gz is whole and unchanged: \d+ rows of \d+ tables, as of 20.*UTC\. It was read through/,
  );
  const cut = join(folder, 'cut.gz');
  await writeFile(cut, (await readFile(file)).subarray(0, -100));
  expect((await run(['backup', 'verify', cut], key)).code).toBe(1);
  expect((await run(['restore', file, '--into', empty.url], key)).notes.join()).toMatch(/is not empty/);
  await run(['backup', file, '--no-encrypt', '--force'], key);
  expect((await readFile(file)).readUInt16BE(0)).toBe(0x1f8b);
});

it('without the right to make databases it is read through, and says so', async () => {
  const limited = await createLimitedRole(sql, 20);
  const own = connect(limited, { max: 2 });
  onTestFinished(() => own.end());
  await own`select 1`;
  const { attempt } = await backUp({ sql: own, target: limited }, '2026-07-30T03:00:00Z', { folder });
  expect(attempt).toMatchObject({
    outcome: 'good',
    checked: 'read',
    reason: expect.stringMatching(/^not restored: the role limited_\w+ may not create databases$/),
  });
  expect((await files())[1]).toBe('offerbook-20260730T030000Z.backup.gz.read');
  const off = { keep: null, key: null, check: 'off' as const };
  const { attempt: unchecked } = await backUp(database, '2026-07-30T04:00:00Z', { folder, settings: off });
  expect([unchecked.checked, (await files()).length]).toEqual([null, 3]);
});

it('one that is not what was written is removed, and no old one with it', async () => {
  const place = openLocalPlace(folder, new AbortController().signal);
  const settings = { keep: readKeepRule('1d'), key: null, check: 'restore' as const };
  await backUp(database, '2026-07-28T03:00:00Z', { place, settings: { ...settings, check: 'off' } });
  const before = await files();
  const damaging: typeof place = {
    ...place,
    write: async (name, fill) => {
      const filled = await place.write(name, fill);
      if (!name.endsWith('.gz')) return filled;
      const bytes = await readFile(join(folder, name));
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 2_000) ^ 255, bytes.length - 2_000);
      await writeFile(join(folder, name), bytes);
      return filled;
    },
  };
  await expect(backUp(database, '2026-07-30T03:00:00Z', { place: damaging, settings })).rejects.toThrow(
    /is damaged/,
  );
  expect(await files()).toEqual(before);
  // Rows that are missing in the restored database, though the file is as it was written.
  const forgetful: typeof place = {
    ...place,
    write: async (name, fill) => {
      const filled = await place.write(name, fill);
      const { rowsOf } = (filled ?? {}) as { rowsOf?: Map<string, number> };
      rowsOf?.set('market', (rowsOf.get('market') ?? 0) + 1);
      return filled;
    },
  };
  await expect(backUp(database, '2026-07-30T04:00:00Z', { place: forgetful, settings })).rejects.toThrow(
    /market had 1 rows, not 2/,
  );
  expect([await files(), await scratches()]).toEqual([before, 0]);
  expect((await attempts()).map(({ outcome }) => outcome)).toEqual(['good', 'failed', 'failed']);
});

it('two at once come one after the other', async () => {
  const order: string[] = [];
  const place = openLocalPlace(folder, new AbortController().signal);
  const noted: typeof place = {
    ...place,
    write: async (name, fill) => {
      order.push(`begin ${name.slice(10, 25)}`);
      const filled = await place.write(name, fill);
      order.push(`end ${name.slice(10, 25)}`);
      return filled;
    },
  };
  const settings = { keep: null, key: null, check: 'off' as const };
  await Promise.all(
    ['2026-07-30T05:00:00Z', '2026-07-30T06:00:00Z'].map((at) =>
      backUp(database, at, { place: noted, settings }),
    ),
  );
  expect(order.map((line) => line.split(' ')[0])).toEqual(['begin', 'end', 'begin', 'end']);
});

it('a killed one leaves nothing that looks good, and the next one clears up after it', async () => {
  await makeScratch(sql, target);
  const { child, ended } = startOfferbook(['backup', 'run'], {
    ...settings(),
    ...withFault('slow-disk', join(folder, 'never')),
  });
  await until(async () => (await files()).some((name) => name.endsWith('.part')));
  await until(async () => (await scratches()) === 0);
  child.kill('SIGKILL');
  await ended;
  expect(JSON.parse((await run(['backup', 'list', '--json'])).stdout).backups).toEqual([]);
  await makeScratch(sql, target);
  const { code } = await run(['backup', 'run']);
  expect([code, (await files()).length, await scratches()]).toEqual([0, 2, 0]);
  expect(await attempts()).toMatchObject([{ outcome: 'good', checked: 'restored' }]);
});

it('one that finds the disk full leaves nothing, and says why', async () => {
  const env = { PATH: process.env.PATH ?? '', ...settings({ BACKUP_TO: join(folder, 'to') }) };
  await mkdir(join(folder, 'to'));
  // The shell's limit on files, in KB: the disk of one process is full.
  const command = `ulimit -f 32; exec "${process.execPath}" bin/offerbook.mjs backup run 2>&1`;
  const said = execFileSync('sh', ['-c', `(${command}) || echo "code $?"`], { env, encoding: 'utf8' });
  expect(said).toMatch(/cannot be written \(EFBIG\)[\s\S]*code 1/);
  expect(await readdir(join(folder, 'to'))).toEqual([]);
  expect(await attempts()).toMatchObject([{ outcome: 'failed', reason: expect.stringMatching(/EFBIG/) }]);
  expect(await examined('2026-07-31T05:00:00Z')).toMatchObject([
    {
      status: 'warning',
      message: expect.stringMatching(/^BACKUPS is off; no good backup yet; failed .*EFBIG/),
    },
  ]);
});
