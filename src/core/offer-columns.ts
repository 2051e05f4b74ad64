import type { MatchedOffer } from './offer-filter.ts';
import type { FiguredOffer } from './price.ts';

/** What is looked at of an offer when a whole book is gone through. */
export type ColumnedOffer = MatchedOffer & FiguredOffer;

/** Offers in columns, entry i of each is offer i: a book is gone through many times faster than object by object. */
export interface OfferColumns {
  length: number;
  /** NaN: the market did not say. */
  numbers: Readonly<Record<NumberField, Float64Array>>;
  /** null: the market did not say. */
  words: Readonly<Record<WordField, readonly (string | boolean | null)[]>>;
}

const numberFields = [
  ...(['machineId', 'hostId', 'numGpus', 'reliability', 'gpuRamMb', 'cudaMaxGood', 'diskSpaceGb'] as const),
  ...(['inetDown', 'inetUp', 'baseUsdPerHour', 'storageUsdPerGbMonth', 'inetDownUsdPerGb'] as const),
  ...(['inetUpUsdPerGb', 'dlperf', 'totalTflops'] as const),
] as const;
const wordFields = ['verification', 'country', 'datacenter', 'staticIp'] as const;
export type NumberField = (typeof numberFields)[number];
export type WordField = (typeof wordFields)[number];

/** Places of some offers, ascending. */
export type Places = Int32Array;

/** The columns of some offers. */
export function toColumns(offers: readonly ColumnedOffer[]): OfferColumns {
  return {
    length: offers.length,
    numbers: Object.fromEntries(
      numberFields.map((field) => [field, Float64Array.from(offers, (offer) => offer[field] ?? Number.NaN)]),
    ) as Record<NumberField, Float64Array>,
    words: Object.fromEntries(
      wordFields.map((field) => [field, offers.map((offer) => offer[field])]),
    ) as unknown as Record<WordField, (string | boolean | null)[]>,
  };
}
