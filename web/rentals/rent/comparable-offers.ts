import type { Quote } from '../../core/api.ts';
import { choiceNames, pickParameters } from '../../parts/filter-fields.ts';

/**
 * Offers that would do in place of the quoted one: those that were looked for, of its type, and of its model, number of GPUs and
 * verification where the search named none. Source: docs/meaning.md#wait-or-rent.
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

/** How far a bid is above the minimum, in percent; null: it is no bid, or the minimum is unknown. */
export const raiseOf = ({ bidUsdPerHour, minBidUsdPerHour }: Quote): number | null =>
  bidUsdPerHour === null || !minBidUsdPerHour ? null : 100 * (Number(bidUsdPerHour) / minBidUsdPerHour - 1);
