import { changedQuery } from '../../core/address.ts';
import type { Quote } from '../../core/api.ts';
import { choiceNames, pickParameters } from '../../parts/filter-fields.ts';
import { askedQuery, type StatedTrust } from '../../prices/deals/reliable-query.ts';

/**
 * Selects offers comparable to the quoted one: the search's filters, its type, and its model, number of GPUs and
 * verification unless the search set them. Source: docs/meaning.md#wait-or-rent.
 */
export function comparableOf(
  { offer, instance, bidUsdPerHour }: Quote,
  query: URLSearchParams,
): URLSearchParams {
  const asked = pickParameters(query, choiceNames);
  for (const name of ['gpuName', 'numGpus', 'verification'] as const) {
    if (!asked.has(name) && offer[name] !== null) asked.set(name, String(offer[name]));
  }
  asked.set('type', bidUsdPerHour === null ? 'on-demand' : 'bid');
  if (instance.diskGb !== null) asked.set('storageGb', String(instance.diskGb));
  return asked;
}

/**
 * Selects the offers whose lowest price tells whether it is a good time to rent, whichever way led to the quote: those that
 * match the search, with as many GPUs as the quoted one. Source: docs/meaning.md#wait-or-rent.
 */
export function judgedBy(
  { offer, bidUsdPerHour }: Quote,
  query: URLSearchParams,
  trust: StatedTrust,
): URLSearchParams {
  const searched = changedQuery(query, {
    gpuName: offer.gpuName,
    numGpus: String(offer.numGpus),
    type: bidUsdPerHour === null ? 'on-demand' : 'bid',
  });
  return pickParameters(askedQuery(searched, trust), choiceNames);
}

/** Returns how far a bid is above the minimum, in percent; null: not a bid, or an unknown minimum. */
export const raiseOf = ({ bidUsdPerHour, minBidUsdPerHour }: Quote): number | null =>
  bidUsdPerHour === null || !minBidUsdPerHour ? null : 100 * (Number(bidUsdPerHour) / minBidUsdPerHour - 1);
