import { beforeAll, describe, expect, it } from 'vitest';
import { storeSnapshot } from '../../src/prices/catalogs/catalogs.sql.ts';
import { readCatalog } from '../../src/prices/catalogs/read-catalog.ts';
import type {
  ExplanationAnswer,
  FigureExplanationAnswer,
} from '../../src/prices/explain/explanation-schema.ts';
import type { ForecastAnswer } from '../../src/prices/forecast/forecast.routes.ts';
import type { IndexAnswer } from '../../src/prices/index/price-index.routes.ts';
import type { ListingHistoryAnswer } from '../../src/prices/listings/listings.routes.ts';
import type { MarketAnswer } from '../../src/prices/newest/market.routes.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import type { PatternsAnswer } from '../../src/prices/trends/patterns.routes.ts';
import type { TrendsAnswer } from '../../src/prices/trends/trends.routes.ts';
import type { WaitOrRentAnswer } from '../../src/prices/wait/wait-or-rent.routes.ts';
import { trendStatistics } from '../../web/prices/trends/trend-statistics.ts';
import { hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { createTestApp, landFiles, type TestApp } from '../support/test-app.ts';
import { card, makeCatalog } from './catalogs/made-catalog.ts';

type Explained = ExplanationAnswer | FigureExplanationAnswer;

describe.skipIf(!hasRecordedData)('explained figures of recorded books', { timeout: 120_000 }, () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    test.clock.now = new Date('2026-08-01T02:00:00Z');
    await landFiles(test, marketBookFiles);
  }, 300_000);

  /** The explanation, after looking that it re-adds up and that each row left out has its reason. */
  async function explain<Answer extends Explained = FigureExplanationAnswer>(query: string): Promise<Answer> {
    const answer = await test.json<Answer>(`/api/explain?${query}`);
    expect(answer.text.length).toBeGreaterThan(0);
    expect(Object.keys(answer.value).length).toBeGreaterThan(0);
    expectSame(answer.recomputed, answer.value);
    expect(answer.agrees).toBe(true);
    const left = await test.json<Answer>(`/api/explain?${query}&rows=rejected`);
    expect(left.items.filter(({ rejected }) => typeof rejected !== 'string' || rejected === '')).toEqual([]);
    const counted = answer.rejected.reduce((sum, { rows }) => sum + rows, 0);
    expect(left.items.length).toBe(Math.min(100, counted));
    return answer;
  }

  it.each(['1h', '1d', '1w'])(
    'the point of a bucket (%s) equals the one computed from the prices of its books',
    async (bucket) => {
      for (const query of [
        'gpuName=RTX+4090',
        '',
        'gpuName=RTX+4090&numGpus=1',
        'metric=allInUsdPerHour&downGb=50&gpuName=H100+SXM',
      ]) {
        const { series } = await test.json<TrendsAnswer>(
          `/api/trends?bucket=${bucket}&from=2026-07-01&${query}`,
        );
        const point = series[0]?.points.at(-1);
        const answer = await explain<ExplanationAnswer>(`of=bucket&bucket=${bucket}&at=${point?.t}&${query}`);
        expect(answer.value.median).toBe(point?.median);
        expect(answer.value.observations).toBe(point?.observations);
        const booksOfItems = answer.items.map(({ books }) => books);
        if (answer.nextCursor === null)
          expect(booksOfItems.reduce((sum, books) => sum + books, 0)).toBe(point?.observations);
      }
    },
  );

  it('the median of the market equals that of the book', async () => {
    const { items, observedAt } = await test.json<MarketAnswer>('/api/market');
    for (const { gpuName, median } of items.slice(0, 3)) {
      const query = `of=book&at=${observedAt}&gpuName=${encodeURIComponent(gpuName)}`;
      const { recomputed } = await explain<ExplanationAnswer>(query);
      expect(recomputed.median).toBeCloseTo(median ?? Number.NaN, 9);
    }
  });

  it.each(['on-demand', 'bid'])('each figure of a row of the market (%s) is made again', async (type) => {
    const { items, observedAt } = await test.json<MarketAnswer>(`/api/market?type=${type}`);
    let outliers = 0;
    for (const [place, row] of items.filter(({ offers }) => offers > 5).entries()) {
      const model = `type=${type}&gpuName=${encodeURIComponent(row.gpuName)}`;
      const lowest = await explain(`of=lowest&${model}`);
      expect(lowest.value).toEqual({ lowest: row.lowest });
      expect(lowest.taken + lowest.rejected.reduce((sum, { rows }) => sum + rows, 0)).toBe(row.offers);
      outliers += lowest.rejected.find(({ reason }) => reason === 'outlier')?.rows ?? 0;
      if (place > 5) continue;
      const book = await explain<ExplanationAnswer>(`of=book&at=${observedAt}&${model}`);
      const { offers, gpus, machines, physicalGpus, physicalGpusIsLowerBound } = row;
      expect(book.value).toMatchObject({ offers, gpus, machines, physicalGpus, physicalGpusIsLowerBound });
      if (type === 'bid' || row.bidMedian === null) continue;
      const { bidSpreadPercent, median, bidMedian } = row;
      const spread = await explain(`of=bid-spread&${model}`);
      expect(spread.value).toEqual({ bidSpreadPercent, median, bidMedian });
      const bids = await explain<ExplanationAnswer>(`of=book&${model.replace(type, 'bid')}`);
      expect(bids.value.median).toBeCloseTo(bidMedian ?? Number.NaN, 9);
    }
    expect(outliers).toBeGreaterThan(0);
  });

  it.each(['bucket=1d', 'bucket=1h&type=bid', 'metric=allInUsdPerHour&downGb=50'])(
    'what a median did over a range is made of its points (%s)',
    async (query) => {
      const asked = `gpuName=RTX+4090&from=2026-07-15&${query}`;
      const points = query.includes('bucket') ? asked : `${asked}&bucket=book`;
      const { series } = await test.json<TrendsAnswer>(`/api/trends?${points}`);
      const { lowest, mean, highest, change } = trendStatistics(series[0]?.points ?? []);
      const answer = await explain(`of=range&${asked}`);
      expect(answer.value).toEqual({
        ...{ lowest, highest, mean: expect.closeTo(mean ?? Number.NaN, 9) },
        changePercent: expect.closeTo(100 * (change ?? Number.NaN), 9),
      });
      expect(answer.taken).toBe(series[0]?.points.filter(({ median }) => median !== null).length);
    },
  );

  it.each(['book', '1h', '1d'])(
    'supply of both types together is counted round by round (%s)',
    async (bucket) => {
      for (const query of ['gpuName=RTX+4090', 'gpuName=H100+SXM&numGpus=1']) {
        const types = `type=on-demand&type=bid&${query}`;
        const { supply } = await test.json<TrendsAnswer>(
          `/api/trends?bucket=${bucket}&from=2026-07-20&${types}`,
        );
        const points = supply[0]?.points ?? [];
        for (const point of [points[0], points.at(-1)]) {
          const width = bucket === 'book' ? '' : `&bucket=${bucket}`;
          const answer = await explain(`of=supply&at=${point?.t}&${types}${width}`);
          expect(point).toMatchObject(answer.value);
          expect(answer.taken).toBe(point?.rounds);
        }
      }
    },
  );

  it('the cheapest cloud is found again among all list prices, those left out with the reason', async () => {
    const rows = [
      card({ AcceleratorCount: 2, Price: '0.9', Region: 'there' }),
      card({ Price: '0.5', SpotPrice: '0.1' }),
      card({ AcceleratorName: 'H100', Price: '9' }),
      card({ AcceleratorName: 'H100', InstanceType: 'h100-sxm', Price: '10' }),
    ];
    const asOf = new Date('2026-07-01T00:00:00Z');
    const catalog = readCatalog('vms.csv', makeCatalog(rows));
    await storeSnapshot(test.sql, { provider: 'a', asOf, importedAt: asOf, catalog, replace: false });
    const { items } = await test.json<MarketAnswer>('/api/market');
    for (const [gpuName, taken, reasons] of [
      ['RTX 4090', 2, ['spot price']],
      ['H100 SXM', 1, ['it may be another model']],
    ] as const) {
      const row = items.find((each) => each.gpuName === gpuName);
      const answer = await explain(`of=list-price&gpuName=${encodeURIComponent(gpuName)}`);
      const { usdPerGpuHour, abovePercent } = row?.cheapestCloud ?? {};
      expect(answer.value).toEqual({ usdPerGpuHour, abovePercent, median: row?.median });
      expect([answer.taken, answer.rejected.map(({ reason }) => reason)]).toEqual([taken, reasons]);
      const line = await explain(
        `of=list-price&gpuName=${encodeURIComponent(gpuName)}&at=2026-07-20T00:00:00Z`,
      );
      expect(line.value).toEqual({ usdPerGpuHour });
    }
    await test.problem('/api/explain?of=list-price&gpuName=L40S', 404);
  });

  it.each(['', '&timeZone=America/New_York&numGpus=1'])(
    'hours of the week and the volatility are made again from the prices of their books (%s)',
    async (more) => {
      const query = `gpuName=RTX+4090&from=2026-07-15${more}`;
      const shown = await test.json<PatternsAnswer>(`/api/patterns?${query}`);
      // Two weeks of books have no cheapest hour.
      expect(shown.cheapestHour).toBeNull();
      await test.problem(`/api/explain?of=week&${query}`, 404);
      for (const cell of [shown.hoursOfWeek[0], shown.hoursOfWeek.at(-1)]) {
        const answer = await explain(`of=week&${query}&weekday=${cell?.weekday}&hour=${cell?.hour}`);
        expect(cell).toMatchObject(answer.value);
        expect(answer.taken).toBe(cell?.hours);
      }
      const { volatilityPercent, days } = shown;
      const moved = await explain(`of=volatility&${query}`);
      expect(moved.value).toEqual({ volatilityPercent, days });
      expect([moved.taken, volatilityPercent === null]).toEqual([days, false]);
    },
  );

  it('ranks and verdicts equal those of the ranking', async () => {
    for (const type of ['on-demand', 'bid']) {
      const { items } = await test.json<RankingsAnswer>(
        `/api/rankings?type=${type}&gpuName=RTX+4090&limit=1000`,
      );
      for (const place of [0, 3, Math.floor(items.length / 2), items.length - 1]) {
        const item = items[place];
        const listing = `type=${type}&listingId=${item?.listingId}`;
        const rank = await explain<ExplanationAnswer>(`of=ranking&gpuName=RTX+4090&${listing}`);
        expect(item).toMatchObject(rank.value);
        expect(Object.keys(rank.value)).toHaveLength(5);
        const verdict = await explain(`of=verdict&${listing}`);
        const { windows = [], lowestInDays, comparableNow, summary } = item?.verdict ?? {};
        const window = windows.find(({ days }) => days === (summary?.days ?? 30));
        const { pricedDays, lowerDays } = window ?? {};
        expect(verdict.value).toMatchObject({
          ...Object.fromEntries(windows.map(({ days, percentile }) => [`percentile${days}`, percentile])),
          ...{ lowestInDays, pricedDays, lowerDays, percentileNow: comparableNow?.percentile },
        });
        expect(verdict.taken).toBe(verdict.value.samples);
        expect(verdict.text.join(' ')).toContain(
          'A day counts however briefly it cost less: for most of the time',
        );
      }
    }
  });

  it('points of the index and changes are solved again from the listings of the window', async () => {
    for (const gpuName of ['RTX 4090', 'L40S', 'H100 SXM']) {
      const model = `gpuName=${encodeURIComponent(gpuName)}`;
      const { series } = await test.json<IndexAnswer>(`/api/index?${model}&from=2026-07-01`);
      const [{ points = [], changes = [] } = {}] = series;
      for (const point of [points[0], points.at(4), points.at(-1)]) {
        const answer = await explain(`of=index&${model}&at=${point?.t}`);
        const { index, movementPercent, stderrPercent, listings, observations } = point ?? {};
        expect(answer.value).toEqual({ index, movementPercent, stderrPercent, listings, observations });
      }
      for (const { days, ...change } of changes) {
        const answer = await explain(`of=change&${model}&days=${days}`);
        expect(change).toMatchObject(answer.value);
      }
    }
  });

  it('forecasts are recomputed candidate by candidate, and say why they are withheld', async () => {
    const { series } = await test.json<ForecastAnswer>('/api/forecast?gpuName=RTX+4090');
    for (const horizon of series[0]?.horizons ?? []) {
      const answer = await explain(`of=forecast&gpuName=RTX+4090&days=${horizon.days}`);
      expect(horizon).toMatchObject(answer.value);
      expect(answer.text.join(' ')).toContain('Withheld');
    }
  });

  it('results of waiting are recounted book by book', async () => {
    const shown = await test.json<WaitOrRentAnswer>('/api/wait-or-rent?gpuName=RTX+4090&hours=24');
    const answer = await explain('of=wait&gpuName=RTX+4090&hours=24');
    expect(answer.value).toMatchObject({
      ...{ priceNow: shown.priceNow, percentileNow: shown.percentileNow },
      ...{ books: shown.overall.books, cases: shown.overall.cases },
    });
  });

  it('the prices of a listing equal those of its history', async () => {
    const { items } = await test.json<RankingsAnswer>('/api/rankings?gpuName=RTX+4090&limit=5');
    for (const { listingId } of items) {
      const { priceIntervals } = await test.json<ListingHistoryAnswer>(`/api/listings/${listingId}/history`);
      const answer = await explain(`of=listing&listingId=${listingId}`);
      expect(answer.value.usdPerGpuHour).toBe(priceIntervals.at(-1)?.usdPerGpuHour);
      expect(answer.taken).toBe(priceIntervals.length);
    }
  });
});

/** Every figure of `value` made again, numbers to 8 digits. */
function expectSame(recomputed: object, value: Readonly<Record<string, unknown>>): void {
  const again = recomputed as Record<string, unknown>;
  for (const [name, shown] of Object.entries(value)) {
    if (typeof shown !== 'number') expect([name, again[name] ?? null]).toEqual([name, shown]);
    else
      expect([
        name,
        Math.abs((again[name] as number) - shown) <= Math.max(5.1e-10, 1e-8 * Math.abs(shown)),
      ]).toEqual([name, true]);
  }
}
