import type { PricingType } from '../core/offer.ts';

/** What a series is of; `gpuName` null: all models. */
export interface SeriesName {
  market: string;
  type: PricingType;
  gpuName: string | null;
}

/**
 * The key of a series in an answer over so many markets, types and models: `<market>|<type>|<model>` with several
 * markets, `<type>|<model>` with several types or models, else the model; `*` is all models.
 */
export function seriesKey(
  { market, type, gpuName }: SeriesName,
  { markets, pairs }: { markets: number; pairs: number },
): string {
  const model = gpuName ?? '*';
  if (markets > 1) return `${market}|${type}|${model}`;
  return pairs > 1 ? `${type}|${model}` : model;
}
