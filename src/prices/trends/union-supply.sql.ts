import { type Bucket, bucketStart } from '../../core/bucket.ts';
import type { UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import { pickAll, pickBy } from '../statistics/span-columns.ts';
import { findRounds, type SupplySide, type UnionPoint, unionSupply } from '../statistics/union-supply.ts';

/** Supply over several pricing types, of one model or (null) of all. */
export interface SupplySeries {
  gpuName: string | null;
  points: UnionPoint[];
}

interface SupplyQuery {
  scopeId: number;
  types: readonly PricingType[];
  /** Empty: all models as one series. */
  gpuNames: readonly string[];
  bucket: Bucket;
  filter: OfferFilter;
  profile: UsageProfile;
  from: Date;
  to: Date;
}

/** Whole weeks read at once, to bound memory. */
const weeksPerStep = 8;
const weekMs = 7 * 86_400_000;

/** Returns the types' combined supply in whole buckets, from presence and attributes; none of it is stored. */
export async function readUnionSupply(db: Db, query: SupplyQuery): Promise<SupplySeries[]> {
  const { scopeId, gpuNames, from, to } = query;
  const rows = await db<{ id: number; name: string; marketId: number }[]>`
    select m.id, m.name, s.market_id as "marketId" from gpu_model m join scope s on s.id = ${scopeId}
    where ${gpuNames.length === 0} or m.name = any(${[...gpuNames]}::text[])`;
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  const names = gpuNames.length === 0 ? [null] : gpuNames;
  const series = names.map((gpuName): SupplySeries => ({ gpuName, points: [] }));
  const marketId = rows[0]?.marketId;
  if (marketId === undefined) return series;
  const gpuModelIds = gpuNames.length === 0 ? null : [...ids.values()];
  const first = bucketStart(stretchOf(query), from);
  for (let week = bucketStart('1w', from).getTime(); week < to.getTime(); week += weeksPerStep * weekMs) {
    const step = {
      from: new Date(Math.max(week, first.getTime())),
      to: new Date(Math.min(week + weeksPerStep * weekMs, to.getTime())),
    };
    const sides = await readSides(db, { ...query, marketId, gpuModelIds, ...step });
    for (const { gpuName, points } of series) {
      const model = gpuName === null ? null : ids.get(gpuName);
      if (model !== undefined)
        points.push(
          ...pointsOf(
            query,
            sides.map((side) => side(model)),
          ),
        );
    }
  }
  return series;
}

/** Returns the offers of each type, of one model or (null) of all. */
async function readSides(
  db: Db,
  query: SupplyQuery & { marketId: number; gpuModelIds: readonly number[] | null },
): Promise<((model: number | null) => SupplySide)[]> {
  return await Promise.all(
    query.types.map(async (type) => {
      const books = await readBookMoments(db, { ...query, type });
      const spans = await readSpans(db, { ...query, type, metric: 'usdPerGpuHour' }, books);
      const byModel = pickBy(spans, (place) => spans.gpuModelId[place] as number);
      return (model: number | null): SupplySide => {
        const covered = books.coverOf(model);
        const picked = model === null ? pickAll(spans) : (byModel.get(model) ?? new Int32Array(0));
        const covers = (ordinal: number): boolean => covered[ordinal + 1] !== covered[ordinal];
        return { spans, picked, times: books.times, covers };
      };
    }),
  );
}

/** Rounds of single books are found day by day. */
const stretchOf = ({ bucket }: SupplyQuery): Bucket => (bucket === 'book' ? '1d' : bucket);

function pointsOf(query: SupplyQuery, sides: readonly SupplySide[]): UnionPoint[] {
  const rounds = findRounds(sides, (at) => bucketStart(stretchOf(query), at).getTime());
  const points = unionSupply(sides, rounds, query.bucket);
  return points.filter(({ t }) => t >= query.from && t < query.to);
}
