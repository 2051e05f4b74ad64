/** How an offer is rented: on demand at a fixed rate, interruptible at a bid, or reserved. */
export const pricingTypes = ['on-demand', 'bid', 'reserved'] as const;
export type PricingType = (typeof pricingTypes)[number];
/** The pricing types that are crawled. */
export const crawledTypes: readonly PricingType[] = pricingTypes.filter((type) => type !== 'reserved');

export const verificationTiers = ['verified', 'unverified', 'deverified'] as const;
export type Verification = (typeof verificationTiers)[number];

/**
 * One row of a search result in domain terms. Rates are US dollars for the whole offer, never per GPU; null: the market
 * did not state it. Source: docs/marketplace.md#21-offer.
 */
export interface Offer {
  /** The market's `id`: unique with `type` at one moment, not stable over time. */
  offerId: number;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: PricingType;
  /** `dph_base`: $/hour without storage and bandwidth; for a bid, the minimum bid. */
  baseUsdPerHour: number;
  /** `dph_total` as listed: includes the storage that the search requested. Only used for paging, not stored. */
  listedUsdPerHour: number;
  /** `storage_cost`: $/GB/month of 720 hours. */
  storageUsdPerGbMonth: number | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
  minBidUsdPerHour: number | null;
  /** `discounted_hourly`: $/hour that is deducted; and `discount_rate`. */
  discountedUsdPerHour: number | null;
  discountRate: number | null;
  /** Predicted deep-learning score of the whole offer. 0 and null both mean: no score. */
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
  /** As listed: sources disagree whether it is MB/s or Mb/s. */
  inetDown: number | null;
  inetUp: number | null;
  /** `hosting_type` > 0. */
  datacenter: boolean | null;
  staticIp: boolean | null;
  diskSpaceGb: number | null;
  cpuCores: number | null;
  cpuRamMb: number | null;
  /** Ids of the offer's physical GPUs; null if the market lists none. */
  gpuIds: readonly number[] | null;
  /** The record as delivered, as JSON text with unknown fields; U+0000 and lone surrogates are replaced. */
  raw: string;
}

/** A row that could not become an offer; `reason` is short, so that rows can be grouped by it. */
export interface RejectedOffer {
  reason: string;
  offerId: number | null;
}
