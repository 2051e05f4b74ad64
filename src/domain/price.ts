import type { RankingFigure, UsageProfile } from './metric.ts';

/** The prices of an offer that its figures are made of; null: the market did not say. */
export interface PriceComponents {
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
}

interface AllInComponents extends PriceComponents {
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
}

/** Storage of the listed figures, GB: semantics.md, Prices. */
export const listedStorageGb = 8;
const hoursPerMonth = 720;

/** $/hour of the whole offer with `storageGb` GB; null: the price of storage is unknown. */
export const usdPerHour = (offer: PriceComponents, storageGb: number): number | null =>
  offer.storageUsdPerGbMonth === null
    ? null
    : offer.baseUsdPerHour + (offer.storageUsdPerGbMonth * storageGb) / hoursPerMonth;

/** All-in $/hour of a job; null: a price component is unknown. Source: semantics.md, Prices. */
export function allInUsdPerHour(offer: AllInComponents, profile: UsageProfile): number | null {
  const { baseUsdPerHour, storageUsdPerGbMonth, inetDownUsdPerGb, inetUpUsdPerGb } = offer;
  if (storageUsdPerGbMonth === null || inetDownUsdPerGb === null || inetUpUsdPerGb === null) return null;
  const { storageGb, downGb, upGb, runningHours, stoppedHours } = profile;
  const running = baseUsdPerHour * runningHours;
  const disk = ((storageUsdPerGbMonth * storageGb) / hoursPerMonth) * (runningHours + stoppedHours);
  return (running + disk + inetDownUsdPerGb * downGb + inetUpUsdPerGb * upGb) / runningHours;
}

/** What a ranking looks at. */
export interface FiguredOffer extends AllInComponents {
  numGpus: number;
  dlperf: number | null;
  gpuRamMb: number | null;
  totalTflops: number | null;
}

const megabytesPerGb = 1000;

/** The figure that an offer is ranked by, or what the market did not say for it to have one. */
export function rankingValue(
  offer: FiguredOffer,
  by: RankingFigure,
  profile: UsageProfile,
): { value: number } | { missing: string } {
  const price = usdPerHour(offer, profile.storageGb);
  if (price === null) return { missing: 'no storage price' };
  switch (by) {
    case 'usdPerGpuHour':
      return { value: price / offer.numGpus };
    case 'usdPerDlperfHour':
      return offer.dlperf ? { value: price / offer.dlperf } : { missing: 'no dlperf' };
    case 'usdPerGbVramHour':
      return offer.gpuRamMb
        ? { value: price / ((offer.gpuRamMb / megabytesPerGb) * offer.numGpus) }
        : { missing: 'no VRAM' };
    case 'usdPerTflopHour':
      return offer.totalTflops ? { value: price / offer.totalTflops } : { missing: 'no TFLOPS' };
    case 'allInUsdPerHour': {
      const value = allInUsdPerHour(offer, profile);
      if (value !== null) return { value };
      return { missing: offer.inetDownUsdPerGb === null ? 'no download price' : 'no upload price' };
    }
  }
}
