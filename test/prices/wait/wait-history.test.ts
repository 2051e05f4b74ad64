import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import type { WaitOrRentAnswer } from '../../../src/prices/wait/wait-or-rent.routes.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { databaseUrl } from '../../support/test-database.ts';
import { landOffers, makeOffer } from '../made-offers.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-07-01T00:00:00Z');
const books = 80;
let app: TestApp;
let folder: string;

/** Hourly books: five offers at 0.4, each eighth hour one at 0.3, and always one at an outlier price. */
beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'offerbook-waiting-'));
  const free = { storageUsdPerGbMonth: 0 };
  for (let hour = 0; hour < books; hour += 1) {
    const at = new Date(start + hour * hourMs).toISOString();
    const usual = [1, 2, 3, 4, 5].map((id) => makeOffer(id, free));
    const cheap = hour % 8 === 0 ? [makeOffer(6, { ...free, baseUsdPerHour: 0.3 })] : [];
    await landOffers(app.sql, app.market.id, at, [
      ...[...usual, ...cheap, makeOffer(7, { ...free, baseUsdPerHour: 0.01 })],
    ]);
    const bid = makeOffer(1, { ...free, baseUsdPerHour: hour % 10 === 9 ? 0.22 : 0.2 });
    await landOffers(app.sql, app.market.id, at, [bid], { type: 'bid' });
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = async (query: string) => await app.json<WaitOrRentAnswer>(`/api/wait-or-rent?${query}`);

describe('GET /api/wait-or-rent', () => {
  it('returns how often and how soon a cheaper offer came, without outliers', async () => {
    const { overall, priceNow, percentileNow } = await ask('gpuName=RTX+4090&hours=2');
    expect([priceNow, percentileNow]).toEqual([0.4, expect.any(Number)]);
    // Of 78 books with two hours after them, 18 have a cheap one there: those at 6 and 7 of each 8 hours.
    expect(overall).toMatchObject({ status: 'ok', books: 78, cases: 39 });
    for (const drop of overall.drops) {
      expect([drop.chance, drop.medianHours]).toEqual([expect.closeTo(18 / 78, 9), 1.5]);
    }
  });

  it('reports insufficient data, and then returns no chance', async () => {
    const { overall } = await ask('gpuName=RTX+4090&hours=24');
    expect(overall).toMatchObject({ status: 'insufficient', cases: 3, neededCases: 30 });
    expect(overall.drops.map(({ chance, medianHours }) => [chance, medianHours])).toEqual([
      ...[
        [null, null],
        [null, null],
        [null, null],
      ],
    ]);
  });

  it('returns the share of bids that was not outbid', async () => {
    const { bidSurvival } = await ask('gpuName=RTX+4090');
    const within = (hours: number, raisePercent: number) =>
      bidSurvival.bids.find((each) => each.hours === hours && each.raisePercent === raisePercent);
    // 79 bids with an hour after them; those at 8 of each 10 hours are outbid.
    expect(within(1, 0)).toMatchObject({
      share: expect.closeTo(71 / 79, 9),
      bids: 79,
      cases: 79,
      unknown: 0,
    });
    expect(within(1, 25)).toMatchObject({ share: 1, status: 'ok' });
    expect(within(24, 0)).toMatchObject({ status: 'insufficient', share: null, cases: 3 });
    // Also if the requested price is that of bids.
    const ofBids = await ask('gpuName=RTX+4090&type=bid');
    expect([ofBids.bidSurvival, ofBids.priceNow]).toEqual([bidSurvival, 0.22]);
  });

  it('uses the cheapest of several models, and is recomputed when a book lands', async () => {
    const { id } = await ensureMarket(app.sql, 'two-models', 'recorded');
    const free = { storageUsdPerGbMonth: 0 };
    const land = async (hour: number, others: number[]): Promise<void> => {
      const dear = others.map((baseUsdPerHour, place) =>
        makeOffer(20 + place, { ...free, gpuName: 'RTX 3090', baseUsdPerHour }),
      );
      const at = new Date(start + hour * hourMs).toISOString();
      await landOffers(app.sql, id, at, [makeOffer(1, free), ...dear]);
    };
    for (let hour = 0; hour < 34; hour += 1) await land(hour, hour % 8 === 0 ? [0.5, 0.5, 0.3] : [0.5, 0.5]);
    // Of 33 books with an hour after them, 4 have the other model's cheap one there: hours 7, 15, 23 and 31.
    for (const query of ['', '&gpuName=RTX+4090&gpuName=RTX+3090']) {
      const { overall, priceNow } = await ask(`market=two-models&hours=1${query}`);
      expect([priceNow, overall.books, overall.drops[0]?.chance]).toEqual([0.4, 33, 4 / 33]);
    }
    await land(34, [0.5, 0.2]);
    const { overall, priceNow } = await ask('market=two-models&hours=1');
    expect([priceNow, overall.books, overall.drops[0]?.chance]).toEqual([0.2, 34, 5 / 34]);
  });

  it('handles a market without books, and refuses hours out of range', async () => {
    await ensureMarket(app.sql, 'empty', 'recorded');
    const { observedAt, priceNow, overall, bidSurvival } = await ask('market=empty');
    expect([observedAt, priceNow, overall.status]).toEqual([null, null, 'insufficient']);
    expect(bidSurvival).toEqual({ observedAt: null, bids: [] });
    for (const query of [
      'hours=0',
      'hours=169',
      'hours=1.5',
      'type=on-demand&type=bid',
      'gpuName=RTX+4091',
    ]) {
      await app.problem(`/api/wait-or-rent?${query}`, 400);
    }
  });
});

it('is printed by `offerbook wait-or-rent`', async () => {
  const config = loadConfig({ DATABASE_URL: databaseUrl(app.target), DATA_DIR: folder });
  const words = ['wait-or-rent', '--market', 'test-market', '--gpu-name', 'RTX 4090', '--hours', '2'];
  const { stdout, code } = await runInProcess(words, config);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Lowest all-in price of a matching on-demand offer: $0.4000/hour'),
  ]);
  expect(stdout).toMatch(
    /Cheaper within 2 h, over the past year \(39 periods\):\nCheaper by +Chance +Usual wait/,
  );
  expect(stdout).toMatch(/minimum bid \+ 10% +1 h +100%/);
  const json = await runInProcess([...words, '--json'], config);
  expect(JSON.parse(json.stdout)).toEqual(await ask('gpuName=RTX+4090&hours=2'));
});
