import { type BucketSums, type Buckets, type CoveredBefore, createBucketSums } from './book-axis.ts';
import { findSupply, type MachineSupply, type Stretches } from './machine-supply.ts';
import type { Picked, SpanColumns } from './span-columns.ts';
import { type PriceStatistics, poolPrices, type RankedValues, rankValues } from './weighted-pool.ts';

/** Figures of one bucket with at least one covered book; supply figures are sums over its books. */
export interface PooledPoint extends PriceStatistics {
  /** The bucket's index. */
  bucket: number;
  books: number;
  offers: number;
  gpus: number;
  machines: number;
  physicalGpus: number;
  physicalGpusIsLowerBound: boolean;
}

/** A cell prepared for any number of bucket grids over the same books. */
export interface PreparedCell {
  points: (buckets: Buckets, covered: CoveredBefore) => PooledPoint[];
}

/** Prepares the picked spans, so that work independent of the grid is done once. */
export function prepareCell(spans: SpanColumns, picked: Picked): PreparedCell {
  const ranked = rankValues(spans, picked);
  const supply = findSupply(spans, picked);
  return { points: (buckets, covered) => pointsOf(spans, picked, ranked, supply, buckets, covered) };
}

function pointsOf(
  spans: SpanColumns,
  picked: Picked,
  ranked: RankedValues,
  supply: MachineSupply,
  buckets: Buckets,
  covered: CoveredBefore,
): PooledPoint[] {
  const prices = poolPrices(spans, picked, ranked, buckets, covered);
  const offers = createBucketSums(buckets, covered);
  const gpus = createBucketSums(buckets, covered);
  for (const place of picked) {
    const first = spans.first[place] as number;
    const last = spans.last[place] as number;
    offers.add(first, last, 1);
    gpus.add(first, last, spans.numGpus[place] as number);
  }
  const sums = [offers.totals(), gpus.totals()];
  for (const stretches of [supply.machines, supply.physicalGpus, supply.unlisted]) {
    sums.push(sumOf(stretches, createBucketSums(buckets, covered)));
  }
  return prices.flatMap((figures, bucket): PooledPoint[] => {
    const books =
      (covered[buckets.to[bucket] as number] as number) - (covered[buckets.from[bucket] as number] as number);
    if (books === 0) return [];
    const [offersSum = 0, gpusSum = 0, machines = 0, physicalGpus = 0, unlisted = 0] = sums.map(
      (sum) => sum[bucket],
    );
    return [
      {
        bucket,
        books,
        ...figures,
        offers: offersSum,
        gpus: gpusSum,
        machines,
        physicalGpus,
        physicalGpusIsLowerBound: unlisted > 0,
      },
    ];
  });
}

function sumOf({ first, last, amount }: Stretches, sums: BucketSums): Float64Array {
  for (let at = 0; at < first.length; at += 1) {
    sums.add(first[at] as number, last[at] as number, amount[at] as number);
  }
  return sums.totals();
}
