/** What an offer is rented as: fixed rates, interruptible at a bid, or reserved. */
export const pricingTypes = ['on-demand', 'bid', 'reserved'] as const;
export type PricingType = (typeof pricingTypes)[number];
/** Those that crawls ask for. */
export const crawledTypes: readonly PricingType[] = pricingTypes.filter((type) => type !== 'reserved');

export const verificationTiers = ['verified', 'unverified', 'deverified'] as const;
export type Verification = (typeof verificationTiers)[number];

/**
 * One row of a search result in the words of the domain. Rates are US dollars for the whole offer, never a
 * GPU's share; null means that the market did not say. Source: docs/marketplace.md#21-offer.
 */
export interface Offer {
  /** `id` of the market; unique with `type` at one moment, not stable over time. */
  offerId: number;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: PricingType;
  /** `dph_base`: $/hour without storage and bandwidth; of a bid the minimum bid. */
  baseUsdPerHour: number;
  /** `dph_total` as listed: depends on the storage that the search asked for. Not stored, used for paging. */
  listedUsdPerHour: number;
  /** `storage_cost`: $/GB/month of 720 hours. */
  storageUsdPerGbMonth: number | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
  minBidUsdPerHour: number | null;
  /** `discounted_hourly`: $/hour taken off; and `discount_rate`. */
  discountedUsdPerHour: number | null;
  discountRate: number | null;
  /** Predicted deep-learning score of the whole offer. 0 and null both mean: no value. */
  dlperf: number | null;
  /** 0 to 1. */
  reliability: number | null;
  /** VRAM of one GPU, MB as listed. */
  gpuRamMb: number | null;
  totalTflops: number | null;
  /** Two-letter code from the end of `geolocation`. */
  country: string | null;
  verification: Verification | null;
  cudaMaxGood: number | null;
  driverVersion: string | null;
  /** As listed: sources disagree whether MB/s or Mb/s. */
  inetDown: number | null;
  inetUp: number | null;
  /** `hosting_type` > 0. */
  datacenter: boolean | null;
  staticIp: boolean | null;
  diskSpaceGb: number | null;
  cpuCores: number | null;
  cpuRamMb: number | null;
  /** Physical GPU ids of the offer; null where the market lists none. */
  gpuIds: readonly number[] | null;
  /** The record as delivered, JSON text, unknown fields included; U+0000 and lone surrogates replaced. */
  raw: string;
}

/** A row that could not become an offer: `reason` is short and groups (`dph_base: negative`). */
export interface RejectedOffer {
  reason: string;
  offerId: number | null;
}
