import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { dropOldSamples } from '../../src/rentals/instances/samples.sql.ts';
import { openMarket, rent } from '../simulator/market-account.ts';
import { databaseText } from '../support/database-text.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestPoller, firstPollAt, type ListMarket, startListMarket } from './test-poller.ts';

let sql: Sql;
beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

async function openSimulated() {
  const market = await openMarket();
  const client = createMarketClient({
    ...{ baseUrl: market.url, apiKey: market.simulator.apiKey, log: silentLog, maxBodyBytes: 1_000_000 },
    dialect: withoutIntervals(defaultDialect),
  });
  const poller = await createTestPoller(sql, client);
  const pollAt = async (seconds: number) => {
    market.goTo(seconds);
    return await poller.pollAt(seconds);
  };
  return { market, client, ...poller, pollAt };
}

const row = (id: number, more: object = {}) => ({
  id,
  actual_status: 'running',
  intended_status: 'running',
  ...more,
});

async function openListed(market: ListMarket) {
  return { market, ...(await createTestPoller(sql, await startListMarket(market))) };
}

describe('the life of an instance', () => {
  it('is followed every 10 s until it runs, then each minute, and every change of status is stored', async () => {
    const { market, client, pollAt, statuses } = await openSimulated();
    expect(await pollAt(0)).toMatchObject({ kind: 'polled', instances: 0, nextPollSeconds: 60 });
    const id = await rent(market, 1);
    const asked: number[] = [];
    let at = 1;
    for (;;) {
      asked.push(at);
      const { nextPollSeconds } = await pollAt(at);
      if (nextPollSeconds === 60) break;
      at += nextPollSeconds;
    }
    // The simulator boots in 120 s: 15 s of waiting, then the image.
    expect(asked).toEqual(Array.from({ length: 13 }, (_, index) => 1 + index * 10));
    await client.stopInstance(id);
    expect(await pollAt(181)).toMatchObject({ changes: 1, gone: 0, nextPollSeconds: 60 });
    await client.startInstance(id);
    await pollAt(241);
    market.simulator.setInstancePhase(id, 'offline');
    expect(await pollAt(301)).toMatchObject({ changes: 1, nextPollSeconds: 60 });
    await client.destroyInstance(id);
    expect(await pollAt(361)).toMatchObject({ instances: 0, changes: 0, gone: 1, nextPollSeconds: 60 });
    expect(await pollAt(421)).toMatchObject({ changes: 0, gone: 0 });
    const kept = await statuses();
    expect(kept.slice(0, 4)).toEqual([
      `1 ${id} null/running`,
      `21 ${id} loading/running`,
      `121 ${id} running/running`,
      `181 ${id} stopped/stopped`,
    ]);
    expect(kept.slice(-2)).toEqual([`301 ${id} offline/running`, `361 ${id} gone`]);
  });

  it('continues when the market lists it again', async () => {
    const { market, pollAt, statuses, poller } = await openListed({ rows: [row(7), row(8)] });
    await pollAt(0);
    market.rows = [row(8)];
    expect(await pollAt(60)).toMatchObject({ gone: 1, changes: 0 });
    market.rows = [row(7), row(8)];
    expect(await pollAt(120)).toMatchObject({ gone: 0, changes: 1 });
    expect(await statuses()).toEqual([
      '0 7 running/running',
      '0 8 running/running',
      '60 7 gone',
      '120 7 running/running',
    ]);
    const kept = await sql`select instance_id as id, first_seen_at as "firstSeenAt", gone_at as "goneAt"
      from instance where market_id = ${poller.marketId} order by 1`;
    expect(kept.map((each) => ({ ...each }))).toEqual([
      { id: 7, firstSeenAt: firstPollAt, goneAt: null },
      { id: 8, firstSeenAt: firstPollAt, goneAt: null },
    ]);
  });

  it('includes load and disk of each poll until they are too old', async () => {
    const { market, pollAt, poller } = await openListed({
      rows: [row(7, { gpu_util: 0, disk_usage: 3.5 }), row(8)],
    });
    const day = 86_400;
    await pollAt(0);
    market.rows = [row(7, { gpu_util: 93 })];
    await pollAt(7 * day);
    const samples = async () =>
      (
        await sql`select extract(epoch from polled_at - ${firstPollAt}::timestamptz)::int as at, instance_id as id,
          gpu_util_percent as load, disk_used_gb as disk
          from instance_sample where market_id = ${poller.marketId} order by 1`
      ).map((each) => Object.values(each));
    expect(await samples()).toEqual([
      [0, 7, 0, 3.5],
      [7 * day, 7, 93, null],
    ]);
    await pollAt(7 * day + 1);
    await dropOldSamples(sql, new Date(firstPollAt.getTime() + 1_000));
    expect(await samples()).toEqual([
      [7 * day, 7, 93, null],
      [7 * day + 1, 7, 93, null],
    ]);
    const polls = await sql`select instances from instance_poll where market_id = ${poller.marketId}`;
    expect(polls).toHaveLength(2);
  });
});

