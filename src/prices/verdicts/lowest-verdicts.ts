import type { NewestBook } from '../../books/newest-books.sql.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { matchingPlaces } from '../../core/offer-match.ts';
import type { CurrentOffers } from '../newest/current-offers.ts';
import type { MarketOffersRequest } from '../newest/newest-offers-request.ts';
import type { CurrentOffer } from '../newest/offers.sql.ts';
import { type Judge, judgesOf } from '../rankings/rankings.ts';
import { type PricedDays, readPricedDays } from '../trends/priced-days.sql.ts';
import type { PastDeps } from '../wait/keep-past.ts';
import { isVerified, type JudgedOffer, judged, seriousOffers } from './judge-newest.ts';
import type { PriceTiming } from './price-timing.ts';
import { readTiming } from './read-timing.ts';

/** The lowest price of a model in a newest book. */
export interface LowestVerdict {
  market: string;
  book: NewestBook;
  gpuName: string;
  /** Offers that match and have a price. */
  offers: number;
  /** Those of them that are left out as outliers. */
  outliers: number;
  /** Days with a price, filters aside; null: none is known. */
  priced: PricedDays | null;
  /** The cheapest of the others; null: there is none. */
  lowest: JudgedOffer | null;
  /** How its price stands among the lowest prices of earlier books; null: too little history, or no complete book. */
  timing: PriceTiming | null;
  /** The cheapest verified one; null: there is none. */
  lowestVerified: JudgedOffer | null;
  /** The same of it, among verified ones. */
  verifiedTiming: PriceTiming | null;
}

type Dependencies = Parameters<typeof judgesOf>[0] & PastDeps;

const noJudge: Judge = () => ({ isOutlier: null, verdict: null });

/**
 * Returns the lowest price of each model and type in the newest books of a market, judged; without models, of the model
 * with the most GPUs listed. `superseded`: a newer book has landed. Source: docs/meaning.md#verdicts.
 */
export async function readLowestVerdicts(
  deps: Dependencies,
  request: MarketOffersRequest,
): Promise<LowestVerdict[] | 'superseded'> {
  const { market, marketId, scopeId, books, gpuNames, filter, profile } = request;
  const judges = await judgesOf(deps, request);
  const currents = await Promise.all(books.map((book) => deps.currentOffers(deps.sql, book)));
  if (currents.some(({ superseded }) => superseded)) return 'superseded';
  const each = books.map(async (book, index) => {
    const current = currents[index] as CurrentOffers;
    const judge = judges.get(book.type) ?? noJudge;
    const names = gpuNames.length === 0 ? mostListed(current) : [...new Set(gpuNames)];
    const priced = await readPricedDays(deps.sql, { scopeId, type: book.type, gpuNames: names });
    const ofModel = async (gpuName: string): Promise<LowestVerdict> => {
      const places = current.byModel.get(gpuName) ?? new Int32Array(0);
      const matching = matchingPlaces(current.columns, places, filter, profile.storageGb);
      const known = [...matching]
        .map((place) => current.offers[place] as CurrentOffer)
        .filter(({ listedUsdPerGpuHour }) => listedUsdPerGpuHour !== null);
      const serious = seriousOffers(known, judge);
      const verified = serious.find(isVerified);
      const timingOf = async (offer: CurrentOffer | undefined, asked: OfferFilter) =>
        offer?.listedUsdPerGpuHour == null || book.verdict !== 'complete'
          ? null
          : await readTiming(
              deps,
              { marketId, scopeId, type: book.type, gpuName, filter: asked },
              { observedAt: book.observedAt, usdPerGpuHour: offer.listedUsdPerGpuHour },
            );
      const timing = await timingOf(serious[0], filter);
      return {
        market,
        book,
        gpuName,
        offers: known.length,
        outliers: known.length - serious.length,
        priced: priced.get(gpuName) ?? null,
        lowest: judged(serious[0], judge),
        timing,
        lowestVerified: judged(verified, judge),
        verifiedTiming: await timingOf(verified, { ...filter, verification: ['verified'] }),
      };
    };
    return await Promise.all(names.map(ofModel));
  });
  return (await Promise.all(each)).flat();
}

/** Returns the model with the most GPUs listed, the first by name if equal; empty: the book has no offer. */
function mostListed({ offers }: CurrentOffers): string[] {
  const gpus = new Map<string, number>();
  for (const { gpuName, numGpus } of offers) gpus.set(gpuName, (gpus.get(gpuName) ?? 0) + numGpus);
  const [most] = [...gpus].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1));
  return most === undefined ? [] : [most[0]];
}
