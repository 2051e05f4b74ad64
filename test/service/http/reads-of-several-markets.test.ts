import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CrawlAnswer } from '../../../src/books/crawls.routes.ts';
import { finishCrawl, startCrawl } from '../../../src/books/crawls.sql.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import type { CatalogPricesAnswer } from '../../../src/prices/catalogs/catalogs.routes.ts';
import { storeSnapshot } from '../../../src/prices/catalogs/catalogs.sql.ts';
import { readCatalog } from '../../../src/prices/catalogs/read-catalog.ts';
import type { BlocklistEntryAnswer } from '../../../src/prices/rankings/blocklist.routes.ts';
import { putOnBlocklist } from '../../../src/prices/rankings/blocklist.sql.ts';
import type { RankingGroupsAnswer } from '../../../src/prices/rankings/ranking-groups.routes.ts';
import type { RankingsAnswer } from '../../../src/prices/rankings/rankings.routes.ts';
import type { BookAnswer } from '../../../src/service/deletion/stored-books.routes.ts';
import type { NewSheetLinkAnswer, SheetLinksAnswer } from '../../../src/service/exports/sheets.routes.ts';
import { card, makeCatalog } from '../../prices/catalogs/made-catalog.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';

const names = ['test-market', 'other'] as const;
const both = 'market=test-market&market=other';
const hour = (n: number): string => new Date(Date.UTC(2026, 6, 30, n)).toISOString();

type List<T> = { items: T[]; nextCursor: string | null };

let test: TestApp;

/** The answer for each market alone. */
const alone = async <T>(path: string): Promise<Record<(typeof names)[number], T>> => {
  const read = (market: string) => test.json<T>(`${path}${path.includes('?') ? '&' : '?'}market=${market}`);
  return { 'test-market': await read('test-market'), other: await read('other') };
};

