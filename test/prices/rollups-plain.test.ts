import { beforeAll, describe, expect, it } from 'vitest';
import { type Bucket, buckets, wholeBuckets } from '../../src/core/bucket.ts';
import { defaultProfile, trendMetrics } from '../../src/core/metric.ts';
import type { PricingType } from '../../src/core/offer.ts';
import { noFilter, type OfferFilter } from '../../src/core/offer-filter.ts';
import type { Sql } from '../../src/database/connection.ts';
import { rebuild } from '../../src/prices/statistics/rebuild.sql.ts';
import { computedPoints } from '../../src/prices/trends/computed-points.sql.ts';
import { readPoints } from '../../src/prices/trends/read-points.sql.ts';
import { createHastyDatabase, landAfresh } from '../books/landing/land-history.ts';
import { syntheticHistory } from '../books/landing/synthetic-history.ts';
import { plainPoints } from '../support/plain-points.ts';
import { holdsFor } from '../support/property-runs.ts';

const range = { from: new Date('2026-02-20'), to: new Date('2026-03-10') };
const profile = { storageGb: 100, downGb: 20, upGb: 5, runningHours: 10, stoppedHours: 30 };
const filters: OfferFilter[] = [
  noFilter,
  { ...noFilter, numGpus: [1], verification: ['verified'] },
  { ...noFilter, minReliability: 0.9, maxUsdPerHour: 1.5 },
  { ...noFilter, excludeMachineId: [1], country: ['DE'] },
];

describe('points of any history', { timeout: 600_000 }, () => {
  let sql: Sql;

  beforeAll(async () => {
    sql = await createHastyDatabase();
  });

  it('equal one plain statement over all observations, stored or computed, in every bucket', async () => {
    await holdsFor(syntheticHistory(8), 3, async ({ books, order }) => {
      const landed = order.flatMap((index) => books[index] ?? []);
      await landAfresh(sql, landed);
      await compareAll();
      await rebuild(sql);
      await compareAll();
    });
  });

  async function compareAll(): Promise<void> {
    const [scope] = await sql<{ id: number }[]>`select id from scope`;
    const scopeId = scope?.id ?? 0;
    for (const bucket of buckets) {
      const ofNobody = {
        scopeId,
        type: 'on-demand' as const,
        gpuName: 'of nobody',
        ...wholeBuckets(bucket, range),
      };
      const plainly = { metric: 'usdPerGpuHour' as const, profile: defaultProfile, filter: noFilter };
      expect(await readPoints(sql, ofNobody, { bucket, ...plainly })).toEqual([]);
      for (const gpuName of [null, 'RTX 4090', 'H100 SXM']) {
        for (const [at, filter] of filters.entries()) {
          const metric = trendMetrics[at % 2 === 0 ? 0 : at] ?? 'usdPerGpuHour';
          await compareOne(scopeId, bucket, gpuName, filter, metric);
        }
        await compareOne(scopeId, bucket, gpuName, filters[1] ?? noFilter, 'usdPerGpuHour');
      }
    }
  }

  async function compareOne(
    scopeId: number,
    bucket: Bucket,
    gpuName: string | null,
    filter: OfferFilter,
    metric: (typeof trendMetrics)[number],
  ): Promise<void> {
    const type: PricingType = 'on-demand';
    const query = { scopeId, type, gpuName, ...wholeBuckets(bucket, range) };
    const used = metric === 'usdPerGpuHour' ? defaultProfile : profile;
    const options = { bucket, metric, profile: used, filter };
    const plain = await plainPoints(sql, query, options);
    expect(close(await computedPoints(sql, query, options))).toEqual(close(plain));
    expect(close(await readPoints(sql, query, options))).toEqual(close(plain));
  }
});

/** Beyond 12 digits the order of a sum shows. */
const close = (points: readonly object[]): unknown =>
  JSON.parse(
    JSON.stringify(points, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ),
  );
