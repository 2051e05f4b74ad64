import type { RankingFigure, UsageProfile } from './metric.ts';
import { offerAllInUsdPerHour, offerUsdPerHour } from './price-formulas.ts';

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

/** $/hour of the whole offer with `storageGb` GB; null: the price of storage is unknown. */
export function usdPerHour(offer: PriceComponents, storageGb: number): number | null {
  const { baseUsdPerHour, storageUsdPerGbMonth } = offer;
  return storageUsdPerGbMonth === null
    ? null
    : offerUsdPerHour({ baseUsdPerHour, storageUsdPerGbMonth }, storageGb);
}

/** All-in $/hour of a job; null: a price component is unknown. Source: semantics.md, Prices. */
export function allInUsdPerHour(offer: AllInComponents, profile: UsageProfile): number | null {
  const { baseUsdPerHour, storageUsdPerGbMonth, inetDownUsdPerGb, inetUpUsdPerGb } = offer;
  if (storageUsdPerGbMonth === null || inetDownUsdPerGb === null || inetUpUsdPerGb === null) return null;
  const parts = { baseUsdPerHour, storageUsdPerGbMonth, inetDownUsdPerGb, inetUpUsdPerGb };
  return offerAllInUsdPerHour(parts, profile);
}

/** What a ranking looks at. */
export interface FiguredOffer extends AllInComponents {
  numGpus: number;
  dlperf: number | null;
  gpuRamMb: number | null;
  totalTflops: number | null;
}

const megabytesPerGb = 1000;

/** A function that gives the figure that offers are ranked by; null: the market did not say what it is made of. */
function createRankingFigure(
  by: RankingFigure,
  profile: UsageProfile,
): (offer: FiguredOffer) => number | null {
  const { storageGb } = profile;
  /** The price over something of the offer. */
  const per = (divisor: (offer: FiguredOffer) => number | null) => (offer: FiguredOffer) => {
    const price = usdPerHour(offer, storageGb);
    const by = divisor(offer);
    return price === null || by === null || by === 0 ? null : price / by;
  };
  switch (by) {
    case 'usdPerGpuHour':
      return per(({ numGpus }) => numGpus);
    case 'usdPerDlperfHour':
      return per(({ dlperf }) => dlperf);
    case 'usdPerGbVramHour':
      return per(({ gpuRamMb, numGpus }) =>
        gpuRamMb === null ? null : (gpuRamMb / megabytesPerGb) * numGpus,
      );
    case 'usdPerTflopHour':
      return per(({ totalTflops }) => totalTflops);
    case 'allInUsdPerHour':
      return (offer) => allInUsdPerHour(offer, profile);
  }
}

/** The figure that an offer is ranked by, or what the market did not say for it to have one. */
export function rankingValue(
  offer: FiguredOffer,
  by: RankingFigure,
  profile: UsageProfile,
): { value: number } | { missing: string } {
  const value = createRankingFigure(by, profile)(offer);
  return value === null ? { missing: missingFor(offer, by) } : { value };
}

/** What the market did not say of an offer that has no such figure. */
export function missingFor(offer: FiguredOffer, by: RankingFigure): string {
  if (offer.storageUsdPerGbMonth === null) return 'no storage price';
  switch (by) {
    case 'usdPerDlperfHour':
      return 'no dlperf';
    case 'usdPerGbVramHour':
      return 'no VRAM';
    case 'usdPerTflopHour':
      return 'no TFLOPS';
    case 'allInUsdPerHour':
      return offer.inetDownUsdPerGb === null ? 'no download price' : 'no upload price';
    case 'usdPerGpuHour':
      return 'no GPU';
  }
}
