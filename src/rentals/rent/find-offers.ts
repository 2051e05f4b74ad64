import { findScope } from '../../books/newest-books.sql.ts';
import { UserError } from '../../core/errors.ts';
import { defaultProfile, type RankingMetric, type UsageProfile } from '../../core/metric.ts';
import type { Offer, PricingType } from '../../core/offer.ts';
import { noFilter } from '../../core/offer-filter.ts';
import type { BooksRequest } from '../../prices/newest/newest-offers.ts';
import { rankNewestOffers } from '../../prices/rankings/rankings.ts';
import { judgeNewest, type NewestJudgement } from '../../prices/verdicts/judge-newest.ts';
import type { Actor } from '../actor.ts';
import { typeOfRequest } from './bids.ts';
import { newestBook } from './newest-book.ts';
import type { RentRequest } from './rent-request.ts';

/** Returns an offer as the market has it now, with the wanted disk size; null: it can no longer be rented. */
export async function fetchOffer(
  { account }: Pick<Actor, 'account'>,
  offer: { offerId: number; type: PricingType; diskGb: number },
  signal?: AbortSignal,
): Promise<Offer | null> {
  // Two equal searches differ by a quarter, so one miss does not mean that an offer is gone.
  for (let turn = 1; turn <= 2; turn += 1) {
    const found = await account.findOffer(offer, { signal });
    if (found !== null) return found;
  }
  return null;
}

const candidatesAtMost = 10;

/**
 * Returns the offers to try for a request, best first: the named one, or those of the newest book that match its watch;
 * more than one only with next best. Leaves out blocked machines and outliers. Throws UserError for a watch that cannot
 * be used.
 */
export async function candidateIds(actor: Actor, request: RentRequest): Promise<number[]> {
  if (request.watchId !== undefined) {
    const ids = await offersOfWatch(actor, request, request.watchId);
    return request.nextBest === true ? ids : ids.slice(0, 1);
  }
  const { offerId } = request;
  if (offerId === undefined) throw new UserError('Give an offer or a watch.');
  if (request.nextBest !== true) return [offerId];
  const named = (await bookOffer(actor, offerId, request)) ?? null;
  if (named === null) return [offerId];
  const like = await rank(actor, 'usdPerGpuHour', async () => await requestLike(actor, request, named));
  return [offerId, ...like.filter((id) => id !== offerId)].slice(0, candidatesAtMost);
}

/** Returns the usage profile that a request is priced by. */
export const profileOf = ({ diskGb, profile = {} }: RentRequest): UsageProfile => ({
  ...defaultProfile,
  ...profile,
  storageGb: diskGb,
});

async function offersOfWatch(actor: Actor, request: RentRequest, watchId: string): Promise<number[]> {
  const watch = await actor.findWatchChoice(actor.sql, watchId);
  const market = actor.market.name;
  if (watch === null)
    throw new UserError(`The market ${market} has no watch ${watchId}: \`offerbook watch list\` shows all.`);
  if (!watch.markets.includes(market)) {
    throw new UserError(
      `The watch ${watch.name} follows ${watch.markets.join(', ')}, where Offerbook does not rent: rent there yourself, or ` +
        `name a watch of ${market}.`,
    );
  }
  const type = typeOfRequest(request);
  if (!watch.types.includes(type)) {
    throw new UserError(`The watch ${watch.name} covers ${watch.types.join(', ')} offers, not ${type}.`);
  }
  return await rank(
    actor,
    watch.rankBy,
    async () => await watch.request({ market, type, diskGb: request.diskGb }),
  );
}

/** Returns the offers of the same model and size as an offer, in the newest book of the whole market. */
async function requestLike(
  actor: Actor,
  request: RentRequest,
  { gpuName, numGpus }: { gpuName: string; numGpus: number },
): Promise<BooksRequest | null> {
  const book = await newestBook(actor, typeOfRequest(request));
  if (book === null) return null;
  const filter = { ...noFilter, numGpus: [numGpus], minDiskGb: request.diskGb };
  const choice = { gpuNames: [gpuName], filter, profile: profileOf(request) };
  return { marketId: actor.market.id, scopeId: book.scopeId, books: [book], ...choice };
}

/** Returns the best offers by a metric of what `read` returns; null: there is no book. */
async function rank(
  { sql, priceCache }: Actor,
  by: RankingMetric,
  read: () => Promise<BooksRequest | null>,
): Promise<number[]> {
  const page = { skip: 0, limit: 5 * candidatesAtMost };
  // If a book lands meanwhile, it is read instead of the previous one.
  for (let turn = 1; turn <= 3; turn += 1) {
    const request = await read();
    if (request === null) return [];
    const ranking = await rankNewestOffers({ sql, ...priceCache }, { ...request, ...page }, by);
    if (ranking === 'superseded') continue;
    const kept = ranking.items.filter(({ isOutlier }) => isOutlier !== true);
    return kept.slice(0, candidatesAtMost).map(({ offerId }) => offerId);
  }
  return [];
}

/** Judges an offer, and the lowest verified one of its model, by the newest complete book. */
export async function judgeQuoted(
  { sql, market, priceCache }: Actor,
  { offerId, type, gpuName }: Pick<Offer, 'offerId' | 'type' | 'gpuName'>,
): Promise<NewestJudgement> {
  const scopeId = await findScope(sql, market.id);
  const of = { marketId: market.id, scopeId, type, gpuName };
  return await judgeNewest({ sql, ...priceCache }, of, (offer) => offer.offerId === offerId);
}

async function bookOffer(
  actor: Actor,
  offerId: number,
  request: RentRequest,
): Promise<{ gpuName: string; numGpus: number } | null> {
  const book = await newestBook(actor, typeOfRequest(request));
  if (book === null) return null;
  const { offers } = await actor.priceCache.currentOffers(actor.sql, book);
  return offers.find((offer) => offer.offerId === offerId) ?? null;
}