describe('an unreliable poll never marks an instance as gone', () => {
  it.each<[string, Partial<ListMarket>]>([
    ['a row without a readable id', { rows: [row(7), { actual_status: 'running' }] }],
    ['fewer rows than the list counts', { rows: [row(7)], found: 2 }],
    ['the same row twice', { rows: [row(7), row(7)] }],
  ])('%s', async (_, answer) => {
    const { market, pollAt, statuses, runs } = await openListed({ rows: [row(7), row(8)] });
    await pollAt(0);
    Object.assign(market, answer);
    expect(await pollAt(60)).toMatchObject({ kind: 'polled', instances: 1, unidentified: 1, gone: 0 });
    expect(await statuses()).toHaveLength(2);
    Object.assign(market, { rows: [row(7)], found: undefined });
    expect(await pollAt(120)).toMatchObject({ unidentified: 0, gone: 1 });
    expect(await runs()).toEqual([
      '0 cron complete',
      '60 cron partial 1 of 2 instances could not be identified: none counts as gone',
      '120 cron complete',
    ]);
  });

  it('a failed list changes nothing', async () => {
    const { market, pollAt, poller } = await openListed({ rows: [row(7)] });
    await pollAt(0);
    const before = await databaseText(sql);
    market.failing = true;
    const outcome = await pollAt(60);
    expect(outcome).toMatchObject({ kind: 'failed', nextPollSeconds: 60 });
    await sql`delete from crawl where market_id = ${poller.marketId} and outcome = 'failed'`;
    expect(await databaseText(sql)).toBe(before);
  });

  it('a list that arrives after a newer one changes nothing', async () => {
    const { market, pollAt } = await openListed({ rows: [row(7)] });
    await pollAt(60);
    const before = await databaseText(sql);
    market.rows = [row(9)];
    expect(await pollAt(30)).toEqual({ kind: 'superseded', nextPollSeconds: 60 });
    expect(await pollAt(60)).toEqual({ kind: 'superseded', nextPollSeconds: 60 });
    expect(await databaseText(sql)).toBe(before);
  });

  it('two lists at the same moment store each change once', async () => {
    const { pollAt, statuses } = await openListed({ rows: [row(7), row(8)] });
    const outcomes = await Promise.all([pollAt(0), pollAt(0), pollAt(0)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['polled', 'superseded', 'superseded']);
    expect(await statuses()).toHaveLength(2);
  });

  it('polls go on every 10 s if a list fails while something boots', async () => {
    const { market, pollAt } = await openListed({ rows: [row(7, { actual_status: 'loading' })] });
    expect((await pollAt(0)).nextPollSeconds).toBe(10);
    market.failing = true;
    expect(await pollAt(10)).toMatchObject({ kind: 'failed', nextPollSeconds: 10 });
  });
});

describe('the crawl history', () => {
  it('contains polls that found something, the first failure of a series and the recovery', async () => {
    const { market, pollAt, runs } = await openListed({ rows: [row(7)] });
    for (let at = 0; at < 300; at += 60) await pollAt(at);
    market.failing = true;
    for (let at = 300; at < 600; at += 60) await pollAt(at);
    market.failing = false;
    for (let at = 600; at < 900; at += 60) await pollAt(at);
    market.rows = [row(7, { actual_status: 'exited' })];
    await pollAt(900);
    const [first, failed, ...rest] = await runs();
    expect(first).toBe('0 cron complete');
    expect(failed).toMatch(/^300 cron failed .*500/);
    expect(rest).toEqual(['600 cron unchanged', '900 cron complete']);
  });

  it('contains every poll that a person requested', async () => {
    const { pollAt, runs } = await openListed({ rows: [] });
    await pollAt(0, { cause: 'command' });
    await pollAt(60, { cause: 'api' });
    expect(await runs()).toEqual(['0 command unchanged', '60 api unchanged']);
  });

  it('does not mention an aborted poll', async () => {
    const { pollAt, runs } = await openListed({ rows: [row(7)] });
    const outcome = await pollAt(0, { signal: AbortSignal.abort(new Error('stopping')) });
    expect(outcome.kind).toBe('failed');
    expect(await runs()).toEqual([]);
  });
});

it('no secret of an instance reaches the database', async () => {
  const { market, poller, pollAt } = await openSimulated();
  await rent(market, 1, { env: { HF_TOKEN: 'hf-s3cret' }, onstart: 'login --password onstart-s3cret' });
  await rent(market, 2, { args_str: '--api-key args-s3cret', runtype: 'args' });
  const listed = await market.call('GET', '/api/v0/instances/');
  const tokens = (listed.body.instances as { jupyter_token: string }[]).map((each) => each.jupyter_token);
  // The market's answer does hold them.
  for (const secret of ['hf-s3cret', 'onstart-s3cret', 'args-s3cret', ...tokens]) {
    expect(JSON.stringify(listed.body)).toContain(secret);
  }
  expect(tokens.every((token) => token.length > 8)).toBe(true);
  await pollAt(30);
  const text = await databaseText(sql);
  const [kept] = await sql<{ raw: string }[]>`
    select raw from instance where market_id = ${poller.marketId} order by instance_id limit 1`;
  expect(JSON.parse(kept?.raw ?? '')).toMatchObject({ ssh_host: expect.any(String), image_uuid: 'ubuntu' });
  for (const secret of ['s3cret', 'jupyter_token', ...tokens, market.simulator.apiKey]) {
    expect(text).not.toContain(secret);
  }
});

it('a row with absurd figures costs neither the poll nor the other rows', async () => {
  const absurd = {
    num_gpus: 9e15,
    gpu_util: 1e308,
    disk_usage: -1,
    start_date: 9e20,
    ssh_port: 1e9,
    label: 'a\u0000b',
  };
  const { pollAt, poller } = await openListed({ rows: [row(7, absurd), row(8, { future_field: [1.0] })] });
  expect(await pollAt(0, { crawlId: uuidv7() })).toMatchObject({
    kind: 'polled',
    instances: 2,
    unidentified: 0,
  });
  const kept = await sql`select num_gpus as "numGpus", ssh_port as "sshPort", started_at as "startedAt", label
    from instance where market_id = ${poller.marketId} order by instance_id`;
  expect(kept.map((each) => ({ ...each }))).toEqual([
    { numGpus: null, sshPort: null, startedAt: null, label: 'a\uFFFDb' },
    { numGpus: null, sshPort: null, startedAt: null, label: null },
  ]);
});
