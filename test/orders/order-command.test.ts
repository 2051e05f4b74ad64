import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { DryRunAnswer, OrderAnswer } from '../../src/orders/order-answers.ts';
import { loadConfig } from '../../src/service/config.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { type InProcessEnd, runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-order-'));
  const { sql, target } = await createTestDatabase();
  env = {
    DATABASE_URL: databaseUrl(target),
    DATA_DIR: join(folder, 'data'),
    SECRETS_KEY: 'a-key-of-this-test',
  };
  const { id } = await ensureMarket(sql, 'simulator', 'simulated');
  const prices = [0.4, 0.2, 0.3];
  const offers = prices.map((baseUsdPerHour, index) =>
    makeOffer(index + 1, { baseUsdPerHour, storageUsdPerGbMonth: 0, gpuName: 'RTX 4090', numGpus: 1 }),
  );
  await landOffers(sql, id, new Date(Date.now() - 3_600_000).toISOString(), offers);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const offerbook = (...args: string[]): Promise<InProcessEnd> => runInProcess(args, loadConfig(env));
const answerOf = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, notes } = await offerbook(...args, '--json');
  expect([code, notes]).toEqual([0, []]);
  return JSON.parse(stdout) as T;
};
const inWords = async (...args: string[]): Promise<string> => {
  const { code, stdout } = await offerbook('order', ...args);
  expect(code).toBe(0);
  return stdout;
};

describe('offerbook order', () => {
  it('adds, lists, shows, tries, arms, pauses and removes an order', async () => {
    await offerbook('watch', 'add', '--name', 'cards', '--no-report');
    await offerbook('watch', 'add', '--name', 'others', '--no-report');
    const until = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const machine = [
      '--image',
      'ubuntu:24.04',
      '--disk',
      '20',
      '--max-hours',
      '6',
      '--end-action',
      'destroy',
    ];
    const added = await answerOf<OrderAnswer>(
      ...[
        'order',
        'add',
        '--name',
        'night run',
        '--choice',
        'cards=0.35',
        'others=0.25',
        '--percentile',
        '100-of-7',
      ],
      ...['--count', '2', '--until', until, '--budget', '20', '--env', '-e TOKEN=secret-of-mine', ...machine],
    );
    expect(added).toMatchObject({ state: 'draft', count: 2, budgetUsd: '20', endsAt: until, machines: 0 });
    expect(added.choices).toMatchObject([
      { maxUsdPerGpuHour: 0.35, maxPercentile: { percentile: 100, days: 7 } },
      { maxUsdPerGpuHour: 0.25 },
    ]);
    expect(added.request).toEqual({
      diskGb: 20,
      endAction: 'destroy',
      env: ['TOKEN'],
      image: 'ubuntu:24.04',
      maxHours: 6,
    });
    // The percentile has no history yet, so that nothing would have been rented.
    expect(added.dryRun).toMatchObject({ books: 1, wouldRent: 0 });
    const words = await inWords(
      ...['add', '--name', 'day run', '--choice', 'cards=0.35', '--count', '2', '--until', until],
      ...['--budget', '20', ...machine],
    );
    expect(words).toContain(
      'it would have rented 2 machines, within 48 h in the median, committing $3.0000; then it would be filled.',
    );
    expect(words).toContain('1 × RTX 4090, machine 20, $0.2000/hour');
    expect(words).toMatch(/^Choice 1 +watch cards, max \$0\.35\/GPU-hour *$/m);
    const { orders } = await answerOf<{ orders: OrderAnswer[] }>('order', 'list');
    expect(orders.map(({ name }) => name)).toEqual(['night run', 'day run']);
    expect(await inWords('list')).toContain(
      'max $0.35/GPU-hour, percentile max 100 of 7 days; max $0.25/GPU-hour',
    );
    expect(
      (await answerOf<DryRunAnswer>('order', 'dry-run', 'day run')).rents.map(({ machineId }) => machineId),
    ).toEqual([20, 30]);
    expect(await inWords('arm', 'day run')).toContain('armed');
    expect(await answerOf<OrderAnswer>('order', 'show', 'day run')).toMatchObject({ state: 'armed' });
    expect((await offerbook('order', 'remove', 'day run')).code).not.toBe(0);
    expect(await inWords('pause', 'day run')).toBe('The order day run is paused.\n');
    expect(await inWords('remove', 'day run')).toBe('Deleted the order day run.\n');
    expect((await answerOf<{ orders: OrderAnswer[] }>('order', 'list')).orders).toHaveLength(1);
  });

  it('adds a choice that bids, with what it does when it is outbid', async () => {
    await offerbook(
      'watch',
      'add',
      '--name',
      'bids',
      '--no-report',
      '--filter',
      'type=bid',
      'type=on-demand',
    );
    const body = ['--name', 'bidder', '--until', '2099-01-01', '--disk', '20', '--image', 'ubuntu:24.04'];
    const how = ['--bid-above', '0', '--bid-step', '25', '--when-outbid', 'replace'];
    const choice = ['--choice', 'bids=0.2 bid', 'bids=0.35'];
    const added = await answerOf<OrderAnswer>('order', 'add', ...body, ...choice, ...how);
    expect(added.choices).toMatchObject([
      { maxUsdPerGpuHour: 0.2, bid: { abovePercent: 0, stepPercent: 25, whenOutbid: 'replace' } },
      { maxUsdPerGpuHour: 0.35 },
    ]);
    expect(added.choices[1]).not.toHaveProperty('bid');
    expect(await inWords('show', 'bidder')).toContain('bids up to $0.20/GPU-hour');
  });

  it('refuses conditions that it cannot read', async () => {
    const add = [
      'order',
      'add',
      '--name',
      'x',
      '--until',
      '2099-01-01',
      '--disk',
      '20',
      '--choice',
      'cards=0.3',
    ];
    for (const wrong of [
      ['--percentile', '10'],
      ['--index-fall', '5-in-8'],
      ['--choice', 'cards=cheap'],
      ['--bid-above', '-1'],
    ])
      expect((await offerbook(...add, ...wrong)).code).toBe(2);
  });
});
