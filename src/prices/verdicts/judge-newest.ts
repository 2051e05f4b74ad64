import { newestBooks } from '../../books/newest-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import type { CurrentOffer } from '../newest/offers.sql.ts';
import { type Judge, judgesOf } from '../rankings/rankings.ts';
import type { Verdict } from './verdicts.ts';

/** An offer with its price per GPU at 8 GB, and its verdict; null: the book is not complete. */
export interface JudgedOffer {
  offer: CurrentOffer;
  usdPerGpuHour: number;
  verdict: Verdict | null;
}

type Dependencies = Parameters<typeof judgesOf>[0];

/** Returns the offers that have a price and are no outliers, the cheapest first. */
export const seriousOffers = (offers: readonly CurrentOffer[], judge: Judge): CurrentOffer[] =>
  offers
    .filter((offer) => offer.listedUsdPerGpuHour !== null && judge(offer).isOutlier !== true)
    .sort((a, b) => priceOf(a) - priceOf(b) || a.listingId - b.listingId);

/** Returns an offer with its verdict; null: there is none, or its price is unknown. */
export const judged = (offer: CurrentOffer | undefined, judge: Judge): JudgedOffer | null =>
  offer === undefined || offer.listedUsdPerGpuHour === null
    ? null
    : { offer, usdPerGpuHour: priceOf(offer), verdict: judge(offer).verdict };

export const isVerified = ({ verification }: CurrentOffer): boolean => verification === 'verified';

const priceOf = ({ listedUsdPerGpuHour }: CurrentOffer): number => listedUsdPerGpuHour ?? Number.NaN;

/** What the newest complete book says about an offer. */
export interface NewestJudgement {
  /** null: the book does not list it, or there is no such book. */
  newest: JudgedOffer | null;
  /** The cheapest offer of its model on a verified machine, without outliers; null: there is none. */
  lowestVerified: JudgedOffer | null;
}

/** Judges an offer of a model in the newest complete book of a series. */
export async function judgeNewest(
  deps: Dependencies,
  of: { marketId: number; scopeId: number | null; type: PricingType; gpuName: string },
  isWanted: (offer: CurrentOffer) => boolean,
): Promise<NewestJudgement> {
  const { marketId, scopeId, type, gpuName } = of;
  const books = scopeId === null ? [] : await newestBooks(deps.sql, scopeId);
  const book = books.find((each) => each.type === type && each.verdict === 'complete');
  if (scopeId === null || book === undefined) return { newest: null, lowestVerified: null };
  const [current, judges] = await Promise.all([
    deps.currentOffers(deps.sql, book),
    judgesOf(deps, { marketId, scopeId, books: [book] }),
  ]);
  const judge = judges.get(type) ?? (() => ({ isOutlier: null, verdict: null }));
  const ofModel = current.offers.filter((offer) => offer.gpuName === gpuName);
  return {
    newest: judged(ofModel.find(isWanted), judge),
    lowestVerified: judged(seriousOffers(ofModel, judge).find(isVerified), judge),
  };
}
