import type { FieldValues } from './offer-fields.ts';

/** How an offer is rented: on demand at a fixed rate, interruptible at a bid, or reserved. */
export const pricingTypes = ['on-demand', 'bid', 'reserved'] as const;
export type PricingType = (typeof pricingTypes)[number];
/** The pricing types that are crawled. */
export const crawledTypes: readonly PricingType[] = pricingTypes.filter((type) => type !== 'reserved');

/** One row of a search result in domain terms: its names, and the fields that are stored. */
export interface Offer extends FieldValues {
  /** The market's `id`: unique with `type` at one moment, not stable over time. */
  offerId: number;
  gpuName: string;
  type: PricingType;
  /** `dph_total` as listed: includes the storage that the search requested. Only used for paging, not stored. */
  listedUsdPerHour: number;
  /** The record as delivered, as JSON text with unknown fields; U+0000 and lone surrogates are replaced. */
  raw: string;
}

/** A row that could not become an offer; `reason` is short, so that rows can be grouped by it. */
export interface RejectedOffer {
  reason: string;
  offerId: number | null;
}
