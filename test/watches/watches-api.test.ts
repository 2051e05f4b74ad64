import { beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Role } from '../../src/core/http/credential.ts';
import type { WatchAnswer } from '../../src/watches/watches.routes.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  const overrides = { version: '0.0.0-test', timeZone: 'Europe/Berlin' };
  test = await createTestApp(overrides);
  const offers = ['RTX 4090', 'RTX 5090'].map((gpuName, index) => makeOffer(index + 1, { gpuName }));
  await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', offers);
});

const path = '/api/watches';

const send = async (
  method: string,
  address: string,
  body?: unknown,
  role: Role = 'operator',
): Promise<Response> =>
  await test.app.request(address, {
    method,
    headers: { authorization: `Bearer ${test.tokens[role]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const add = async (body: object): Promise<WatchAnswer> => {
  const response = await send('POST', path, body);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as WatchAnswer;
};

const change = async (id: string, body: object): Promise<WatchAnswer> => {
  const response = await send('PATCH', `${path}/${id}`, body);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as WatchAnswer;
};

/** Returns the fields that a refusal names, each with its problem. */
const wrongFields = async (body: unknown): Promise<Record<string, string>> => {
  const { errors } = await readProblem(await send('POST', path, body), 400);
  return Object.fromEntries(errors.map(({ name, detail }) => [name, detail]));
};

const defaultProfile = { storageGb: 8, downGb: 0, upGb: 0, runningHours: 720, stoppedHours: 0 };

describe('POST /api/watches', () => {
  it('only requires a name, and has the documented defaults', async () => {
    const watch = await add({ name: '  cheap ones ' });
    expect(watch).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ market: 'test-market', markets: ['test-market'] },
      name: 'cheap ones',
      filters: {},
      profile: defaultProfile,
      rankBy: 'usdPerDlperfHour',
      top: 10,
      schedule: { cron: '*/10 * * * *', timeZone: 'Europe/Berlin' },
      channelIds: [],
      reportSchedule: null,
    });
    expect(await test.json(`${path}/${watch.id}`)).toEqual(watch);
  });

  it('accepts a value or a list for each filter, and stores its meaning', async () => {
    const { filters } = await add({
      name: 'every filter',
      filters: {
        ...{
          gpuName: 'RTX 4090',
          type: ['bid', 'on-demand', 'bid'],
          numGpus: [1, 2],
          verification: 'verified',
        },
        ...{ country: ['de', 'US'], datacenter: true, staticIp: [false], minReliability: 0.1 + 0.2 },
        ...{
          minVramGb: [24],
          minCuda: 12.4,
          minDiskGb: 1e3,
          minInetDown: 0,
          minInetUp: 0,
          maxUsdPerHour: 1e-7,
        },
        ...{ machineId: 12, hostId: [3, 4], excludeMachineId: [5], excludeHostId: 6 },
      },
    });
    expect(filters).toEqual({
      ...{ gpuName: ['RTX 4090'], type: ['bid', 'on-demand'], numGpus: [1, 2], verification: ['verified'] },
      ...{ country: ['DE', 'US'], datacenter: true, staticIp: false, minReliability: 0.3 },
      ...{ minVramGb: 24, minCuda: 12.4, minDiskGb: 1000, minInetDown: 0, minInetUp: 0, maxUsdPerHour: 1e-7 },
      ...{ machineId: [12], hostId: [3, 4], excludeMachineId: [5], excludeHostId: [6] },
    });
  });

  it('stores the scope of its models for the crawls, sorted, and the default scope without models', async () => {
    const { id: market } = await ensureMarket(test.sql, 'live.example', 'live');
    await add({ name: 'two', market: 'live.example', filters: { gpuName: ['RTX 5090', 'RTX 4090'] } });
    await add({ name: 'all', market: 'live.example', filters: { minVramGb: 24 } });
    expect(
      await test.sql`select s.name, s.gpu_names from watch w join watch_market p on p.watch_id = w.id join scope s on s.id = p.scope_id
        where w.market_id = ${market} order by w.name`,
    ).toEqual([
      { name: 'default', gpu_names: null },
      { name: 'models:RTX 4090|RTX 5090', gpu_names: ['RTX 4090', 'RTX 5090'] },
    ]);
  });

  it('names every wrong field at once, by its full name', async () => {
    expect(
      await wrongFields({
        name: '',
        filters: {
          minReliability: 2,
          numGpus: [1, 'two', 'three'],
          minVramGb: [1, 2],
          gpuname: 'x',
          datacenter: 1,
        },
        profile: { runningHours: 0, disk: 5 },
        rankBy: 'price',
        top: 0,
        schedule: { cron: '61 * * * *', timeZone: 'Mars/Olympus', every: 5 },
        channels: [],
      }),
    ).toEqual({
      name: 'must not be empty',
      'filters.minReliability': 'must be a share, such as 0.98 or 98%',
      'filters.numGpus': 'must be a number',
      'filters.minVramGb': 'takes a single value',
      'filters.gpuname': 'Unknown field `filters.gpuname`. Did you mean `filters.gpuName`?',
      'filters.datacenter': 'must be one of true, false',
      'profile.runningHours': 'must be above 0',
      'profile.disk': expect.stringMatching(/^Unknown field `profile.disk`/),
      rankBy: expect.stringMatching(/^must be one of usdPerDlperfHour, /),
      top: 'must be at least 1',
      'schedule.cron': expect.stringMatching(/^must be a cron expression/),
      'schedule.timeZone': 'must be a time zone like Europe/Berlin',
      'schedule.every': expect.stringMatching(/^Unknown field `schedule.every`/),
      channels: 'Unknown field `channels`. Did you mean `channelIds`?',
    });
    expect(await wrongFields({})).toEqual({ name: 'is missing' });
    expect(await wrongFields({ name: 'x', filters: 'RTX 4090', top: 1.5 })).toEqual({
      filters: 'must be an object',
      top: 'must be a whole number',
    });
    expect(await wrongFields([])).toEqual({ body: 'must be an object' });
  });

  it.each(['* * * *', '@hourly', '0 0 30 2 *', 'H * * * *', 'x * * * *', '* * * * * * *', ''])(
    'refuses the schedule %j',
    async (cron) => {
      expect(await wrongFields({ name: 'n', schedule: { cron } })).toEqual({
        'schedule.cron': expect.stringMatching(/^must be a cron expression/),
      });
    },
  );

  it.each(['*/5 * * * *', '0 9 * * THU', '*/30 * * * * *', '0 0 29 2 *'])(
    'accepts the schedule %j',
    async (cron) => {
      expect((await add({ name: `at ${cron}`, schedule: { cron } })).schedule.cron).toBe(cron);
    },
  );

  it('refuses what the database could not store, before it is asked', async () => {
    expect(await wrongFields({ name: 'a\u0000b' })).toEqual({ name: 'must not contain control characters' });
    await ensureMarket(test.sql, 'nothing listed', 'live');
    const wrong = { name: 'n', market: 'nothing listed', filters: { gpuName: ['ok', '\ud800'] } };
    for (const gpuName of [null, {}, ['']]) {
      expect(await wrongFields({ ...wrong, filters: { gpuName } })).toEqual({
        'filters.gpuName': 'must not be empty',
      });
    }
    expect(await wrongFields(wrong)).toEqual({ 'filters.gpuName': 'must not contain control characters' });
  });

  it('refuses a model that the market never listed, with similar ones, and an unknown market', async () => {
    const problem = await readProblem(
      await send('POST', path, { name: 'n', filters: { gpuName: ['RTX 4090', 'rtx-5090', 'X1'] } }),
      400,
    );
    expect(problem.type).toBe('/api/docs#unknown-model');
    expect(problem.errors).toEqual([
      { name: 'filters.gpuName', detail: 'Unknown GPU model "rtx-5090". Did you mean "RTX 5090"?' },
      { name: 'filters.gpuName', detail: expect.stringMatching(/^Unknown GPU model "X1"/) },
    ]);
    expect(await wrongFields({ name: 'n', market: 'nowhere' })).toEqual({
      market: expect.stringMatching(/^Unknown market "nowhere"/),
    });
  });

  it('answers 409 to a name that the market already has, and accepts it in another market', async () => {
    await add({ name: 'taken' });
    const problem = await readProblem(await send('POST', path, { name: 'taken' }), 409);
    expect([problem.type, problem.detail]).toEqual([
      '/api/docs#name-taken',
      expect.stringContaining('"taken"'),
    ]);
    await ensureMarket(test.sql, 'elsewhere', 'live');
    expect((await add({ name: 'taken', market: 'elsewhere' })).market).toBe('elsewhere');
  });
});

describe('PATCH /api/watches/{id}', () => {
  it('changes the given fields: filters as a whole, profile and schedule part by part', async () => {
    const { id } = await add({
      name: 'changing',
      filters: { gpuName: 'RTX 4090', minVramGb: 24 },
      profile: { downGb: 5 },
      schedule: { cron: '0 * * * *', timeZone: 'Asia/Tokyo' },
    });
    const watch = await change(id, {
      name: 'changed',
      filters: { gpuName: ['RTX 5090'] },
      profile: { upGb: 3 },
      schedule: { cron: '30 * * * *' },
      top: 3,
    });
    expect(watch).toMatchObject({
      name: 'changed',
      profile: { ...defaultProfile, downGb: 5, upGb: 3 },
      schedule: { cron: '30 * * * *', timeZone: 'Asia/Tokyo' },
      ...{ top: 3, rankBy: 'usdPerDlperfHour' },
    });
    expect(watch.filters).toEqual({ gpuName: ['RTX 5090'] });
    expect((await change(id, { filters: {} })).filters).toEqual({});
    expect(await change(id, {})).toEqual(await test.json(`${path}/${id}`));
  });

  it('refuses wrong fields, an unknown market, a taken name and an unknown watch, and changes nothing', async () => {
    const watch = await add({ name: 'unchanged' });
    await add({ name: 'its neighbor' });
    const one = `${path}/${watch.id}`;
    const refused = async (body: object, status: number) =>
      await readProblem(await send('PATCH', one, body), status);
    const { errors } = await refused({ top: 2000, schedule: { cron: 'x' }, market: [] }, 400);
    expect(errors.map(({ name }) => name).sort()).toEqual(['market', 'schedule.cron', 'top']);
    await refused({ market: ['nowhere'] }, 400);
    await refused({ filters: { gpuName: 'X1' } }, 400);
    expect((await refused({ name: 'its neighbor' }, 409)).type).toBe('/api/docs#name-taken');
    expect(await test.json(one)).toEqual(watch);
    const unknown = `${path}/0199c0de-0000-7000-8000-000000000000`;
    await readProblem(await send('PATCH', unknown, { top: 1 }), 404);
    await readProblem(await send('PATCH', `${path}/no-id`, { top: 1 }), 404);
  });
});

describe('the other routes', () => {
  it('list the watches of a market by name, page by page', async () => {
    await ensureMarket(test.sql, 'listed', 'live');
    for (const name of ['b', 'ä', 'a', 'Ω']) await add({ name, market: 'listed' });
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: { items: WatchAnswer[]; nextCursor: string | null } = await test.json(
        `${path}?market=listed&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      names.push(...next.items.map(({ name }) => name));
      cursor = next.nextCursor;
    }
    expect([...names].sort()).toEqual(['a', 'b', 'ä', 'Ω'].sort());
    expect(names).toHaveLength(4);
    expect((await test.json<{ items: WatchAnswer[] }>(`${path}?market=elsewhere`)).items).toMatchObject([
      { name: 'taken' },
    ]);
    await test.problem(`${path}?market=nowhere`, 400);
    await test.problem(`${path}?cursor=x`, 400);
  });

  it('delete a watch once', async () => {
    const { id } = await add({ name: 'short-lived' });
    const response = await send('DELETE', `${path}/${id}`);
    expect([response.status, await response.text()]).toEqual([204, '']);
    await readProblem(await send('DELETE', `${path}/${id}`), 404);
    await test.problem(`${path}/${id}`, 404);
    expect((await add({ name: 'short-lived' })).id).not.toBe(id);
  });

  it('are read by viewers and changed by operators', async () => {
    const { id } = await add({ name: 'guarded' });
    for (const [method, address, body] of [
      ['POST', path, { name: 'by a viewer' }],
      ['PATCH', `${path}/${id}`, { top: 1 }],
      ['DELETE', `${path}/${id}`, undefined],
    ] as const) {
      const problem = await readProblem(await send(method, address, body, 'viewer'), 403);
      expect(problem.type).toBe('/api/docs#role-too-low');
    }
    expect((await test.get(`${path}/${id}`, 'viewer')).status).toBe(200);
    expect((await test.get(path, 'feed')).status).toBe(403);
    expect((await change(id, { top: 2 })).top).toBe(2);
  });
});
