import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TrendsAnswer } from '../../src/prices/trends/trends.routes.ts';
import { hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { createTestApp, landFiles, type TestApp } from '../support/test-app.ts';

/** A line of the recorded files. */
interface RawOffer {
  scraped_at: string;
  rental_type: string;
  gpu_name: string;
  num_gpus: number;
  dph_base: number;
  storage_cost: number;
}

const grains = { '1h': 3_600_000, '1d': 86_400_000, '1w': 7 * 86_400_000 };
type Grain = keyof typeof grains;
/** Weeks begin on Mondays: 1970-01-05 was the first. */
const origin = (grain: Grain): number => (grain === '1w' ? 4 * 86_400_000 : 0);

describe.skipIf(!hasRecordedData)(
  'trends of hours, days and weeks over the recorded books',
  { timeout: 300_000 },
  () => {
    let app: TestApp;
    let offers: RawOffer[];

    beforeAll(async () => {
      app = await createTestApp();
      await landFiles(app, marketBookFiles);
      offers = marketBookFiles.flatMap((file) =>
        gunzipSync(readFileSync(file))
          .toString('utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as RawOffer),
      );
    }, 600_000);

    it.each(['1h', '1d', '1w'] as const)(
      'equal a plain recomputation from the raw files: %s',
      async (grain) => {
        const models = [...new Set(offers.map(({ gpu_name }) => gpu_name))].sort();
        const asked = models.map((name) => `&gpuName=${encodeURIComponent(name)}`).join('');
        let compared = 0;
        for (const type of ['on-demand', 'bid']) {
          const range = `/api/trends?bucket=${grain}&type=${type}&from=2026-07-13&to=2026-08-10`;
          const all = await app.json<TrendsAnswer>(range);
          const each = await app.json<TrendsAnswer>(`${range}${asked}`);
          expect(each.series).toHaveLength(models.length);
          const buckets = bucketsOf(grain, type);
          for (const { key, points } of [...all.series, ...each.series]) {
            const gpuName = key === '*' ? null : key.slice(type.length + 1);
            const figures = points.map((point) => [
              ...[point.t, point.books, point.observations, point.offers, point.gpus],
              ...[point.min, point.p10, point.p25, point.median, point.p75, point.p90, point.max],
            ]);
            expect(differences(figures, recompute(buckets, gpuName)), `${type} ${key}`).toEqual([]);
            compared += points.length;
          }
        }
        expect(compared).toBeGreaterThan(100);
      },
    );

    it('leave out days without books', async () => {
      const { series } = await app.json<TrendsAnswer>('/api/trends?bucket=1d&from=2026-07-01&to=2026-08-10');
      const days = new Set(offers.map(({ scraped_at }) => scraped_at.slice(0, 10)));
      expect(series[0]?.points.map(({ t }) => t.slice(0, 10))).toEqual([...days].sort());
    });

    /** The offers of each bucket and the number of its books, in the order of time. */
    function bucketsOf(grain: Grain, type: string): { t: string; books: number; all: RawOffer[] }[] {
      const bucketOf = (at: string): string => {
        const length = grains[grain];
        const since = Date.parse(at) - origin(grain);
        return new Date(Math.floor(since / length) * length + origin(grain)).toISOString();
      };
      const ofType = offers.filter(({ rental_type }) => rental_type === type);
      return [...Map.groupBy(ofType, ({ scraped_at }) => bucketOf(scraped_at))]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([t, all]) => ({ t, books: new Set(all.map(({ scraped_at }) => scraped_at)).size, all }));
    }

    /** Every price of every book of the bucket in one sorted list. */
    function recompute(buckets: ReturnType<typeof bucketsOf>, gpuName: string | null): unknown[][] {
      return buckets.map(({ t, books, all }) => {
        const own = all.filter(({ gpu_name }) => gpuName === null || gpu_name === gpuName);
        const prices = own
          .map((offer) => (offer.dph_base + (offer.storage_cost * 8) / 720) / offer.num_gpus)
          .sort((a, b) => a - b);
        const gpus = own.reduce((sum, { num_gpus }) => sum + num_gpus, 0);
        const shares = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map((share) => percentile(prices, share));
        return [t, books, prices.length, own.length / books, gpus / books, ...shares];
      });
    }
  },
);

function percentile(sorted: readonly number[], share: number): number | null {
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (place - Math.floor(place)) * (high - low);
}

/** Where two tables of figures differ by more than half a unit of the sixth decimal. */
function differences(found: unknown[][], expected: unknown[][]): string[] {
  const problems = found.length === expected.length ? [] : [`${found.length} points, not ${expected.length}`];
  expected.forEach((row, place) => {
    const own = found[place] ?? [];
    const isSame = row.every((value, column) =>
      typeof value === 'number' && typeof own[column] === 'number'
        ? Math.abs(value - own[column]) <= 0.5e-6
        : value === own[column],
    );
    if (!isSame) problems.push(`${JSON.stringify(own)}, not ${JSON.stringify(row)}`);
  });
  return problems;
}
