import { firstBookSince } from '../../books/newest-books.sql.ts';
import { medianOf } from '../../core/percentile.ts';
import type { Db } from '../../database/connection.ts';
import { deriveEpisodes } from '../../prices/listings/episode.ts';
import { readListingSpans } from '../../prices/listings/listings.sql.ts';
import {
  countOtherInstances,
  countOwnRentals,
  findHost,
  type ListedIn,
  listListings,
  type OwnRentals,
  type Place,
} from './machine-record.sql.ts';

/** Fewer whole stays give no median. */
export const neededStays = 5;
/** Listings of a host whose stays are read, those seen last first: a host may have had thousands. */
const maxReadListings = 200;

/** How long the listings of a machine or host last, and how the account's own rentals there went. */
export interface PlaceRecord {
  machines: number;
  /** Ever seen. */
  listings: number;
  /** Of those, how many the stays below are of. */
  readListings: number;
  /** Listed in the newest book. */
  listedNow: number;
  /** Stays on the market whose beginning and end were both seen, whatever their prices. */
  stays: number;
  /** null: there are fewer than `neededStays`. */
  medianListedHours: number | null;
  rentals: OwnRentals;
  /** The account's instances there that were rented elsewhere, those that ended too. */
  otherInstances: number;
}

export interface MachineRecord {
  /** null: the market does not name it. */
  hostId: number | null;
  /** The first complete book; null: there is none. */
  since: Date | null;
  machine: PlaceRecord;
  /** null: the host is unknown. */
  host: PlaceRecord | null;
}

/** Returns what is known about a machine and its host. Source: docs/meaning.md#record-of-a-host. */
export async function readMachineRecord(
  db: Db,
  of: ListedIn & { machineId: number },
  now: Date,
): Promise<MachineRecord> {
  const { scopeId, type, machineId } = of;
  const none = new Date(0);
  const [hostId, first] = await Promise.all([
    findHost(db, of),
    firstBookSince(db, { scopeIds: [scopeId], types: [type], since: none, before: now }),
  ]);
  const [machine, host] = await Promise.all([
    readPlace(db, of, { machineId }, first),
    hostId === null ? null : readPlace(db, of, { hostId }, first),
  ]);
  return { hostId, since: first > none ? first : null, machine, host };
}

async function readPlace(db: Db, of: ListedIn, place: Place, first: Date): Promise<PlaceRecord> {
  const [listings, rentals, otherInstances] = await Promise.all([
    listListings(db, of, place),
    countOwnRentals(db, of.marketId, place),
    countOtherInstances(db, of.marketId, place),
  ]);
  const read = listings.slice(0, maxReadListings).map(({ id }) => id);
  const spans = read.length === 0 ? [] : await readListingSpans(db, of.scopeId, read);
  // Without prices an episode is a whole stay. One that began with the first book may have begun earlier.
  const hours = deriveEpisodes(spans, []).flatMap(({ startedAt, endedAt }) =>
    endedAt === null || startedAt <= first ? [] : [(endedAt.getTime() - startedAt.getTime()) / 3_600_000],
  );
  return {
    machines: new Set(listings.map(({ machineId }) => machineId)).size,
    listings: listings.length,
    readListings: read.length,
    listedNow: spans.filter(({ open }) => open).length,
    stays: hours.length,
    medianListedHours: hours.length < neededStays ? null : medianOf(hours),
    rentals,
    otherInstances,
  };
}
