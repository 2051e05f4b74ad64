import { rankNewestOffers } from '../analytics/rankings.ts';
import { judgeOffer, type Verdict } from '../analytics/verdicts.ts';
import { findScope, newestBooks } from '../db/market-view.ts';
import { findWatch } from '../db/watches.ts';
import { UserError } from '../domain/errors.ts';
import { defaultProfile, type RankingFigure, type UsageProfile } from '../domain/metric.ts';
import type { Offer, PricingType } from '../domain/offer.ts';
import { noFilter, type OfferFilter } from '../domain/offer-filter.ts';
import { scopeOfWatch, typesOfWatch } from '../domain/watch.ts';
import type { Actor } from './actor.ts';
import type { RentWish } from './wish.ts';
import { typeOfWish } from './wish.ts';

/** An offer as the market has it now, at the disk size that is wanted; null: it cannot be rented any more. */
export async function fetchOffer(
  { client }: Pick<Actor, 'client'>,
  { offerId, type, diskGb }: { offerId: number; type: PricingType; diskGb: number },
  signal?: AbortSignal,
): Promise<Offer | null> {
  // Two equal searches differ by a quarter: one miss does not say that an offer is gone.
  for (let turn = 1; turn <= 2; turn += 1) {
    const { offers } = await client.searchOffers(
      { type, limit: 1, allocatedStorageGb: diskGb, rentable: true, order: 'id', offerId },
      { signal },
    );
    const found = offers.find((offer) => offer.offerId === offerId);
    if (found !== undefined) return found;
  }
  return null;
}

const candidatesAtMost = 10;

/**
 * The offers to try for a wish, the best first: the one that it names, or those of the newest book that fit its
 * watch; behind the first only where the next best is asked for. Blocked machines and joke prices are left out.
 * Throws UserError for a watch that cannot be used.
 */
export async function candidateIds(actor: Actor, wish: RentWish): Promise<number[]> {
  if (wish.watchId !== undefined) {
    const ids = await offersOfWatch(actor, wish, wish.watchId);
    return wish.nextBest === true ? ids : ids.slice(0, 1);
  }
  const { offerId } = wish;
  if (offerId === undefined) throw new UserError('Name an offer or a watch.');
  if (wish.nextBest !== true) return [offerId];
  const named = (await bookOffer(actor, offerId, wish)) ?? null;
  if (named === null) return [offerId];
  const filter = { ...noFilter, numGpus: [named.numGpus], minDiskGb: wish.diskGb };
  const like = await rank(actor, {
    ...{ scopeName: 'default', types: [typeOfWish(wish)], gpuNames: [named.gpuName], filter },
    ...{ profile: profileOf(wish), by: 'usdPerGpuHour' },
  });
  return [offerId, ...like.filter((id) => id !== offerId)].slice(0, candidatesAtMost);
}

/** The profile that a wish is priced by. */
export const profileOf = ({ diskGb, profile = {} }: RentWish): UsageProfile => ({
  ...defaultProfile,
  ...profile,
  storageGb: diskGb,
});

async function offersOfWatch(actor: Actor, wish: RentWish, watchId: string): Promise<number[]> {
  const watch = await findWatch(actor.sql, watchId);
  if (watch === null || watch.market !== actor.market.name) {
    throw new UserError(`There is no watch ${watchId} of the market ${actor.market.name}.`);
  }
  const type = typeOfWish(wish);
  if (!typesOfWatch(watch.filters).includes(type)) {
    throw new UserError(
      `The watch ${watch.name} looks at ${typesOfWatch(watch.filters).join(', ')}, not at ${type}.`,
    );
  }
  const { gpuName = [], type: _, ...conditions } = watch.filters;
  const filter: OfferFilter = { ...noFilter, ...conditions };
  const minDiskGb = Math.max(filter.minDiskGb ?? 0, wish.diskGb);
  return await rank(actor, {
    ...{ scopeName: scopeOfWatch(watch.filters).name, types: [type], gpuNames: gpuName },
    ...{ filter: { ...filter, minDiskGb }, profile: { ...watch.profile, storageGb: wish.diskGb } },
    by: watch.rankBy,
  });
}

interface RankAsk {
  scopeName: string;
  types: readonly PricingType[];
  gpuNames: readonly string[];
  filter: OfferFilter;
  profile: UsageProfile;
  by: RankingFigure;
}

async function rank({ sql, market, insight }: Actor, ask: RankAsk): Promise<number[]> {
  const { gpuNames, filter, profile, by } = ask;
  const scopeId = (await findScope(sql, market.id, ask.scopeName)) ?? (await findScope(sql, market.id));
  if (scopeId === null) return [];
  // A book that lands meanwhile is read in place of the one before; the last try takes what there is.
  for (let turn = 1; turn <= 3; turn += 1) {
    const books = (await newestBooks(sql, scopeId)).filter(({ type }) => ask.types.includes(type));
    const request = { marketId: market.id, scopeId, books, gpuNames, filter, profile, skip: 0 };
    const ranking = await rankNewestOffers(
      { sql, ...insight },
      { ...request, limit: 5 * candidatesAtMost },
      by,
    );
    if (ranking === 'superseded') continue;
    const kept = ranking.items.filter(({ joke }) => joke !== true);
    return kept.slice(0, candidatesAtMost).map(({ offerId }) => offerId);
  }
  return [];
}

/** The verdict of an offer by the newest complete book that has it; null: none has. */
export async function verdictOf(
  { sql, market, insight }: Actor,
  { offerId, type }: Pick<Offer, 'offerId' | 'type'>,
): Promise<Verdict | null> {
  const scopeId = await findScope(sql, market.id);
  if (scopeId === null) return null;
  const book = (await newestBooks(sql, scopeId)).find((newest) => newest.type === type);
  if (book === undefined || book.verdict !== 'complete') return null;
  const current = await insight.currentOffers(sql, book);
  const offer = current.offers.find((one) => one.offerId === offerId);
  if (offer === undefined) return null;
  const series = { marketId: market.id, scopeId, type };
  const [jokeTest, pools] = await Promise.all([
    insight.jokeTests(series, book.observedAt),
    insight.poolsAt(sql, series, book),
  ]);
  return judgeOffer({ pools, current, jokeTest }, offer);
}

async function bookOffer(
  { sql, market, insight }: Actor,
  offerId: number,
  wish: RentWish,
): Promise<{ gpuName: string; numGpus: number } | null> {
  const scopeId = await findScope(sql, market.id);
  if (scopeId === null) return null;
  const type = typeOfWish(wish);
  const book = (await newestBooks(sql, scopeId)).find((newest) => newest.type === type);
  if (book === undefined) return null;
  const { offers } = await insight.currentOffers(sql, book);
  return offers.find((offer) => offer.offerId === offerId) ?? null;
}
