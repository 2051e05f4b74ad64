import { listedStorageGb, usdPerHour } from '../../core/price.ts';
import type { Db } from '../../database/connection.ts';
import { type AskedPrice, deriveEpisodes, type Episode } from './episode.ts';
import {
  type Listing,
  type ListingAttributes,
  type MachineSpan,
  type PriceInterval,
  readAttributes,
  readCrawlCounts,
  readListingSpans,
  readMachineSpans,
  seenRented,
} from './listings.sql.ts';

/** An episode and what is known about its end. */
export interface ListedEpisode extends Episode {
  /** From its start to its end, or to the last sighting while ongoing. */
  listedForSeconds: number;
  /** Whether the machine was seen again as not rentable; null: another end, or no book has looked. */
  rented: boolean | null;
  /** The last asking price if the machine was rented; null: unknown. */
  clearingUsdPerGpuHour: number | null;
}

export interface ListingHistory {
  priceIntervals: PriceInterval[];
  presence: MachineSpan[];
  episodes: ListedEpisode[];
  attributes: ListingAttributes[];
}

/** Returns all that is known about a listing in a scope, in time order. */
export async function readListingHistory(db: Db, listing: Listing, scopeId: number): Promise<ListingHistory> {
  const spans = await readMachineSpans(db, { ...listing, scopeId });
  // Offers that vanished in the same book explain an end, so the machine's other listings are read too.
  const listingIds = [...new Set([listing.id, ...spans.map(({ listingId }) => listingId)])];
  const [priceIntervals, attributes] = await Promise.all([
    readCrawlCounts(db, scopeId, listingIds),
    readAttributes(db, listing.id),
  ]);
  const own = deriveEpisodes(spans, priceIntervals.map(askOf)).filter(
    ({ listingId }) => listingId === listing.id,
  );
  return {
    priceIntervals: priceIntervals.filter(({ listingId }) => listingId === listing.id),
    presence: spans.filter(({ listingId }) => listingId === listing.id),
    episodes: await withEnds(db, listing, own),
    attributes,
  };
}

/** Returns the ongoing episodes of some listings in one scope. */
export async function openEpisodes(
  db: Db,
  scopeId: number,
  listingIds: readonly number[],
): Promise<Map<number, Episode>> {
  const [spans, priceIntervals] = [
    await readListingSpans(db, scopeId, listingIds),
    await readCrawlCounts(db, scopeId, listingIds),
  ];
  const open = deriveEpisodes(spans, priceIntervals.map(askOf)).filter(({ endedAt }) => endedAt === null);
  return new Map(open.map((episode) => [episode.listingId, episode]));
}

function askOf(interval: PriceInterval): AskedPrice {
  const price = usdPerHour(interval, listedStorageGb);
  const usdPerGpuHour = price === null ? null : price / interval.numGpus;
  const { listingId, from: validFrom, previousBookAt } = interval;
  return { listingId, validFrom, previousBookAt, usdPerGpuHour };
}

async function withEnds(db: Db, listing: Listing, episodes: readonly Episode[]): Promise<ListedEpisode[]> {
  const gone = episodes.flatMap(({ endedBy, endedAt, lastSeenAt }, index) =>
    endedBy === 'gone' && endedAt !== null
      ? [{ index, lastSeenAt, from: endedAt, to: episodes[index + 1]?.startedAt ?? null }]
      : [],
  );
  const answers = await seenRented(db, listing, gone);
  const rented = new Map(gone.map(({ index }, place) => [index, answers[place] ?? null]));
  return episodes.map((episode, index) => {
    const { startedAt, endedAt, lastSeenAt, lastAskUsdPerGpuHour } = episode;
    const wasRented = rented.get(index) ?? null;
    return {
      ...episode,
      listedForSeconds: ((endedAt ?? lastSeenAt).getTime() - startedAt.getTime()) / 1000,
      rented: wasRented,
      clearingUsdPerGpuHour: wasRented === true ? lastAskUsdPerGpuHour : null,
    };
  });
}
