import type { PricingType } from '../core/offer.ts';

/** Identifies a series; `gpuName` null: all models. */
export interface SeriesName {
  market: string;
  type: PricingType;
  gpuName: string | null;
}

/**
 * Returns the key of a series in a response: `<market>|<type>|<model>` with several markets, `<type>|<model>` with
 * several types or models, else the model; `*` is all models.
 */
export function seriesKey(
  { market, type, gpuName }: SeriesName,
  { markets, pairs }: { markets: number; pairs: number },
): string {
  const model = gpuName ?? '*';
  if (markets > 1) return `${market}|${type}|${model}`;
  return pairs > 1 ? `${type}|${model}` : model;
}
