import { beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Offer } from '../../src/core/offer.ts';
import type { Report } from '../../src/watches/reports/report.ts';
import type { WatchReportAnswer } from '../../src/watches/reports/watch-reports.routes.ts';
import type { WatchAnswer } from '../../src/watches/watches.routes.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';

let test: TestApp;
let otherId: number;
let watch: WatchAnswer;

const send = async (method: string, path: string, body?: object) =>
  await test.app.request(path, {
    method,
    headers: { authorization: `Bearer ${test.tokens.admin}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const post = async <T>(path: string, body: object): Promise<T> => {
  const response = await send('POST', path, body);
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as T;
};
const reportOf = async (id: string): Promise<Report> =>
  (await post<WatchReportAnswer>(`/api/watches/${id}/report`, {})).report as Report;

/** Offers from a lowest price on, in steps; the ids are those of the other market too, where they mean nothing. */
const offersFrom = (base: number, step: number, more: Partial<Offer> = {}) =>
  Array.from({ length: 6 }, (_, n) => makeOffer(n + 1, { baseUsdPerHour: base + step * n, ...more }));

const days = ['2026-07-29T00:00:00Z', '2026-07-30T00:00:00Z'];
const books = {
  'test-market': offersFrom(0.3, 0.1),
  other: offersFrom(0.26, 0.13, { dlperf: null }),
};

beforeAll(async () => {
  test = await createTestApp();
  otherId = (await ensureMarket(test.sql, 'other', 'recorded')).id;
  await ensureMarket(test.sql, 'empty', 'recorded');
  await landOffers(test.sql, test.market.id, days[1] ?? '', books['test-market']);
  await landOffers(test.sql, otherId, days[0] ?? '', offersFrom(0.5, 0.1));
  await landOffers(test.sql, otherId, '2026-07-30T06:00:00Z', books.other);
  const fields = { name: 'both', rankBy: 'usdPerGpuHour', top: 9, filters: { gpuName: ['RTX 4090'] } };
  watch = await post<WatchAnswer>('/api/watches', { ...fields, market: ['test-market', 'other', 'other'] });
});

describe('a watch of two markets', () => {
  it('names them, is listed by each, and has a name that each knows once', async () => {
    expect([watch.market, watch.markets]).toEqual(['test-market', ['test-market', 'other']]);
    const listed = async (query: string) =>
      (await test.json<{ items: WatchAnswer[] }>(`/api/watches?${query}`)).items.map(({ id }) => id);
    for (const query of ['', 'market=other', 'market=other&market=test-market'])
      expect(await listed(query)).toEqual([watch.id]);
    expect(await listed('market=empty')).toEqual([]);
    await readProblem(await send('POST', '/api/watches', { name: 'both', market: 'other' }), 409);
    const apart = await post<WatchAnswer>('/api/watches', { name: 'both', market: 'empty' });
    await readProblem(await send('PATCH', `/api/watches/${apart.id}`, { market: ['empty', 'other'] }), 409);
    expect(await listed('market=empty&market=other')).toEqual([watch.id, apart.id].toSorted());
    const first = await test.json<{ items: WatchAnswer[]; nextCursor: string }>(
      '/api/watches?market=empty&market=other&limit=1',
    );
    const rest = await listed(`market=empty&market=other&limit=1&cursor=${first.nextCursor}`);
    expect([...first.items.map(({ id }) => id), ...rest].toSorted()).toEqual([watch.id, apart.id].toSorted());
    await send('DELETE', `/api/watches/${apart.id}`);
  });

  it('reports the best offers of both in one order, each with its market, as the raw prices say', async () => {
    const report = await reportOf(watch.id);
    const plain = Object.entries(books)
      .flatMap(([market, offers]) =>
        offers.map(({ offerId, baseUsdPerHour, storageUsdPerGbMonth }) => ({
          ...{ market, offerId },
          value: (baseUsdPerHour ?? 0) + (8 / 720) * (storageUsdPerGbMonth ?? 0),
        })),
      )
      .sort((a, b) => a.value - b.value)
      .slice(0, 9);
    expect(report.items.map(({ rank, market, offerId }) => [rank, market, offerId])).toEqual(
      plain.map(({ market, offerId }, place) => [place + 1, market, offerId]),
    );
    for (const [place, { value }] of report.items.entries())
      expect(value).toBeCloseTo(plain[place]?.value ?? 0, 12);
    expect(report.trends.map(({ market, points }) => [market, points.at(-1)?.median])).toEqual([
      ['other', expect.closeTo(0.26 + 0.13 * 2.5 + (0.09 * 8) / 720, 9)],
      ['test-market', expect.closeTo(0.3 + 0.1 * 2.5 + (0.09 * 8) / 720, 9)],
    ]);
    expect(report.waits.map(({ market }) => market)).toEqual(['test-market', 'other']);
  });

  it('counts each market by its newest book and says how old that is', async () => {
    const report = await reportOf(watch.id);
    const counts = { offers: 6, gpus: 6, machines: 6 };
    expect(report.books.map(({ coverage: _, ...book }) => book)).toEqual([
      {
        ...{ market: 'test-market', observedAt: '2026-07-30T00:00:00.000Z', bookVerdict: 'complete' },
        ...{ dataAgeMinutes: 26 * 60, ...counts, daysOfLast30: 1 },
      },
      {
        ...{ market: 'other', observedAt: '2026-07-30T06:00:00.000Z', bookVerdict: 'complete' },
        ...{ dataAgeMinutes: 20 * 60, ...counts, daysOfLast30: 2 },
      },
    ]);
    expect(report).toMatchObject({
      ...{ observedAt: '2026-07-30T00:00:00.000Z', dataAgeMinutes: 26 * 60 },
      availability: { offers: 12, gpus: 12, machines: 12, daysOfLast30: 2 },
    });
    const matches = await test.json<{ offers: number; markets: { market: string; offers: number }[] }>(
      `/api/watches/${watch.id}/matches`,
    );
    expect([matches.offers, ...matches.markets.map(({ market, offers }) => [market, offers])]).toEqual([
      12,
      ['test-market', 6],
      ['other', 6],
    ]);
  });

  it('quotes offers where they can be rented, and says of the others that they cannot', async () => {
    const report = await reportOf(watch.id);
    for (const { market, canRent, url, offerId, listingId } of report.items) {
      const path = new URL(url).pathname;
      expect([market, canRent, path]).toEqual(
        market === 'other'
          ? ['other', false, `/listings/${listingId}`]
          : ['test-market', true, `/rent/${offerId}`],
      );
    }
    const text = await (await send('POST', `/api/watches/${watch.id}/report`, { format: 'text' })).text();
    expect(text).toContain('   other, on-demand, verified, DE; offer 1');
    expect(text.split('Offerbook does not rent in other')).toHaveLength(5);
    expect(text).toContain(
      'test-market: Book (snapshot of all offers) of 2026-07-30 00:00 UTC, 26 hours old.',
    );
    expect(text).toContain('other: Book (snapshot of all offers) of 2026-07-30 06:00 UTC, 20 hours old.');
  });

  it('says which market has no book, and what of a market cannot be ranked', async () => {
    await send('PATCH', `/api/watches/${watch.id}`, {
      ...{ market: ['test-market', 'other', 'empty'], rankBy: 'usdPerDlperfHour' },
    });
    const report = await reportOf(watch.id);
    expect(report.books.map(({ market, observedAt }) => [market, observedAt === null])).toEqual([
      ['test-market', false],
      ['other', false],
      ['empty', true],
    ]);
    expect(new Set(report.items.map(({ market }) => market))).toEqual(new Set(['test-market']));
    expect(report.unranked).toEqual([{ reason: 'no DLPerf score', offers: 6 }]);
    const text = await (await send('POST', `/api/watches/${watch.id}/report`, { format: 'text' })).text();
    expect(text).toContain('empty: there is no book yet.');
    expect(text).toContain('6 matching offers not ranked: no DLPerf score.');
    await send('PATCH', `/api/watches/${watch.id}`, {
      ...{ market: ['test-market', 'other'], rankBy: 'usdPerGpuHour' },
    });
  });

  it('is a feed of the deals of both, each with its market', async () => {
    const address = `/api/feeds/deals.json?watch=both&market=other&token=${test.tokens.feed}`;
    const feed = (await (await test.app.request(address)).json()) as { items: { content_html: string }[] };
    const shown = feed.items.map(({ content_html: words }) => words.split(',')[0]);
    expect(shown.filter((market) => market === 'other')).toHaveLength(4);
    expect(shown.filter((market) => market === 'test-market')).toHaveLength(5);
  });

  it('makes one feed with the watches of its name in other markets, each item with its market', async () => {
    const own: WatchAnswer[] = [];
    for (const market of ['test-market', 'other']) {
      own.push(await post('/api/watches', { name: 'cheap', market, top: 3, rankBy: 'usdPerGpuHour' }));
    }
    type Feed = { title: string; feed_url: string; items: { id: string; content_html: string }[] };
    const read = async (query: string, format = 'json') =>
      await test.app.request(`/api/feeds/deals.${format}?watch=cheap&token=${test.tokens.feed}${query}`);
    const feed = async (query: string) => (await (await read(query)).json()) as Feed;
    const both = await feed('&market=test-market&market=other');
    const each = [await feed('&market=test-market'), await feed('&market=other')];
    const plain = each.flatMap(({ items }, place) =>
      items.map((item) => ({
        ...item,
        content_html: `${['test-market', 'other'][place]}, ${item.content_html}`,
      })),
    );
    const sorted = (items: Feed['items']) =>
      items.map(({ id, content_html }) => `${id} ${content_html}`).sort();
    expect(sorted(both.items)).toEqual(sorted(plain));
    expect(both.items).toHaveLength(6);
    // The other market's book is the later one.
    const markets = both.items.map(({ content_html: words }) => words.split(',')[0]);
    expect(markets).toEqual([...Array(3).fill('other'), ...Array(3).fill('test-market')]);
    expect([both.title, each[0]?.title]).toEqual(['Offerbook: cheap', 'Offerbook: cheap']);
    expect(both.feed_url).toBe(
      'http://offerbook.test/api/feeds/deals.json?watch=cheap&market=test-market&market=other',
    );
    expect(each.map(({ feed_url }) => feed_url)).toEqual(
      own.map(({ id }) => `http://offerbook.test/api/feeds/deals.json?watch=${id}`),
    );
    expect(await feed('')).toEqual(each[0]);
    // An id is of one watch, whichever markets are named.
    const byId = `/api/feeds/deals.json?watch=${own[0]?.id}&token=${test.tokens.feed}`;
    expect(await (await test.app.request(byId)).json()).toEqual(each[0]);
    for (const format of ['rss', 'atom']) {
      const text = await (await read('&market=test-market&market=other', format)).text();
      expect(text.match(/urn:offerbook:[^<]*:/g)).toHaveLength(6);
    }
    for (const { id } of own) await send('DELETE', `/api/watches/${id}`);
  });

  it('compares with the last report market by market', async () => {
    const { id } = await post<{ id: string }>('/api/channels', { kind: 'file' });
    await send('PATCH', `/api/watches/${watch.id}`, { channelIds: [id] });
    await post(`/api/watches/${watch.id}/report`, { send: true });
    await landOffers(test.sql, otherId, '2026-07-30T12:00:00Z', [makeOffer(1, { baseUsdPerHour: 0.2 })]);
    const report = await reportOf(watch.id);
    expect(report.items[0]).toMatchObject({ market: 'other', offerId: 1, change: 'down' });
    expect(report.gone.map(({ market, offerId }) => [market, offerId])).toEqual(
      [2, 3, 4].map((offerId) => ['other', offerId]),
    );
  });
});
