import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { loadConfig } from '../../src/service/config.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { runOfferbook } from '../support/offerbook-command.ts';
import { type InProcessEnd, runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

let folder: string;
let sql: Sql;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-watch-'));
  const database = await createTestDatabase();
  ({ sql } = database);
  env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data'), TZ: 'Europe/Berlin' };
  env.SECRETS_KEY = 'a-key-of-the-tests';
  const { id } = await ensureMarket(sql, 'simulator', 'simulated');
  const offers = ['RTX 4090', 'RTX 5090'].map((gpuName, index) => makeOffer(index + 1, { gpuName }));
  await landOffers(sql, id, '2026-07-30T00:00:00Z', offers);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const offerbook = (...args: string[]): Promise<InProcessEnd> => runInProcess(args, loadConfig(env));
const answerOf = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, notes } = await offerbook(...args, '--json');
  expect([code, notes]).toEqual([0, []]);
  return JSON.parse(stdout) as T;
};
const run = (...args: string[]): Promise<InProcessEnd> => offerbook('watch', ...args);
const json = (...args: string[]): Promise<Watch> => answerOf<Watch>('watch', ...args);

describe('offerbook watch', () => {
  it('adds, lists, shows, edits and deletes a watch, by name or id', async () => {
    const watch = await json(
      ...['add', '--name', 'two cards', '--filter', 'gpuName=RTX 4090', 'gpuName=RTX 5090', 'numGpus=2'],
      ...[
        'minReliability=0.98',
        '--profile',
        'downGb=50',
        '--rank-by',
        'allInUsdPerHour',
        '--cron',
        '5 * * * *',
      ],
    );
    expect(watch).toEqual({
      id: expect.any(String),
      ...{ market: 'simulator', markets: ['simulator'] },
      name: 'two cards',
      filters: { gpuName: ['RTX 4090', 'RTX 5090'], numGpus: [2], minReliability: 0.98 },
      profile: { storageGb: 8, downGb: 50, upGb: 0, runningHours: 720, stoppedHours: 0 },
      rankBy: 'allInUsdPerHour',
      top: 10,
      schedule: { cron: '5 * * * *', timeZone: 'Europe/Berlin' },
      channelIds: [],
      reportSchedule: null,
    });
    const listed = await run('list');
    expect(listed.stdout).toMatch(
      /^Id +Name +Models +Crawl schedule *\n.* two cards +RTX 4090, RTX 5090 +5 \* \* \* \* Europe\/Berlin/,
    );
    const edited = await json(
      ...['edit', 'two cards', '--filter', 'gpuName=RTX 5090', 'country=DE', '--clear', 'minReliability'],
      ...['--top', '3', '--time-zone', 'UTC', '--name', 'one card'],
    );
    expect(edited).toEqual({
      ...watch,
      name: 'one card',
      filters: { gpuName: ['RTX 5090'], numGpus: [2], country: ['DE'] },
      top: 3,
      schedule: { cron: '5 * * * *', timeZone: 'UTC' },
    });
    expect(await json('show', watch.id)).toEqual(edited);
    expect((await run('show', 'one card')).stdout).toMatch(
      /^Filters +(?=.*country=DE)(?=.*gpuName=RTX 5090)(?=.*numGpus=2).*$/m,
    );
    expect((await run('remove', 'one card')).code).toBe(0);
    expect(await sql`select from watch`).toHaveLength(0);
  });

  it('belongs to the named market, and its name is free in others', async () => {
    await ensureMarket(sql, 'other.example', 'live');
    const there = await json(
      'add',
      '--name',
      'the same',
      '--market',
      'other.example',
      '--filter',
      'gpuName=H100',
    );
    const here = await json('add', '--name', 'the same');
    expect([there.market, here.market]).toEqual(['other.example', 'simulator']);
    const there2 = await json('edit', 'the same', '--market', 'other.example', '--top', '4');
    expect([there2.id, there2.top]).toEqual([there.id, 4]);
    expect((await json('show', 'the same')).id).toBe(here.id);
    expect((await run('remove', 'the same', '--market', 'other.example')).code).toBe(0);
    expect((await run('remove', 'the same')).code).toBe(0);
    expect(await sql`select from watch`).toHaveLength(0);
  });

  it('names all problems, exits with 2 and stores nothing', async () => {
    const wrong = await runOfferbook(
      [
        ...['watch', 'add', '--name', 'n', '--filter', 'gpuName=RTX 4090', 'gpu=x', 'minVramGb=much'],
        ...['--top', 'ten', '--cron', 'daily'],
      ],
      env,
    );
    expect(wrong.code).toBe(2);
    expect(wrong.stderr[0]?.split(/; |(?<=[?]) /).sort()).toEqual([
      expect.stringMatching(/^--cron must be a cron expression/),
      '--top must be a number',
      'Unknown field `filters.gpu`. Did you mean `filters.gpuName`?',
      '`filters.minVramGb` must be a number',
    ]);
    const model = await run('add', '--name', 'n', '--filter', 'gpuName=rtx 4090');
    expect([model.code, model.notes[0]]).toEqual([
      2,
      expect.stringMatching(/"rtx 4090".*Did you mean "RTX 4090"/),
    ]);
    expect((await run('add', '--name', 'n', '--filter', 'numGpus')).code).toBe(2);
    expect((await run('add')).code).toBe(2);
    expect(await sql`select from watch`).toHaveLength(0);
  });

  it('exits with 1 for a taken name, and with 2 for an unknown watch or market', async () => {
    await json('add', '--name', 'taken');
    const again = await run('add', '--name', 'taken');
    expect([again.code, again.notes]).toEqual([1, [expect.stringMatching(/"taken": choose another/)]]);
    const missing = await run('show', 'nothing');
    expect([missing.code, missing.notes]).toEqual([
      2,
      ['There is no watch nothing: `offerbook watch list` shows all.'],
    ]);
    const market = await run('list', '--market', 'nowhere');
    expect([market.code, market.notes]).toEqual([
      2,
      ['Unknown market "nowhere". Known: other.example, simulator.'],
    ]);
    expect((await run('edit', 'taken', '--clear', 'minReliabilty')).code).toBe(2);
  });

  it('shows which channels its reports go to, and when', async () => {
    const { id } = await answerOf<{ id: string }>('channel', 'add', '--kind', 'file', '--name', 'kept');
    const watch = await json('add', '--name', 'told of', '--channel', 'kept', '--cron', '5 * * * *');
    const hourly = { cron: '5 * * * *', timeZone: 'Europe/Berlin' };
    expect(watch).toMatchObject({ channelIds: [id], reportSchedule: hourly });
    const daily = await json(
      'edit',
      'told of',
      '--report-cron',
      '30 7 * * *',
      '--report-time-zone',
      'Asia/Tokyo',
    );
    expect(daily).toMatchObject({
      ...{
        channelIds: [id],
        schedule: hourly,
        reportSchedule: { cron: '30 7 * * *', timeZone: 'Asia/Tokyo' },
      },
    });
    const shown = (await run('show', 'told of')).stdout;
    expect(shown).toMatch(/^Channels +kept *\n^Report +30 7 \* \* \* Asia\/Tokyo/m);
    expect(await json('edit', 'told of', '--no-channel', '--no-report')).toMatchObject({
      ...{ channelIds: [], reportSchedule: null },
    });
    const unknown = await run('edit', 'told of', '--channel', 'nowhere');
    expect([unknown.code, unknown.notes]).toEqual([
      ...[2, ['There is no channel nowhere: `offerbook channel list` shows all.']],
    ]);
    await offerbook('channel', 'remove', 'kept');
    expect((await run('remove', 'told of')).code).toBe(0);
  });
});

