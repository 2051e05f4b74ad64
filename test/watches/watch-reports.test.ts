import { beforeAll, describe, expect, it } from 'vitest';
import { narrowScope } from '../../src/core/crawl-scope.ts';
import type { Role } from '../../src/core/http/credential.ts';
import type { ForecastAnswer } from '../../src/prices/forecast/forecast.routes.ts';
import type { IndexAnswer } from '../../src/prices/index/price-index.routes.ts';
import { createPriceCache } from '../../src/prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../../src/prices/verdicts/segment-medians.ts';
import type { WaitOrRentAnswer } from '../../src/prices/wait/wait-or-rent.routes.ts';
import { listDeliveries } from '../../src/watches/channels/deliveries.sql.ts';
import { buildReport } from '../../src/watches/reports/build-report.ts';
import type { WatchReportAnswer } from '../../src/watches/reports/watch-reports.routes.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { WatchAnswer } from '../../src/watches/watches.routes.ts';
import { findWatch } from '../../src/watches/watches.sql.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';
import { requireDescribedNotices } from './described-webhooks.ts';

let test: TestApp;
let watch: WatchAnswer;
let channelId: string;

const send = async (method: string, address: string, body?: unknown, role: Role = 'admin') =>
  await test.app.request(address, {
    method,
    headers: { authorization: `Bearer ${test.tokens[role]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const add = async <T>(path: string, body: object): Promise<T> => {
  const response = await send('POST', path, body);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as T;
};
const land = (at: string, prices: Record<number, number>, more: Parameters<typeof landOffers>[4] = {}) =>
  landOffers(
    ...([test.sql, test.market.id, at] as const),
    Object.entries(prices).map(([id, price]) =>
      makeOffer(Number(id), {
        baseUsdPerHour: price,
        storageUsdPerGbMonth: 0,
        gpuName: id === '9' ? nastiest : 'RTX 4090',
      }),
    ),
    more,
  );
const nasty = '<b>RTX</b>';
/** The listed name, with characters that XML cannot contain. */
const nastiest = `\u0001${nasty}\uFFFF`;
const report = async (body: object = {}): Promise<WatchReportAnswer> => {
  const response = await send('POST', `/api/watches/${watch.id}/report`, body);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as WatchReportAnswer;
};

beforeAll(async () => {
  test = await createTestApp();
  await land('2026-07-29T00:00:00Z', { 1: 0.5, 2: 0.4, 3: 0.6 });
  await land('2026-07-30T00:00:00Z', { 1: 0.5, 2: 0.4, 3: 0.6, 4: 0.01 });
  ({ id: channelId } = await add<{ id: string }>('/api/channels', { kind: 'file' }));
  watch = await add<WatchAnswer>('/api/watches', {
    name: 'cheap',
    rankBy: 'usdPerGpuHour',
    top: 3,
    channelIds: [channelId],
  });
}, 120_000);

describe('a report', () => {
  it('lists the best offers without outliers, with what matches and since when, and does not send itself', async () => {
    const { sent, report: shown } = await report();
    expect(sent).toBe(false);
    expect(
      shown.items.map(({ offerId, rank, usdPerHour, change }) => [offerId, rank, usdPerHour, change]),
    ).toEqual([
      [2, 1, 0.4, null],
      [1, 2, 0.5, null],
      [3, 3, 0.6, null],
    ]);
    expect(shown).toMatchObject({
      ...{
        observedAt: '2026-07-30T00:00:00.000Z',
        bookVerdict: 'complete',
        dataAgeMinutes: 26 * 60,
        since: null,
      },
      availability: { offers: 4, gpus: 4, machines: 4, daysOfLast30: 2 },
      coverage: { complete: 2, partial: 0, failed: 0 },
    });
    expect(shown.trends[0]?.points).toHaveLength(2);
    // The page that quotes it, at the watch's disk.
    expect(shown.items.map(({ url }) => new URL(url).pathname + new URL(url).search)).toEqual(
      [2, 1, 3].map((offerId) => `/rent/${offerId}?storageGb=8`),
    );
    const matches = {
      ...{ observedAt: '2026-07-30T00:00:00.000Z', bookVerdict: 'complete', offers: 4, gpus: 4, machines: 4 },
      daysOfLast30: 2,
    };
    expect(await test.json(`/api/watches/${watch.id}/matches`)).toEqual({
      ...matches,
      markets: [{ market: 'test-market', ...matches }],
    });
  });

  it('lists the best offers however many outliers are cheaper', async () => {
    const own = await createTestApp();
    const at = (day: number, ...offers: ReturnType<typeof makeOffer>[]) =>
      landOffers(own.sql, own.market.id, `2026-07-${day}T00:00:00Z`, offers);
    const priced = (id: number, baseUsdPerHour: number) =>
      makeOffer(id, { baseUsdPerHour, storageUsdPerGbMonth: 0 });
    const usual = Array.from({ length: 300 }, (_, index) => priced(300 - index, 0.4 + index / 1_000));
    await at(29, ...usual);
    await at(30, ...usual, ...Array.from({ length: 120 }, (_, index) => priced(1_000 + index, 0.01)));
    const ask = async <T>(path: string, body: object): Promise<T> => {
      const headers = { authorization: `Bearer ${own.tokens.admin}`, 'content-type': 'application/json' };
      const answer = await own.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as T;
    };
    const request = { name: 'two', rankBy: 'usdPerGpuHour', top: 2 };
    const { id } = await ask<WatchAnswer>('/api/watches', request);
    const { report: shown } = await ask<WatchReportAnswer>(`/api/watches/${id}/report`, {});
    expect(shown.items.map(({ offerId, isOutlier }) => [offerId, isOutlier])).toEqual([
      [300, false],
      [299, false],
    ]);
  });

  it('shows where each price stands in the previous 30 days, or what is missing for that', async () => {
    const own = await createTestApp();
    // Six machines of three hosts, every day cheaper by a cent; at the end one is as cheap as on the tenth.
    const priced = (id: number, baseUsdPerHour: number) =>
      makeOffer(id, {
        ...{ machineId: id, hostId: id % 3, baseUsdPerHour, storageUsdPerGbMonth: 0 },
        gpuName: 'RTX\u202E4090',
      });
    const machines = [1, 2, 3, 4, 5, 6];
    for (let day = 1; day <= 30; day += 1) {
      const at = new Date(Date.UTC(2026, 6, day)).toISOString();
      const price = (60 - day) / 100;
      const offers = machines.map((id) => priced(id, day === 30 && id === 6 ? 0.505 : price));
      await landOffers(own.sql, own.market.id, at, offers);
    }
    const headers = { authorization: `Bearer ${own.tokens.admin}`, 'content-type': 'application/json' };
    const ask = async <T>(path: string, body: object): Promise<T> => {
      const answer = await own.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as T;
    };
    const { id } = await ask<WatchAnswer>('/api/watches', { name: 'all', rankBy: 'usdPerGpuHour' });
    const { report: shown } = await ask<WatchReportAnswer>(`/api/watches/${id}/report`, {});
    // Of 29 days before, 20 were cheaper than 0.505: those of 0.31 to 0.50.
    expect(shown.items.map(({ machineId, verdict }) => [machineId, verdict?.claim])).toEqual([
      ...machines.slice(0, 5).map((machine) => [machine, 'cheaper than 100% of verified ones in 30 days']),
      [6, 'cheaper than 31% of verified ones in 30 days'],
    ]);
    // The listed name of the model, on one line.
    expect(shown.trends.map(({ gpuName, points }) => [gpuName, points.at(-1)?.median])).toEqual([
      ['RTX 4090', 0.3],
    ]);
    // The change like for like, the forecast and wait-or-rent, as the API has them.
    const gpuName = encodeURIComponent('RTX\u202E4090');
    const [trend] = shown.trends;
    const index = await own.json<IndexAnswer>(`/api/index?gpuName=${gpuName}`);
    expect(trend?.changes).toEqual(index.series[0]?.changes);
    // Five machines fell from 0.37 to 0.30, one rose to 0.505.
    const movement = (5 * Math.log(0.3 / 0.37) + Math.log(0.505 / 0.37)) / 6;
    expect(trend?.changes[1]?.percent).toBeCloseTo(100 * Math.expm1(movement), 6);
    const forecast = await own.json<ForecastAnswer>(`/api/forecast?gpuName=${gpuName}`);
    const week = forecast.series[0]?.horizons[1];
    expect({ ...trend?.forecast, words: week?.words }).toEqual(week);
    expect(trend?.sentences[1]).toMatch(/^7 days: prices like for like -\d+\.\d% ± \d/);
    expect(trend?.sentences[3]).toMatch(
      /^Median in 7 days: (too few days to judge a forecast.*|no forecast beats today's price); in 8 of 10 weeks it moved by less than ±\d/,
    );
    expect(shown.waits).toEqual([]);
    const named = await ask<WatchAnswer>('/api/watches', {
      name: 'named',
      filters: { gpuName: ['RTX\u202E4090'] },
    });
    const { report: ofModel } = await ask<WatchReportAnswer>(`/api/watches/${named.id}/report`, {});
    const { overall, hours } = await own.json<WaitOrRentAnswer>(`/api/wait-or-rent?gpuName=${gpuName}`);
    const [wait] = ofModel.waits;
    expect(wait).toMatchObject({ ...overall, hours, type: 'on-demand' });
    expect(wait?.sentence).toContain('0 of the 30 past periods that it takes, each of 24 hours');
    const text = await own.app.request(`/api/watches/${named.id}/report`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ format: 'text' }) },
    });
    expect(await text.text()).toContain(
      `   ${ofModel.trends[0]?.sentences.join('\n   ')}\n\n${wait?.sentence}`,
    );
    // Its own first crawl changes what is listed, not what it is compared with.
    const ownBook = async (at: string) => {
      const offers = machines.map((machine) => priced(machine, 0.29));
      const { name: scopeName } = narrowScope(['RTX\u202E4090']);
      await landOffers(own.sql, own.market.id, at, offers, { scopeName });
    };
    await ownBook('2026-07-30T00:10:00Z');
    const { report: first } = await ask<WatchReportAnswer>(`/api/watches/${named.id}/report`, {});
    expect(first.observedAt).toBe('2026-07-30T00:10:00.000Z');
    expect(first.items.map(({ usdPerHour, verdict }) => [usdPerHour, verdict?.claim])).toEqual(
      machines.map(() => [0.29, 'cheaper than 100% of verified ones in 30 days']),
    );
    expect(first.availability).toEqual(ofModel.availability);
    expect(first.coverage).toEqual(ofModel.coverage);
    expect(first.trends[0]?.points).toEqual(ofModel.trends[0]?.points);
    for (let day = 1; day < 30; day += 1)
      await ownBook(new Date(Date.UTC(2026, 6, day, 0, 10)).toISOString());
    const { report: grown } = await ask<WatchReportAnswer>(`/api/watches/${named.id}/report`, {});
    expect(grown.trends[0]?.points.at(-1)?.median).toBe(0.29);
    expect(grown.items[0]?.verdict?.claim).toBe('cheaper than 50% of verified ones in 30 days');
    // A book that lands while a report is read is in all of it, though it is newer than the report's moment.
    const stored = (await findWatch(own.sql, named.id)) as Watch;
    const sources = {
      ...{ sql: own.sql, ...createPriceCache(), outlierTests: createOutlierTests(own.sql), publicUrl: '' },
      rentsIn: async () => {
        if (!landed) await landOffers(own.sql, own.market.id, '2026-07-30T00:20:00Z', [priced(1, 0.25)]);
        landed = true;
        return null;
      },
    };
    let landed = false;
    const whole = await buildReport(sources, stored, new Date('2026-07-30T00:15:00Z'));
    expect(whole).toMatchObject({ observedAt: '2026-07-30T00:20:00.000Z', dataAgeMinutes: 0 });
    expect(whole.items.map(({ usdPerHour }) => usdPerHour)).toEqual([0.25]);
    const { report: young } = await report();
    for (const { verdict } of young.items) {
      expect(verdict?.sentence).toMatch(
        /^no verdict yet: 1 of 5 needed days .+ of 4 verified RTX 4090 offers now$/,
      );
    }
  });

  it('is sent to the channels on request, and the next one shows what has changed since', async () => {
    expect(await report({ send: true })).toMatchObject({ sent: true, deliveries: 1 });
    const [delivery] = await listDeliveries(test.sql, { channelId, state: null, after: null, limit: 5 });
    expect(delivery).toMatchObject({
      kind: 'report',
      watchId: watch.id,
      title: 'cheap: 1× RTX 4090 from $0.4000/hour',
    });
    await land('2026-07-31T00:00:00Z', { 1: 0.45, 2: 0.42, 5: 0.41 });
    const { report: next } = await report();
    expect(next.since).toBe('2026-07-31T02:00:00.000Z');
    expect(
      next.items.map(({ offerId, change, previousUsdPerHour }) => [offerId, change, previousUsdPerHour]),
    ).toEqual([
      [5, 'new', null],
      [2, 'up', 0.4],
      [1, 'down', 0.5],
    ]);
    expect(next.gone.map(({ offerId }) => offerId)).toEqual([3]);
    expect(await requireDescribedNotices(test.sql)).toEqual(['report']);
  });

  it('is rendered in every format, and labels a partial book', async () => {
    const types: Record<string, string> = {};
    for (const format of ['html', 'text', 'md', 'csv', 'xlsx']) {
      const response = await send('POST', `/api/watches/${watch.id}/report`, { format }, 'viewer');
      types[format] = `${response.status} ${response.headers.get('content-type')}`;
      if (format !== 'xlsx') expect(await response.text()).toContain('RTX');
    }
    expect(types).toMatchObject({ html: '200 text/html; charset=utf-8', csv: '200 text/csv; charset=utf-8' });
    await land('2026-07-31T01:00:00Z', { 1: 0.1 }, { verdict: 'partial' });
    expect((await report()).report).toMatchObject({
      observedAt: '2026-07-31T00:00:00.000Z',
      bookVerdict: 'complete',
    });
  });

  it('is sent by operators, for existing watches with channels', async () => {
    const lonely = await add<WatchAnswer>('/api/watches', { name: 'lonely' });
    await readProblem(await send('POST', `/api/watches/${lonely.id}/report`, { send: true }), 409);
    await readProblem(await send('POST', `/api/watches/${watch.id}/report`, { send: true }, 'viewer'), 403);
    await readProblem(await send('POST', `/api/watches/${channelId}/report`, {}), 404);
    const empty = await createTestApp();
    expect(empty.market.id).toBeGreaterThan(0);
  });
});

describe('a feed of deals', () => {
  it('opens with feed tokens in the address, and with others only in the header', async () => {
    const status = async (token: string | null, header?: string) =>
      (
        await test.app.request(
          `/api/feeds/deals.json?watch=${watch.id}${token === null ? '' : `&token=${token}`}`,
          {
            headers: header === undefined ? {} : { authorization: `Bearer ${header}` },
          },
        )
      ).status;
    expect(await status(test.tokens.feed)).toBe(200);
    expect(await status(null, test.tokens.viewer)).toBe(200);
    expect([await status(test.tokens.admin), await status(null), await status('wrong')]).toEqual([
      401, 401, 401,
    ]);
    expect((await test.get('/api/watches', 'feed')).status).toBe(403);
    expect(JSON.stringify(test.log)).not.toContain(test.tokens.feed);
  });

  it('has an item per deal, newest first, escaped, in three formats', async () => {
    await land('2026-07-31T02:00:00Z', { 1: 0.45, 2: 0.42, 5: 0.41, 9: 0.44 });
    const get = async (format: string) =>
      await (
        await test.app.request(`/api/feeds/deals.${format}?watch=cheap&token=${test.tokens.feed}`)
      ).text();
    const feed = JSON.parse(await get('json')) as {
      items: { id: string; title: string; date_published: string }[];
    };
    expect(feed.items.map(({ title, date_published }) => [title, date_published])).toEqual([
      [`1× ${nasty} at $0.4400/hour`, '2026-07-31T02:00:00.000Z'],
      ['1× RTX 4090 at $0.4100/hour', '2026-07-31T00:00:00.000Z'],
      ['1× RTX 4090 at $0.4200/hour', '2026-07-31T00:00:00.000Z'],
    ]);
    const again = JSON.parse(await get('json')) as typeof feed;
    expect(again.items.map(({ id }) => id)).toEqual(feed.items.map(({ id }) => id));
    const [rss, atom] = [await get('rss'), await get('atom')];
    expect([rss.match(/<item>/g)?.length, atom.match(/<entry>/g)?.length]).toEqual([3, 3]);
    for (const text of [rss, atom]) {
      expect(text).not.toContain('<b>RTX');
      expect(text).not.toMatch(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
      expect(text).not.toContain(test.tokens.feed);
    }
  });

  it('keeps the id of a deal while nothing happens to it, whichever books contain it', async () => {
    const own = await add<WatchAnswer>('/api/watches', {
      ...{ name: 'of a model', rankBy: 'usdPerGpuHour', filters: { gpuName: 'RTX 4090', machineId: 70 } },
    });
    const idOf = async () => {
      const answer = await test.app.request(
        `/api/feeds/deals.json?watch=${own.id}&token=${test.tokens.feed}`,
      );
      const { items } = (await answer.json()) as { items: { id: string; date_published: string }[] };
      return items.map(({ id, date_published }) => `${date_published.slice(11, 16)} ${id}`)[0] ?? null;
    };
    const narrow = { scopeName: 'models:RTX 4090' };
    const ids: Record<string, string | null> = {};
    const book = async (time: string, prices: Record<number, number>, more = {}) => {
      await land(`2026-07-31T${time}:00Z`, { 1: 0.45, 2: 0.42, 5: 0.41, ...prices }, more);
      ids[time] = await idOf();
    };
    const there = { 7: 0.3 };
    await book('03:00', there);
    await book('03:10', there, narrow);
    await book('04:00', there);
    await book('04:10', {}, narrow);
    await book('04:20', there, narrow);
    const first = ids['03:00'];
    expect(first).toMatch(/^03:00 /);
    expect(ids).toEqual({ '03:00': first, '03:10': first, '04:00': first, '04:10': null, '04:20': first });
    await book('05:00', { 7: 0.31 }, narrow);
    await book('05:10', { 7: 0.31 });
    expect(ids['05:00']).toMatch(/^05:00 /);
    expect(ids['05:10']).toBe(ids['05:00']);
    for (const time of ['06:00', '06:20']) await book(time, {});
    for (const time of ['06:30', '06:50']) await book(time, {}, narrow);
    await book('07:00', { 7: 0.31 }, narrow);
    expect(ids['07:00']).toMatch(/^07:00 /);
  });
});
