import { countBelow } from '../../core/count-below.ts';
import { type Chains, countBooks, findChains, type Offered } from './bid-chains.ts';
import { findWindows } from './book-windows.ts';

/** What would have become of bids at the minimum bid, or some percent above it. */
export interface BidSurvival {
  hours: number;
  /** How far above the minimum bid of its moment each bid is. */
  raisePercent: number;
  status: 'ok' | 'insufficient';
  /** Share that no later minimum bid of the listing exceeded in time, 0 to 1; null: too few cases. */
  share: number | null;
  /** Bids of listings at books whose outcome is known. */
  bids: number;
  /** Hours, quarters of days or days, UTC, of listings with such a bid. */
  cases: number;
  /** Bids whose listing left the market before anything was decided. */
  unknown: number;
}

const survivalHours = [1, 6, 24] as const;
const raisePercents = [0, 10, 25] as const;
const neededCases = 30;
const hourMs = 3_600_000;
const maxSurvivalMs = Math.max(...survivalHours) * hourMs;

/**
 * For each listing and book of the past, whether a bid made then would have stayed at or above the minimum bid. `asked` are the
 * offers that are bid on, `followed` everything there was of their models. `counts`: 1 for each book that counts, `times`:
 * when each was. Source: docs/meaning.md#bid-survival.
 */
export function findBidSurvival(
  { asked, followed }: { asked: Offered; followed: Offered },
  { times, counts }: { times: Float64Array; counts: Int8Array },
): BidSurvival[] {
  const books = countBooks(times, counts);
  const chains = findChains(followed, books, { raisePercents, followMs: maxSurvivalMs });
  const bids = asked === followed ? allBids(followed) : bidsOn(asked, followed);
  return survivalHours.flatMap((hours) => {
    const starts = startsOf(books.moments, books.before, hours);
    return raisePercents.map((raisePercent) => countSurvivors(bids, chains, starts, { hours, raisePercent }));
  });
}

/** Stretches of books at which bids are made: the place of the span, its listing, and the books from one to another. */
interface Bids {
  place: Int32Array;
  listing: Int32Array;
  first: Int32Array;
  last: Int32Array;
}

const allBids = ({ length, first, last, offers }: Offered): Bids => ({
  place: Int32Array.from({ length }, (_, place) => place),
  listing: offers.listing.subarray(0, length),
  first: first.subarray(0, length),
  last: last.subarray(0, length),
});

/** The parts of the followed spans that are asked for. */
function bidsOn(asked: Offered, followed: Offered): Bids {
  const placesOf = new Map<number, { next: number; end: number }>();
  for (let place = 0; place < asked.length; place += 1) {
    const listing = asked.offers.listing[place] as number;
    const known = placesOf.get(listing);
    if (known === undefined) placesOf.set(listing, { next: place, end: place + 1 });
    else known.end = place + 1;
  }
  const [place, listing, first, last]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let at = 0; at < followed.length; at += 1) {
    const own = placesOf.get(followed.offers.listing[at] as number);
    if (own === undefined) continue;
    const [begin, end] = [followed.first[at] as number, followed.last[at] as number];
    while (own.next < own.end && (asked.last[own.next] as number) < begin) own.next += 1;
    for (let part = own.next; part < own.end && (asked.first[part] as number) <= end; part += 1) {
      place.push(at);
      listing.push(followed.offers.listing[at] as number);
      first.push(Math.max(begin, asked.first[part] as number));
      last.push(Math.min(end, asked.last[part] as number));
    }
  }
  return {
    place: Int32Array.from(place),
    listing: Int32Array.from(listing),
    first: Int32Array.from(first),
    last: Int32Array.from(last),
  };
}

/** Books at which bids of so many hours count. */
interface Starts {
  /** Milliseconds. */
  times: Float64Array;
  /** How many there are before each ordinal. */
  before: Int32Array;
  /** The stretch of the hours that each is in, by a number that never falls from one to the next by more than 1. */
  stretch: Int32Array;
}

function startsOf(moments: Float64Array, booksBefore: Int32Array, hours: number): Starts {
  const { ends } = findWindows(moments, hours);
  const startsBefore = new Int32Array(moments.length + 1);
  for (let at = 0; at < moments.length; at += 1) {
    startsBefore[at + 1] = (startsBefore[at] as number) + (ends[at] === -1 ? 0 : 1);
  }
  const times = moments.filter((_, at) => ends[at] !== -1);
  const stretch = new Int32Array(times.length);
  const numberOf = (at: number): number => Math.floor((times[at] as number) / (hours * hourMs));
  for (let at = 1; at < times.length; at += 1) {
    stretch[at] = (stretch[at - 1] as number) + (numberOf(at) === numberOf(at - 1) ? 0 : 1);
  }
  return { times, before: booksBefore.map((books) => startsBefore[books] as number), stretch };
}

function countSurvivors(
  bids: Bids,
  { leftAt, exceededAt }: Chains,
  { times, before, stretch }: Starts,
  { hours, raisePercent }: { hours: number; raisePercent: number },
): BidSurvival {
  const windowMs = hours * hourMs;
  const exceededAts = exceededAt.get(raisePercent) ?? leftAt;
  let [survived, outbid, unknown, cases] = [0, 0, 0, 0];
  let [listing, counted] = [-1, -1];
  for (let at = 0; at < bids.place.length; at += 1) {
    const place = bids.place[at] as number;
    const from = before[bids.first[at] as number] as number;
    const to = before[(bids.last[at] as number) + 1] as number;
    if (from === to) continue;
    const [exceeded, left] = [exceededAts[place] as number, leftAt[place] as number];
    // Bids from there on are exceeded in time, or the listing leaves in time.
    const decidedAt = Math.min(exceeded, left) - windowMs;
    const isLater = decidedAt > (times[to - 1] as number);
    const decided = isLater ? to : Math.max(from, Math.min(to, countBelow(times, decidedAt)));
    survived += decided - from;
    const isKnown = exceeded < left;
    if (isKnown) outbid += to - decided;
    else unknown += to - decided;
    const knownTo = isKnown ? to : decided;
    if (bids.listing[at] !== listing) {
      listing = bids.listing[at] as number;
      counted = -1;
    }
    if (knownTo === from) continue;
    const newest = stretch[knownTo - 1] as number;
    cases += newest - Math.max(counted, (stretch[from] as number) - 1);
    counted = newest;
  }
  const decided = survived + outbid;
  const status = cases < neededCases ? 'insufficient' : 'ok';
  const share = status === 'ok' ? survived / decided : null;
  return { hours, raisePercent, status, share, bids: decided, cases, unknown };
}