describe('offerbook channel, report and rule', () => {
  it('say that a command on the database mails by its own settings, when a channel is added and tested', async () => {
    const words =
      /: set the environment variable SMTP_URL .*restart it\. .* this command, .* or OFFERBOOK_URL and OFFERBOOK_TOKEN/;
    const mail = ['--kind', 'email', '--name', 'mail', '--config', 'to=ada@example.com'];
    const added = await offerbook('channel', 'add', ...mail);
    expect([added.code, added.notes]).toEqual([0, [expect.stringMatching(words)]]);
    const tested = await offerbook('channel', 'test', 'mail');
    expect([tested.code, tested.stdout]).toEqual([1, expect.stringMatching(words)]);
    expect(tested.stdout).toMatch(/^It did not arrive: .*[^.]\.\n$/);
    await json('add', '--name', 'mailed', '--channel', 'mail');
    const sent = await offerbook('report', 'mailed', '--send');
    expect([sent.code, sent.stdout]).toEqual([0, 'The report goes to 1 channel.\n']);
    expect(sent.notes).toEqual([
      expect.stringMatching(/^mail: it waits for the running service to send it\. /),
    ]);
    expect(sent.notes[0]).toMatch(words);
    const deliveries = async () =>
      (
        await answerOf<{ deliveries: { id: string; state: string; attempts: number }[] }>(
          'channel',
          'deliveries',
        )
      ).deliveries;
    expect(await deliveries()).toMatchObject([{ state: 'queued', attempts: 0 }]);
    // With the setting it tries all that waits, and says in words what did not arrive.
    env.SMTP_URL = 'smtp://127.0.0.1:1';
    onTestFinished(() => {
      delete env.SMTP_URL;
    });
    const tried = await offerbook('report', 'mailed', '--send');
    expect([tried.code, tried.notes.length]).toEqual([0, 1]);
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([0, 1]);
    await run('remove', 'mailed');
    await offerbook('channel', 'remove', 'mail');
  });

  it('say in words why a message did not arrive, once it is sent and again as it is sent again', async () => {
    const hook = ['--kind', 'webhook', '--name', 'hook', '--config', 'url=https://1.1.1.1/hook'];
    expect(await offerbook('channel', 'add', ...hook)).toMatchObject({ code: 0, notes: [] });
    await json('add', '--name', 'hooked', '--channel', 'hook');
    const own = { ...env };
    env.SECRETS_KEY = 'another-key-of-the-tests';
    const waiting = await offerbook('report', 'hooked', '--send');
    env = own;
    expect([waiting.code, waiting.notes]).toEqual([
      0,
      ['hook: it waits for the running service to send it.'],
    ]);
    await sql`delete from delivery`;
    await sql`update channel set off_reason = 'the receiver is gone' where name = 'hook'`;
    const why = [expect.stringMatching(/^hook: refused: it is off: the receiver is gone$/)];
    const sent = await offerbook('report', 'hooked', '--send');
    expect([sent.code, sent.notes]).toEqual([1, why]);
    const { deliveries } = await answerOf<{ deliveries: { id: string }[] }>('channel', 'deliveries');
    const again = await offerbook('channel', 'resend', deliveries[0]?.id ?? '');
    expect([again.code, again.notes]).toEqual([1, why]);
    await sql`update delivery set replayed_at = null`;
    const range = ['--from', '2026-01-01', '--to', '2100-01-01'];
    const replayed = await offerbook('channel', 'replay', 'hook', ...range);
    expect([replayed.code, replayed.notes]).toEqual([1, why]);
    await run('remove', 'hooked');
    await offerbook('channel', 'remove', 'hook');
  });

  it("send a report to a watch's channel, show its delivery, and send it again", async () => {
    const { id } = await answerOf<{ id: string }>(
      ...['channel', 'add', '--kind', 'file', '--name', 'files', '--config', 'path=mine', 'format=txt'],
    );
    expect((await offerbook('channel', 'list')).stdout).toMatch(/ file +files +\{.*"path":"mine".*\} +no/);
    expect((await offerbook('channel', 'test', 'files')).stdout).toBe('files accepted the test message.\n');
    const watch = await json('add', '--name', 'cheap', '--rank-by', 'usdPerGpuHour', '--channel', 'files');
    const printed = await offerbook('report', 'cheap');
    expect([printed.code, printed.stdout]).toEqual([0, expect.stringContaining('1. 1× RTX')]);
    expect((await offerbook('report', 'cheap', '--format', 'csv')).stdout).toMatch(/^rank,/);
    expect(await answerOf<object>('report', watch.id)).toMatchObject({
      watch: { name: 'cheap' },
      since: null,
    });
    expect((await offerbook('report', 'cheap', '--send')).stdout).toBe('The report goes to 1 channel.\n');
    interface Sent {
      deliveries: { id: string; channelId: string; kind: string; state: string; attempts: number }[];
    }
    const sent = async () => (await answerOf<Sent>('channel', 'deliveries', '--state', 'sent')).deliveries;
    const [report, ...older] = await sent();
    expect(report).toMatchObject({ channelId: id, kind: 'report', attempts: 1 });
    expect(older).toEqual([]);
    const folder_ = join(folder, 'data', 'reports', 'mine');
    const [file] = (await readdir(folder_)).filter((name) => name.includes(report?.id ?? ''));
    expect(await readFile(join(folder_, file ?? ''), 'utf8')).toContain(printed.stdout.split('\n')[0] ?? '');
    expect((await offerbook('channel', 'resend', report?.id ?? '')).code).toBe(0);
    expect((await sent()).map((each) => [each.id, each.attempts])).toEqual([[report?.id, 1]]);
    expect((await offerbook('channel', 'remove', id)).code).toBe(0);
    expect(await sent()).toEqual([]);
    expect((await offerbook('report', 'cheap', '--send')).code).toBe(1);
    await run('remove', 'cheap');
  });

  it('add a rule, test it on the past, list it and its alerts, and delete it', async () => {
    const watch = await json(
      'add',
      '--name',
      'ruled',
      '--rank-by',
      'usdPerGpuHour',
      '--filter',
      'gpuName=RTX 4090',
    );
    const rule = await answerOf<{ id: string }>(
      ...['rule', 'add', '--watch', 'ruled', '--kind', 'priceBelow', '--param', 'usd=0.5'],
      ...['--when', '2-of-3', '--rearm', '60', '--cooldown', '30'],
    );
    expect(rule).toMatchObject({
      ...{ watchId: watch.id, params: { usd: 0.5 }, of: { m: 2, n: 3 }, rearm: { afterMinutes: 60 } },
      ...{ cooldownMinutes: 30, enabled: true },
    });
    expect((await offerbook('rule', 'list')).stdout).toMatch(
      /priceBelow +\{"usd":0.5,"metric":"usdPerGpuHour"\} +\$\/GPU-hour +ruled +on/,
    );
    // The current value with its unit, and warnings about useless rules.
    const dry = async (...params: string[]) =>
      (
        await offerbook(
          ...['rule', 'add', '--watch', 'ruled', '--kind', 'priceBelow', '--dry-run'],
          ...['--param', ...params],
        )
      ).stdout;
    expect(await dry('usd=1000')).toMatch(
      /^Value now: \$[\d.]+\/GPU-hour \(book of .+\)\.\nWarning: it would fire at once, .+\.\n$/,
    );
    expect(await dry('usd=0.001', '--metric', 'usdPerHour')).toMatch(
      /^Value now: \$[\d.]+\/hour \(book of .+\)\.\nWarning: it would never have fired in the complete book since .+\.\n$/,
    );
    const added = await offerbook(
      'rule',
      'add',
      '--watch',
      'ruled',
      '--kind',
      'lowestInDays',
      '--param',
      'days=7',
    );
    expect(added.stdout).toMatch(/Unit +\$\/GPU-hour[\s\S]*Value now: \$[\d.]+\/GPU-hour/);
    expect((await offerbook('rule', 'remove', /^Id +(\S+)/m.exec(added.stdout)?.[1] ?? '')).code).toBe(0);
    const tried = ['rule', 'backtest', '--watch', 'ruled', '--kind', 'priceBelow', '--param', 'usd=0.5'];
    expect((await offerbook(...tried)).stdout).toMatch(
      /in 1 books, it would have fired once\.\n.*\n2026-07-30 00:\d\d UTC/s,
    );
    expect(await answerOf<object>('rule', 'backtest', rule.id)).toMatchObject({
      books: 1,
      count: 0,
      firings: [],
    });
    expect(await answerOf<object>('rule', 'alerts', rule.id)).toEqual({ alerts: [] });
    const wrong = await offerbook(
      'rule',
      'add',
      '--watch',
      'ruled',
      '--kind',
      'priceBelow',
      '--param',
      'usd=-1',
    );
    expect([wrong.code, wrong.notes.join()]).toEqual([2, expect.stringContaining('params.usd')]);
    expect((await offerbook('rule', 'remove', rule.id)).code).toBe(0);
    expect((await offerbook('rule', 'remove', rule.id)).code).toBe(2);
    expect(await answerOf<object>('rule', 'list')).toEqual({ rules: [] });
    await run('remove', 'ruled');
  });
});
