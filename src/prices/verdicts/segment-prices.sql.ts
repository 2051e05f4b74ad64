import { byId, readDictionaries } from '../../books/dictionaries.sql.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';
import { readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import { bucketsOf } from '../statistics/book-axis.ts';
import { pickBy } from '../statistics/span-columns.ts';
import { poolPrices, rankValues } from '../statistics/weighted-pool.ts';

/** Usual price of one segment: model and verification within a series. */
export interface SegmentPrice {
  gpuName: string;
  verification: Verification | null;
  /** $/GPU/hour at the listed 8 GB, each offer once per covering book that held it. */
  medianUsdPerGpuHour: number;
  observations: number;
}

const dayMs = 86_400_000;

/**
 * Returns exact medians over the covering books in (`at` − `days`, `at`], each offer once per covering book that held
 * it; of some models with `gpuNames`, null: of all. Segments without a price are missing.
 */
export async function segmentPrices(
  db: Db,
  series: { marketId: number; scopeId: number; type: PricingType },
  window: { at: Date; days: number; gpuNames?: readonly string[] | null },
): Promise<SegmentPrice[]> {
  const { at, gpuNames } = window;
  // Books have distinct milliseconds: the window excludes its beginning and ends with the book at `at`.
  const from = new Date(at.getTime() - window.days * dayMs + 1);
  const books = await readBookMoments(db, { ...series, from, to: new Date(at.getTime() + 1) });
  const { gpuModels, tiers } = await readDictionaries(db);
  const gpuModelIds = gpuNames?.flatMap((name) => gpuModels.get(name) ?? []) ?? null;
  if (gpuModelIds?.length === 0) return [];
  const asked = { ...series, gpuModelIds, metric: 'usdPerGpuHour', profile: defaultProfile } as const;
  const spans = await readSpans(db, asked, books);
  const [modelNames, tierNames] = [byId(gpuModels), byId(tiers)];
  const whole = bucketsOf([{ from: 0, to: books.ids.length }], books.ids.length);
  const segments = pickBy(
    spans,
    (index) => (spans.gpuModelId[index] ?? 0) * maxTiers + (spans.verificationTierId[index] ?? -1) + 1,
  );
  return [...segments].flatMap(([segment, picked]) => {
    const modelId = Math.floor(segment / maxTiers);
    const tierId = (segment % maxTiers) - 1;
    const [figures] = poolPrices(spans, picked, rankValues(spans, picked), whole, books.coverOf(modelId));
    const median = figures?.percentiles?.[medianPlace];
    if (figures === undefined || median === undefined) return [];
    return [
      {
        gpuName: modelNames.get(modelId) ?? '',
        verification: tierId < 0 ? null : (tierNames.get(tierId) ?? null),
        medianUsdPerGpuHour: median,
        observations: figures.observations,
      },
    ];
  });
}

/** More than any tier id. */
const maxTiers = 32_768;
/** Index of the median among the percentiles of pools. */
const medianPlace = 2;

/** Returns a version that changes whenever a book of the series lands, even late, or is deleted. */
export async function seriesVersion(db: Db, series: { scopeId: number; type: PricingType }): Promise<string> {
  const [row] = await db<{ version: string }[]>`
    select concat(deletions, ' ', (select id from book where scope_id = s.id and type = ${series.type}
      order by id desc limit 1)) as version
    from scope s where s.id = ${series.scopeId}`;
  return row?.version ?? '';
}
