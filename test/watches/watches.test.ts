import { beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { defaultScope, narrowScope } from '../../src/core/crawl-scope.ts';
import { defaultProfile } from '../../src/core/metric.ts';
import type { Sql } from '../../src/database/connection.ts';
import { whyMarketStays } from '../../src/service/deletion/delete-market.sql.ts';
import type { WatchFields } from '../../src/watches/watch.ts';
import {
  changeWatch,
  deleteWatch,
  findWatch,
  findWatchesByName,
  insertWatch,
  listReportSchedules,
  listWatches,
  listWatchSchedules,
} from '../../src/watches/watches.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';

let sql: Sql;
let marketId: number;

beforeAll(async () => {
  ({ sql } = await createTestDatabase());
  ({ id: marketId } = await ensureMarket(sql, 'live.example', 'live'));
});

const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 0, minute));
const fields = (name: string, changes: Partial<WatchFields> = {}): WatchFields => ({
  name,
  filters: {},
  profile: defaultProfile,
  rankBy: 'usdPerDlperfHour',
  top: 10,
  schedule: { cron: '*/10 * * * *', timeZone: 'UTC' },
  channelIds: [],
  reportSchedule: null,
  ...changes,
});

const insert = async (name: string, changes: Partial<WatchFields> = {}, market = marketId, minute = 0) => {
  const watch = await insertWatch(sql, [market], fields(name, changes), at(minute));
  if (watch === null) throw new Error(`${name} was not stored`);
  return watch;
};

describe('a stored watch', () => {
  it('is read back as written, and only from its market', async () => {
    const changes: Partial<WatchFields> = {
      filters: { gpuName: ['RTX 4090', 'H100'], minReliability: 0.95, datacenter: false, machineId: [7] },
      profile: { ...defaultProfile, downGb: 0.1 },
      rankBy: 'allInUsdPerHour',
      schedule: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
    };
    const watch = await insert('round trip', changes);
    expect(watch).toEqual({
      ...fields('round trip', changes),
      ...{ id: watch.id, market: 'live.example', markets: ['live.example'] },
    });
    expect(await findWatch(sql, watch.id)).toEqual(watch);
    expect(await findWatchesByName(sql, [marketId], 'round trip')).toEqual([watch]);
    const { id: other } = await ensureMarket(sql, 'other.example', 'live');
    expect(await findWatchesByName(sql, [other], 'round trip')).toEqual([]);
    expect(await listWatches(sql, { marketIds: [other], after: null, limit: 10 })).toEqual([]);
  });

  it('has a name that is unique in its market, also under concurrency', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => insertWatch(sql, [marketId], fields('one of five'), at(0))),
    );
    expect(made.filter((watch) => watch !== null)).toHaveLength(1);
    const second = await insert('second name');
    expect(
      await changeWatch(sql, second.id, (watch) => ({ ...watch, name: 'one of five' }), { now: at(1) }),
    ).toBe('name-taken');
    expect(await findWatch(sql, second.id)).toEqual(second);
  });

  it('loses neither of two concurrent changes', async () => {
    const { id } = await insert('counted', { top: 1 });
    const more = () => changeWatch(sql, id, (watch) => ({ ...watch, top: watch.top + 1 }), { now: at(1) });
    await Promise.all(Array.from({ length: 10 }, more));
    expect((await findWatch(sql, id))?.top).toBe(11);
  });

  it('is listed by name, page by page, and gone when it is deleted', async () => {
    const { id: market } = await ensureMarket(sql, 'listed.example', 'live');
    for (const name of ['c', 'a', 'b']) await insert(name, {}, market);
    const first = await listWatches(sql, { marketIds: [market], after: null, limit: 2 });
    const rest = await listWatches(sql, { marketIds: [market], after: first[1] ?? null, limit: 2 });
    expect([first, rest].map((page) => page.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
    const [gone] = rest;
    expect(await deleteWatch(sql, gone?.id ?? '')).toBe(true);
    expect(await deleteWatch(sql, gone?.id ?? '')).toBe(false);
    expect(await changeWatch(sql, gone?.id ?? '', (watch) => watch, { now: at(1) })).toBe('missing');
    expect(await listWatches(sql, { marketIds: [market], after: first[1] ?? null, limit: 2 })).toEqual([]);
  });
});

