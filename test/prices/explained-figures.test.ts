import { beforeAll, describe, expect, it } from 'vitest';
import type {
  ExplanationAnswer,
  FigureExplanationAnswer,
} from '../../src/prices/explain/explanation-schema.ts';
import type { ForecastAnswer } from '../../src/prices/forecast/forecast.routes.ts';
import type { IndexAnswer } from '../../src/prices/index/price-index.routes.ts';
import type { ListingHistoryAnswer } from '../../src/prices/listings/listings.routes.ts';
import type { MarketAnswer } from '../../src/prices/newest/market.routes.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import type { TrendsAnswer } from '../../src/prices/trends/trends.routes.ts';
import type { WaitOrRentAnswer } from '../../src/prices/wait/wait-or-rent.routes.ts';
import { hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { createTestApp, landFiles, type TestApp } from '../support/test-app.ts';

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

  it('ranks and verdicts equal those of the ranking', async () => {
    for (const type of ['on-demand', 'bid']) {
      const { items } = await test.json<RankingsAnswer>(
        `/api/rankings?type=${type}&gpuName=RTX+4090&limit=1000`,
      );
      for (const place of [0, 3, Math.floor(items.length / 2), items.length - 1]) {
        const item = items[place];
        const listing = `type=${type}&listingId=${item?.listingId}`;
        const rank = await explain<ExplanationAnswer>(`of=ranking&gpuName=RTX+4090&${listing}`);
        expect(rank.value).toEqual({ rank: item?.rank, value: item?.value });
        const verdict = await explain(`of=verdict&${listing}`);
        const { windows = [], lowestInDays, comparableNow } = item?.verdict ?? {};
        expect(verdict.value).toMatchObject({
          ...Object.fromEntries(windows.map(({ days, percentile }) => [`percentile${days}`, percentile])),
          ...{ lowestInDays, percentileNow: comparableNow?.percentile },
        });
        expect(verdict.taken).toBe(verdict.value.samples);
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
        Math.abs((again[name] as number) - shown) <= 1e-8 * Math.max(1e-3, Math.abs(shown)),
      ]).toEqual([name, true]);
  }
}
