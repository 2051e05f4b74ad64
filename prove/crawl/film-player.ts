import type { Offer } from '../../src/core/offer.ts';
import type { MarketClient } from '../../src/market/vast/client.ts';
import type { OfferQuery } from '../../src/market/vast/offer-query.ts';
import type { OfferPage } from '../../src/market/vast/offers.ts';
import type { MarketFilm } from './market-film.ts';

export interface PlayerOptions {
  film: MarketFilm;
  /** Maximum rows of one response; more are cut off silently. */
  cap: number;
  /** Seconds that pass with each response. */
  paceS: number;
  startFrame: number;
  random: () => number;
  /** Offers that change price with each response, besides those of the film. @default 0 */
  repriced?: number | undefined;
  /** Share of the rows that each response omits, different ones each time. @default 0 */
  hiding?: number | undefined;
  /** Whether they are omitted after the cap is applied. @default false: before it */
  hidesAfterCut?: boolean | undefined;
  /** Whether the same 1% of the offers is in no response at all, which nothing can detect. @default false */
  conceals?: boolean | undefined;
  /** Whether filters on ids are ignored. @default false */
  ignoresIds?: boolean | undefined;
}

export interface FilmPlayer {
  client: Pick<MarketClient, 'searchOffers'>;
  /** The frame of the last response. */
  frame: () => number;
  answers: () => number;
  /** Offers that changed price, except those of the film. */
  repriced: () => number;
}

/** A market that plays the film: every response is correct at its moment, and time passes with each. */
export function createFilmPlayer(options: PlayerOptions): FilmPlayer {
  const { film, paceS, startFrame } = options;
  let answers = 0;
  let frame = startFrame;
  const frames = createPricedFrames(options);
  return {
    client: {
      searchOffers: async (query) => {
        const passed = Math.floor((answers * paceS) / film.stepS);
        frame = Math.min(film.frames.length - 1, startFrame + passed);
        answers += 1;
        frames.reprice(frame);
        return answer(options, query, frames.inOrder(frame, query.order), frames.now);
      },
    },
    frame: () => frame,
    answers: () => answers,
    repriced: frames.repriced,
  };
}

/** The offers of a frame in either order, at their current prices. */
interface PricedFrames {
  inOrder: (frame: number, order: OfferQuery['order']) => readonly Offer[];
  now: (offer: Offer) => Offer;
  /** Changes the prices of some offers of the frame. */
  reprice: (frame: number) => void;
  /** Offers with changed prices. */
  repriced: () => number;
}

function createPricedFrames({ film, repriced = 0, random }: PlayerOptions): PricedFrames {
  const changed = new Map<number, Offer>();
  let sorted: { frame: number; changes: number; offers: readonly Offer[] } | null = null;
  let changes = 0;
  const now = (offer: Offer): Offer => changed.get(offer.offerId) ?? offer;
  const sort = (frame: number): readonly Offer[] => {
    if (sorted?.frame !== frame || sorted.changes !== changes) {
      const offers = (film.frames[frame] ?? []).map(now);
      // Stable: equal prices stay in the order of their ids.
      offers.sort((a, b) => a.listedUsdPerHour - b.listedUsdPerHour);
      sorted = { frame, changes, offers };
    }
    return sorted.offers;
  };
  return {
    inOrder: (frame, order) => {
      if (order === 'price-id') return sort(frame);
      const offers = film.frames[frame] ?? [];
      return order === 'id' ? offers : offers.toReversed();
    },
    now,
    reprice: (frame) => {
      const offers = film.frames[frame] ?? [];
      for (let count = 0; count < repriced; count += 1) {
        const offer = offers[Math.floor(random() * offers.length)];
        if (offer === undefined) continue;
        changed.set(offer.offerId, { ...offer, listedUsdPerHour: offer.listedUsdPerHour * (0.5 + random()) });
        changes += 1;
      }
    },
    repriced: () => changed.size,
  };
}

function answer(
  options: PlayerOptions,
  query: OfferQuery,
  offers: readonly Offer[],
  now: (offer: Offer) => Offer,
): OfferPage {
  const { cap, hiding = 0, hidesAfterCut = false, random } = options;
  const afterId = (options.ignoresIds ? undefined : query.afterId) ?? Number.NEGATIVE_INFINITY;
  const floor = query.exactUsdPerHour ?? query.minUsdPerHour ?? Number.NEGATIVE_INFINITY;
  const ceiling = query.exactUsdPerHour ?? Number.POSITIVE_INFINITY;
  const tier = query.filters?.verification?.eq;
  const starts: Record<OfferQuery['order'], () => number> = {
    id: () => firstWhere(offers, ({ offerId }) => offerId > afterId),
    'id-desc': () => 0,
    'price-id': () => firstWhere(offers, ({ listedUsdPerHour }) => listedUsdPerHour >= floor),
  };
  const start = starts[query.order]();
  const most = Math.min(query.limit, cap);
  const given: Offer[] = [];
  let rows = 0;
  for (let at = start; at < offers.length && rows < most; at += 1) {
    const offer = offers[at];
    if (offer === undefined || offer.listedUsdPerHour > ceiling) break;
    if (offer.offerId <= afterId || (tier !== undefined && offer.verification !== tier)) continue;
    if (query.gpuNames?.includes(offer.gpuName) === false) continue;
    if (query.exceptGpuNames?.includes(offer.gpuName)) continue;
    if (options.conceals === true && offer.offerId % 100 === 0) continue;
    const isHidden = hiding > 0 && random() < hiding;
    if (!isHidden || hidesAfterCut) rows += 1;
    if (!isHidden) given.push(now(offer));
  }
  return {
    ...{ offers: given, rejected: [], rows: given.length, ids: given.map(({ offerId }) => offerId) },
    ...{ replacedCharacters: 0, bodyBytes: 0, retries: 0, throttles: 0, durationMs: 0 },
  };
}

/** The first matching index in an ascending list; the length if none matches. */
function firstWhere(offers: readonly Offer[], fits: (offer: Offer) => boolean): number {
  let low = 0;
  let high = offers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const offer = offers[middle];
    if (offer === undefined || fits(offer)) high = middle;
    else low = middle + 1;
  }
  return low;
}