describe('the schedules of watches', () => {
  it('contain the scope of the models, or the whole market, and follow a change', async () => {
    const { id: market } = await ensureMarket(sql, 'scheduled.example', 'live');
    const models = { gpuName: ['RTX 5090', 'RTX 4090'], type: ['bid', 'on-demand'] as const };
    const narrow = await insert(
      'narrow',
      { filters: models, schedule: { cron: '5 * * * *', timeZone: 'Asia/Tokyo' } },
      market,
      2,
    );
    const wide = await insert('wide', { filters: { numGpus: [8] } }, market, 1);
    expect(await listWatchSchedules(sql, market)).toEqual([
      {
        watchId: wide.id,
        scope: defaultScope,
        types: ['on-demand'],
        cron: '*/10 * * * *',
        timeZone: 'UTC',
        createdAt: at(1),
      },
      {
        watchId: narrow.id,
        scope: narrowScope(['RTX 4090', 'RTX 5090']),
        types: ['bid', 'on-demand'],
        cron: '5 * * * *',
        timeZone: 'Asia/Tokyo',
        createdAt: at(2),
      },
    ]);
    await changeWatch(
      sql,
      wide.id,
      (watch) => ({
        ...watch,
        filters: { gpuName: ['RTX 5090', 'RTX 4090'] },
      }),
      { now: at(3) },
    );
    const scopes = (await listWatchSchedules(sql, market)).map(({ scope }) => scope);
    expect(scopes).toEqual([narrowScope(['RTX 4090', 'RTX 5090']), narrowScope(['RTX 4090', 'RTX 5090'])]);
    expect(
      await sql`select name, gpu_names, rentable from scope where market_id = ${market} order by id`,
    ).toEqual([
      { name: 'models:RTX 4090|RTX 5090', gpu_names: ['RTX 4090', 'RTX 5090'], rentable: true },
      { name: 'default', gpu_names: null, rentable: true },
    ]);
  });

  it('are of each of its markets, and its report is sent once', async () => {
    const [one, two] = [
      await ensureMarket(sql, 'one.example', 'live'),
      await ensureMarket(sql, 'two.example', 'live'),
    ];
    const channelIds = ['0199c0de-0000-7000-8000-0000000000c2'];
    const reportSchedule = { cron: '0 8 * * *', timeZone: 'UTC' };
    const filters = { gpuName: ['RTX 4090'] };
    const watch = await insertWatch(
      sql,
      [one.id, two.id],
      fields('in two', { filters, channelIds, reportSchedule }),
      at(0),
    );
    for (const { id } of [one, two]) {
      expect((await listWatchSchedules(sql, id)).map(({ watchId, scope }) => [watchId, scope])).toEqual([
        [watch?.id, narrowScope(['RTX 4090'])],
      ]);
    }
    expect((await listReportSchedules(sql, [one.id, two.id])).map(({ watchId }) => watchId)).toEqual([
      watch?.id,
    ]);
    expect(await whyMarketStays(sql, two.id)).toContain('Watches follow it (in two)');
  });

  it('are empty in a recorded market, which is never crawled', async () => {
    const { id: recorded } = await ensureMarket(sql, 'kept books', 'recorded');
    await insert('of the past', { filters: { gpuName: ['RTX 4090'] } }, recorded);
    expect(await listWatches(sql, { marketIds: [recorded], after: null, limit: 10 })).toHaveLength(1);
    expect(await listWatchSchedules(sql, recorded)).toEqual([]);
  });

  it('of reports start at their last change: earlier times of that day are not made up for', async () => {
    const { id: market } = await ensureMarket(sql, 'reporting.example', 'live');
    const channelIds = ['0199c0de-0000-7000-8000-0000000000c1'];
    const reportSchedule = { cron: '0 8 * * *', timeZone: 'UTC' };
    const { id } = await insert('told of', {}, market);
    const lastAt = async () => (await listReportSchedules(sql, [market])).map((each) => each.lastAt);
    const change = async (changes: Partial<WatchFields>, minute: number) =>
      await changeWatch(sql, id, (watch) => ({ ...watch, ...changes }), { now: at(minute) });
    await change({ reportSchedule }, 1);
    expect(await lastAt()).toEqual([]);
    await change({ channelIds }, 2);
    expect(await lastAt()).toEqual([at(2)]);
    await change({ top: 3 }, 3);
    expect(await lastAt()).toEqual([at(2)]);
    await change({ reportSchedule: { ...reportSchedule, timeZone: 'Asia/Tokyo' } }, 4);
    expect(await lastAt()).toEqual([at(4)]);
    const made = await insert('with both', { channelIds, reportSchedule }, market, 5);
    expect(
      (await listReportSchedules(sql, [market])).find(({ watchId }) => watchId === made.id)?.lastAt,
    ).toEqual(at(5));
  });
});
