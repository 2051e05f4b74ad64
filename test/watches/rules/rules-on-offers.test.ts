import { beforeAll, describe, expect, it } from 'vitest';
import type { BacktestAnswer, RuleAnswer } from '../../../src/watches/rules/rule-answers.ts';
import type { WatchAnswer } from '../../../src/watches/watches.routes.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';

let test: TestApp;

const send = async (path: string, body: object) =>
  await test.app.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${test.tokens.operator}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const below = (usd: number, watch: object) => ({ kind: 'priceBelow', params: { usd }, watch });
const add = async (usd: number, watch: object): Promise<RuleAnswer> => {
  const response = await send('/api/rules', below(usd, watch));
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as RuleAnswer;
};
const wrong = async (body: object, status = 400): Promise<string[]> =>
  (await readProblem(await send('/api/rules', body), status)).errors.map(({ name }) => name);
const watches = async () => (await test.json<{ items: WatchAnswer[] }>('/api/watches')).items;

beforeAll(async () => {
  test = await createTestApp();
  // Two machines of one model, one of which offers twice; cheap at hours 5 and 17.
  for (let hour = 0; hour < 24; hour += 1) {
    const at = new Date(Date.UTC(2026, 6, 30, hour)).toISOString();
    const price = hour % 12 === 5 ? 0.3 : 0.5;
    await landOffers(
      test.sql,
      test.market.id,
      at,
      [1, 2, 3].map((id) =>
        makeOffer(id, {
          gpuName: 'H100 SXM',
          machineId: id === 3 ? 2 : id,
          baseUsdPerHour: price + id / 100 - 0.01,
          storageUsdPerGbMonth: 0,
        }),
      ),
    );
  }
}, 120_000);

describe('a rule on offers', () => {
  it('makes their watch, and later rules on the same offers share it whatever the order of their lists', async () => {
    const filters = { gpuName: 'H100 SXM', country: ['NO', 'DE'], maxUsdPerHour: 9 };
    const first = await add(0.4, { filters });
    const [watch] = await watches();
    expect(watch).toMatchObject({
      id: first.watchId,
      name: 'H100 SXM; max price per machine $9.00/hour; countries NO or DE',
      filters: { gpuName: ['H100 SXM'], country: ['NO', 'DE'], maxUsdPerHour: 9 },
      channelIds: [],
      rankBy: 'usdPerGpuHour',
      reportSchedule: null,
    });
    const same = { market: 'test-market', filters: { ...filters, country: ['DE', 'NO'], type: 'on-demand' } };
    expect((await add(0.3, same)).watchId).toBe(first.watchId);
    const other = await add(0.3, { filters, profile: { storageGb: 100 } });
    expect(other.watchId).not.toBe(first.watchId);
    // A name is unique, and the usage profile is not part of it.
    expect((await watches()).map(({ name }) => name)).toEqual([watch?.name, `${watch?.name} (2)`]);
  });

  it('is stored once with its watch when several are sent at the same time', async () => {
    const filters = { gpuName: 'H100 SXM', minReliability: 0.5 };
    const rules = await Promise.all([0.1, 0.2, 0.3, 0.4].map((usd) => add(usd, { filters })));
    expect(new Set(rules.map(({ watchId }) => watchId)).size).toBe(1);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(4);
  });

  it('leaves no watch behind if it cannot be stored', async () => {
    const before = await watches();
    const watch = { filters: { gpuName: 'H100 SXM', minVramGb: 1 } };
    expect(await wrong(below(-1, watch))).toEqual(['params.usd']);
    expect(await wrong({ kind: 'bidSpread', params: { percent: 10 }, watch })).toEqual(['watchId']);
    expect(await wrong({ ...below(1, watch), channelIds: ['0199c0de-0000-7000-8000-000000000000'] })).toEqual(
      ['channelIds'],
    );
    expect(await wrong(below(1, { filters: { gpuName: 'H100 SXN' } }))).toEqual(['filters.gpuName']);
    expect(await wrong(below(1, { market: 'nowhere' }))).toEqual(['market']);
    expect(await wrong({ kind: 'dataAge', params: { minutes: 60 }, watch })).toEqual(['watch']);
    expect(await wrong({ ...below(1, watch), watchId: before[0]?.id })).toEqual(['watch']);
    expect(await watches()).toEqual(before);
  });
});

describe('POST /api/rules/backtest on offers', () => {
  const backtest = async (body: object): Promise<BacktestAnswer> =>
    (await (await send('/api/rules/backtest', body)).json()) as BacktestAnswer;

  it('answers as for their watch, counts their machines, and stores nothing', async () => {
    const watch = { filters: { gpuName: 'H100 SXM', minDiskGb: 1 } };
    const before = await watches();
    const tried = await backtest(below(0.4, watch));
    expect(tried).toMatchObject({
      books: 24,
      count: 2,
      watch: null,
      now: { value: 0.5, numGpus: 1, machines: 2 },
    });
    expect(tried.firings.map(({ at }) => at)).toEqual([
      '2026-07-30T05:00:00.000Z',
      '2026-07-30T17:00:00.000Z',
    ]);
    expect(await watches()).toEqual(before);
    const { watchId } = await add(0.4, watch);
    const { id, name } = (await watches()).find((each) => each.id === watchId) ?? {};
    expect(await backtest(below(0.4, watch))).toEqual({ ...tried, watch: { id, name, channelIds: [] } });
    expect(await backtest({ watchId, kind: 'priceBelow', params: { usd: 0.4 } })).toEqual({
      ...tried,
      watch: { id, name, channelIds: [] },
    });
  });
});