/** All items of a list, read in pages of two. */
async function paged<T>(path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: List<T> = await test.json<List<T>>(
      `${path}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

beforeAll(async () => {
  test = await createTestApp();
  const { sql, market } = test;
  const { id: otherId } = await ensureMarket(sql, 'other', 'recorded');
  const ids = { 'test-market': market.id, other: otherId };
  // Ids and listings mean nothing beyond their market; prices, moments and places of the two alternate.
  for (const [place, name] of names.entries()) {
    const offers = Array.from({ length: 9 }, (_, n) =>
      makeOffer(n + 1, {
        machineId: Math.floor(n / 2),
        baseUsdPerHour: 0.3 + 0.11 * n + 0.05 * place,
        country: ['DE', 'SE', null][n % 3] ?? null,
        gpuName: n < 5 ? 'RTX 4090' : place === 0 ? 'H100 SXM' : 'A100 SXM4',
        numGpus: 1 + (n % 2),
      }),
    );
    for (const at of [0, 2, 4]) await landOffers(sql, ids[name], hour(at + place), offers);
    for (const at of [10, 12, 14]) {
      const id = uuidv7();
      const startedAt = new Date(hour(at + place));
      const made = { id, scopeName: 'default', type: 'on-demand', cause: 'cron', startedAt } as const;
      await startCrawl(sql, { ...made, marketId: ids[name] });
      const end = { outcome: 'failed', reason: `of ${name}`, certificate: null, bookId: null } as const;
      await finishCrawl(sql, id, { ...end, endedAt: new Date(hour(at + 1)) });
    }
  }
  for (const machineId of [901, 902, 903]) {
    for (const marketId of Object.values(ids)) {
      const entry = { kind: 'prefer', hostId: null, note: null, at: new Date(hour(0)) } as const;
      await putOnBlocklist(sql, { ...entry, marketId, machineId });
    }
  }
  const rows = [card(), card({ Region: 'there', Price: 0.4 })];
  const snapshot = { provider: 'a', asOf: new Date(hour(3)), importedAt: new Date(hour(3)) };
  await storeSnapshot(sql, {
    ...snapshot,
    catalog: readCatalog('vms.csv', makeCatalog(rows)),
    replace: false,
  });
});

describe('a read of two markets', () => {
  it('groups the ranking of both, each group of one market', async () => {
    const asked = [
      ['', ''],
      ['&groupBy=country', ''],
      ['&groupBy=gpuName', '&gpuName=RTX+4090'],
    ] as const;
    for (const [grouping, filter] of asked) {
      const path = `/api/rankings/groups?by=usdPerGpuHour${grouping}${filter}`;
      const answer = await test.json<RankingGroupsAnswer>(`${path}&${both}`);
      const each = await alone<RankingGroupsAnswer>(path);
      const ranked = await test.json<RankingsAnswer>(`/api/rankings?${both}&by=usdPerGpuHour${filter}`);
      const rankOf = (market: string, listingId: string) =>
        ranked.items.find((item) => item.market === market && item.listingId === listingId)?.rank;
      const plain = names
        .flatMap((market) =>
          each[market].groups.map(({ best, ...group }) => ({
            ...{ market, ...group },
            best: { ...best, rank: rankOf(market, best.listingId) },
          })),
        )
        .sort((a, b) => a.min - b.min);
      expect(answer.groups).toEqual(plain);
      expect(answer.groups.length).toBeGreaterThan(1);
      expect(new Set(answer.groups.map(({ market }) => market))).toEqual(new Set(names));
      expect([answer.by, answer.unit, answer.observedAt]).toEqual(['usdPerGpuHour', 'USD/GPU/hour', hour(4)]);
    }
  });

  it('has list prices for the lines of each, over one range', async () => {
    const query = 'gpuName=RTX+4090&gpuName=H100+SXM&type=on-demand&type=bid';
    const path = `/api/catalogs/prices?${query}&from=${hour(0)}&to=${hour(6)}`;
    const { series } = await test.json<CatalogPricesAnswer>(`${path}&${both}`);
    // Its own models alone: one that a market never listed is refused.
    const own = await test.json<CatalogPricesAnswer>(`${path}&market=test-market`);
    const plain = names.flatMap((market) =>
      own.series.map(({ type, gpuName, steps }) => ({
        ...{ key: `${market}|${type}|${gpuName}`, market, gpuName, type, steps },
      })),
    );
    expect(series).toEqual(plain);
    const [first] = series;
    expect(first?.steps.map(({ t, price }) => [t, price?.usdPerGpuHour ?? null])).toEqual([
      [hour(0), null],
      [hour(3), 0.4],
    ]);
    const shared = `/api/catalogs/prices?gpuName=RTX+4090&from=${hour(0)}`;
    const open = await test.json<CatalogPricesAnswer>(`${shared}&${both}`);
    const each = await alone<CatalogPricesAnswer>(shared);
    expect(open.series.map(({ steps }) => steps)).toEqual(names.map((name) => each[name].series[0]?.steps));
    await test.problem(`/api/catalogs/prices?gpuName=RTX+409O&${both}`, 400);
  });

  it('lists the crawls of both, newest first, each with its market, and pages them', async () => {
    const answer = await test.json<List<CrawlAnswer>>(`/api/crawls?${both}`);
    const each = await alone<List<CrawlAnswer>>('/api/crawls');
    const plain = names
      .flatMap((market) => each[market].items.map((item) => ({ ...item, market })))
      .sort((a, b) => byText(b.startedAt ?? '', a.startedAt ?? '') || byText(b.id, a.id));
    expect(answer).toEqual({ items: plain, nextCursor: null });
    expect(answer.items.map(({ market, reason }) => [market, reason])).toEqual(
      ['other', 'test-market', 'other', 'test-market', 'other', 'test-market'].map((name) => [
        name,
        `of ${name}`,
      ]),
    );
    expect(await paged(`/api/crawls?${both}`)).toEqual(plain);
    const none = await test.json<List<CrawlAnswer>>(`/api/crawls?${both}&outcome=complete`);
    expect(none.items).toEqual([]);
  });

  it('lists the books of both, newest first, and pages them', async () => {
    const { items } = await test.json<List<BookAnswer>>(`/api/books?${both}`);
    const each = await alone<List<BookAnswer>>('/api/books');
    const plain = [...each['test-market'].items, ...each.other.items].sort((a, b) =>
      byText(b.observedAt, a.observedAt),
    );
    expect(items).toEqual(plain);
    expect(items.map(({ market, observedAt }) => [market, observedAt])).toEqual(
      [5, 4, 3, 2, 1, 0].map((n) => [n % 2 === 1 ? 'other' : 'test-market', hour(n)]),
    );
    expect(await paged(`/api/books?${both}`)).toEqual(plain);
  });

  it('lists the block lists of both in the order of the additions, and pages them', async () => {
    const { items } = await test.json<List<BlocklistEntryAnswer>>(`/api/blocklist?${both}`);
    const each = await alone<List<BlocklistEntryAnswer>>('/api/blocklist');
    const plain = [...each['test-market'].items, ...each.other.items].sort((a, b) => byText(a.id, b.id));
    expect(items).toEqual(plain);
    expect(items.map(({ market, machineId }) => `${market} ${machineId}`)).toEqual(
      [901, 902, 903].flatMap((machineId) => names.map((name) => `${name} ${machineId}`)),
    );
    expect(await paged(`/api/blocklist?${both}`)).toEqual(plain);
  });
});

type Row = Record<string, unknown>;
const screens: [string, string, (a: Row, b: Row) => number][] = [
  [
    'offers',
    '',
    (a, b) =>
      byText(String(a.gpuName), String(b.gpuName)) || Number(a.usdPerGpuHour) - Number(b.usdPerGpuHour),
  ],
  ['rankings', '&by=usdPerGpuHour', (a, b) => Number(a.value) - Number(b.value)],
  ['trends', `&gpuName=RTX+4090&from=${hour(0)}&to=${hour(6)}`, () => 0],
  ['index', `&gpuName=RTX+4090&from=2026-07-29&to=2026-07-31`, () => 0],
];

describe('an export of two markets', () => {
  it.each(screens)('%s: the rows of both, each naming its market first', async (screen, query, order) => {
    const path = `/api/exports/${screen}.json`;
    const rows = await test.json<Row[]>(`${path}?${both}${query}`);
    const each = await alone<Row[]>(`${path}?${query.slice(1)}`);
    const plain = names
      .flatMap((market) => each[market].map((row): Row => ({ market, ...row })))
      .sort(order)
      .map((row, index) => (screen === 'rankings' ? { ...row, rank: index + 1 } : row))
      // Of several books the oldest, as in the list itself.
      .map((row) => ('observedAt' in row ? { ...row, observedAt: hour(4) } : row))
      .map((row) =>
        'key' in row ? { ...row, key: `${String(row.market)}|on-demand|${String(row.key)}` } : row,
      );
    expect(rows).toEqual(plain);
    expect(new Set(rows.map(({ market }) => market))).toEqual(new Set(names));
    const heads = async (asked: string) =>
      (await (await test.get(`/api/exports/${screen}.csv?${asked}${query}`)).text()).split('\n')[0]?.trim();
    expect(await heads(both)).toBe(`market,${await heads('market=other')}`);
    // The same one twice is one.
    expect(await heads('market=other&market=other')).toBe(await heads('market=other'));
    expect(await heads('')).toBe(await heads('market=other'));
  });

  it('of spend is of one account', async () => {
    const { errors } = await test.problem(`/api/exports/spend.csv?${both}`, 400);
    expect(errors.map(({ name }) => name)).toEqual(['market']);
  });
});

const send = async (method: string, path: string, body?: object): Promise<Response> =>
  await test.app.request(path, {
    method,
    headers: { authorization: `Bearer ${test.tokens.operator}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const sheetsOf = async (query: string) =>
  (await (await send('GET', `/api/sheets?${query}`)).json()) as SheetLinksAnswer;

describe('a live sheet of two markets', () => {
  const make = async (body: object): Promise<NewSheetLinkAnswer> => {
    const answer = await send('POST', '/api/sheets', {
      export: 'rankings',
      query: { by: 'usdPerGpuHour' },
      ...body,
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as NewSheetLinkAnswer;
  };

  it('has the rows of both, and is listed under each with all its markets', async () => {
    const two = await make({ market: [...names], note: 'both' });
    const [first, second] = [await make({ note: 'first' }), await make({ market: 'other', note: 'second' })];
    expect([two.market, two.markets]).toEqual(['test-market', [...names]]);
    expect(['markets' in first, second.market, 'markets' in second]).toEqual([false, 'other', false]);
    const shown = await (await test.app.request(new URL(two.url).pathname)).text();
    const file = await test.get(`/api/exports/rankings.csv?${both}&by=usdPerGpuHour`);
    expect(shown).toBe(await file.text());
    expect(shown.trim().split('\n')).toHaveLength(1 + 18);
    const notes = async (query: string) => (await sheetsOf(query)).items.map(({ note }) => note);
    expect(await notes('')).toEqual(['first', 'both']);
    expect(await notes('market=other')).toEqual(['second', 'both']);
    expect(await notes(both)).toEqual(['second', 'first', 'both']);
    const listed = (await sheetsOf(both)).items.at(-1);
    expect(listed).toMatchObject({ market: 'test-market', markets: [...names], note: 'both' });
  });

  it('is refused for spend, and for a market that is unknown', async () => {
    const spend = await send('POST', '/api/sheets', { export: 'spend', market: [...names] });
    expect((await readProblem(spend, 400)).errors.map(({ name }) => name)).toEqual(['market']);
    const unknown = await send('POST', '/api/sheets', { export: 'offers', market: ['other', 'elsewhere'] });
    expect((await readProblem(unknown, 400)).detail).toContain('elsewhere');
  });
});

describe('a read of one market', () => {
  it('answers without markets in rows that never had them', async () => {
    const keys = async (path: string, list: string): Promise<string[]> =>
      Object.keys((await test.json<Record<string, object[]>>(path))[list]?.[0] ?? {});
    const group = [
      'gpuName',
      'country',
      'offers',
      'gpus',
      'machines',
      'min',
      'lowest',
      'median',
      'max',
      'best',
    ];
    const crawl = ['id', 'kind', 'scope', 'type', 'cause', 'startedAt', 'endedAt', 'outcome', 'reason'];
    for (const query of ['', 'market=test-market', 'market=other', 'market=other&market=other']) {
      expect(await keys(`/api/rankings/groups?${query}`, 'groups')).toEqual(group);
      expect(await keys(`/api/catalogs/prices?gpuName=RTX+4090&${query}`, 'series')).toEqual([
        'key',
        'gpuName',
        'type',
        'steps',
      ]);
      const crawlKeys = await keys(`/api/crawls?${query}`, 'items');
      expect(crawlKeys.filter((key) => crawl.includes(key))).toEqual(crawl);
      expect(crawlKeys).not.toContain('market');
    }
    const { items } = await test.json<List<CrawlAnswer>>('/api/crawls');
    const one = await test.json<CrawlAnswer>(`/api/crawls/${items[0]?.id}`);
    expect(one).toEqual(items[0]);
  });
});
