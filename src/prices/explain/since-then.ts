import { countOf } from '../../core/count-of.ts';
import { formatUsd } from '../../core/usd-words.ts';
import type { CurrentOffer } from '../newest/offers.sql.ts';
import { type DayPrice, pooledPlainly } from './daily-prices.ts';
import { momentWords } from './explained-figures.ts';
import type { HeldRow } from './held-rows.sql.ts';

interface Since {
  /** The newest book. */
  offers: readonly CurrentOffer[];
  /** What held its listings before, and the moments of the books, ascending milliseconds. */
  held: readonly Pick<HeldRow, 'listingId' | 'lastAt'>[];
  times: readonly number[];
}

/** Creates `sinceThen(row)`: why an earlier price is not to be had now, or by what its offer differs if it is. */
export function createSinceThen({ offers, held, times }: Since) {
  const current = new Map(offers.map((offer) => [offer.listingId, offer]));
  const lastMs = new Map<number, number>();
  for (const { listingId, lastAt } of held) {
    const at = lastAt?.getTime() ?? Number.POSITIVE_INFINITY;
    lastMs.set(listingId, Math.max(at, lastMs.get(listingId) ?? at));
  }
  return ({ listingId, usdPerGpuHour }: Pick<DayPrice, 'listingId' | 'usdPerGpuHour'>): string => {
    const now = current.get(listingId);
    if (now === undefined) {
      const missed = times.find((time) => time > (lastMs.get(listingId) ?? Number.POSITIVE_INFINITY));
      return missed === undefined ? 'gone' : `gone since ${momentWords(new Date(missed))}`;
    }
    const price = pooledPlainly(now);
    if (price === null || price > usdPerGpuHour)
      return price === null ? 'price unknown' : `now ${formatUsd(price)}`;
    const { numGpus, verification, reliability } = now;
    // Rounded down, since 97.96% is not 98%.
    const reliable = reliability === null ? null : `${Math.floor(1000 * reliability) / 10}% reliable`;
    const facts = [countOf(numGpus, 'GPU'), verification, reliable].filter((fact) => fact !== null);
    return `still listed: ${facts.join(', ')}`;
  };
}
