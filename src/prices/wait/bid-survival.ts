import { countBelow } from '../../core/count-below.ts';
import type { Turns } from '../../core/turns.ts';
import { type Chains, countBooks, findChains, type Offered } from './bid-chains.ts';
import { findWindows } from './book-windows.ts';

/** How long bids at the minimum bid, or some percent above it, would have lasted. */
export interface BidSurvival {
  hours: number;
  /** Percent above the minimum bid of the moment. */
  raisePercent: number;
  status: 'ok' | 'insufficient';
  /** Share never exceeded in time by a later minimum bid of the listing, 0 to 1; null: too few cases. */
  share: number | null;
  /** Bids, one per listing and book, with a known outcome. */
  bids: number;
  /** Hours, quarters of days or days (UTC) of listings with such a bid. */
  cases: number;
  /** Bids whose listing left the market before the outcome was known. */
  unknown: number;
}

const survivalHours = [1, 6, 24] as const;
const raisePercents = [0, 10, 25] as const;
const neededCases = 30;
const hourMs = 3_600_000;
const maxSurvivalMs = Math.max(...survivalHours) * hourMs;

/** Counts the outcomes of bids, part of the offers at a time. */
export interface BidTally {
  /**
   * Counts bids on the offers in `asked`; `followed` holds everything offered of their models. No listing may be in two
   * parts.
   */
  add: (part: { asked: Offered; followed: Offered }, turns: Turns) => Promise<void>;
  figures: () => BidSurvival[];
}

/**
 * Counts, for each past listing and book, whether a bid would have stayed at or above the minimum bid. `counts`: 1 for
 * each book that counts; `times`: their moments. Source: docs/meaning.md#bid-survival.
 */
export function createBidTally({ times, counts }: { times: Float64Array; counts: Int8Array }): BidTally {
  const books = countBooks(times, counts);
  const rows = survivalHours.flatMap((hours) => {
    const starts = startsOf(books.moments, books.before, hours);
    return raisePercents.map((raisePercent) => ({
      hours,
      raisePercent,
      starts,
      survived: 0,
      outbid: 0,
      unknown: 0,
      cases: 0,
    }));
  });
  return {
    add: async ({ asked, followed }, turns) => {
      const chains = await findChains(followed, books, { raisePercents, followMs: maxSurvivalMs }, turns);
      const bids = asked === followed ? allBids(followed) : await bidsOn(asked, followed, turns);
      for (const row of rows) await countSurvivors(row, bids, chains, turns);
    },
    figures: () =>
      rows.map(({ hours, raisePercent, survived, outbid, unknown, cases }) => {
        const bids = survived + outbid;
        const status = cases < neededCases ? 'insufficient' : 'ok';
        const share = status === 'ok' ? survived / bids : null;
        return { hours, raisePercent, status, share, bids, cases, unknown };
      }),
  };
}

/** Stretches of books with bids: the span's index, its listing, and the first and last book. */
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

/** Returns the parts of the followed spans that the request matches. */
async function bidsOn(asked: Offered, followed: Offered, turns: Turns): Promise<Bids> {
  const placesOf = new Map<number, { next: number; end: number }>();
  await turns.over(asked.length, (from, to) => {
    for (let place = from; place < to; place += 1) {
      const listing = asked.offers.listing[place] as number;
      const known = placesOf.get(listing);
      if (known === undefined) placesOf.set(listing, { next: place, end: place + 1 });
      else known.end = place + 1;
    }
  });
  const [place, listing, first, last]: [number[], number[], number[], number[]] = [[], [], [], []];
  const take = (at: number): void => {
    const own = placesOf.get(followed.offers.listing[at] as number);
    if (own === undefined) return;
    const [begin, end] = [followed.first[at] as number, followed.last[at] as number];
    while (own.next < own.end && (asked.last[own.next] as number) < begin) own.next += 1;
    for (let part = own.next; part < own.end && (asked.first[part] as number) <= end; part += 1) {
      place.push(at);
      listing.push(followed.offers.listing[at] as number);
      first.push(Math.max(begin, asked.first[part] as number));
      last.push(Math.min(end, asked.last[part] as number));
    }
  };
  await turns.over(followed.length, (from, to) => {
    for (let at = from; at < to; at += 1) take(at);
  });
  return {
    place: Int32Array.from(place),
    listing: Int32Array.from(listing),
    first: Int32Array.from(first),
    last: Int32Array.from(last),
  };
}

/** Books at which bids of this many hours count. */
interface Starts {
  /** Milliseconds. */
  times: Float64Array;
  /** Number before each ordinal. */
  before: Int32Array;
  /** The number of each book's stretch of hours, which rises by at most 1 from book to book. */
  stretch: Int32Array;
}

function startsOf(moments: Float64Array, booksBefore: Int32Array, hours: number): Starts {
  const { ends } = findWindows(moments, hours);
  // Without a book in time the outcome is unknown.
  const counts = Array.from(ends, (end, at) => end > at);
  const startsBefore = new Int32Array(moments.length + 1);
  for (let at = 0; at < moments.length; at += 1) {
    startsBefore[at + 1] = (startsBefore[at] as number) + (counts[at] ? 1 : 0);
  }
  const times = moments.filter((_, at) => counts[at]);
  const stretch = new Int32Array(times.length);
  const numberOf = (at: number): number => Math.floor((times[at] as number) / (hours * hourMs));
  for (let at = 1; at < times.length; at += 1) {
    stretch[at] = (stretch[at - 1] as number) + (numberOf(at) === numberOf(at - 1) ? 0 : 1);
  }
  return { times, before: booksBefore.map((books) => startsBefore[books] as number), stretch };
}

interface TallyRow {
  hours: number;
  starts: Starts;
  raisePercent: number;
  survived: number;
  outbid: number;
  unknown: number;
  cases: number;
}

async function countSurvivors(
  row: TallyRow,
  bids: Bids,
  { leftAt, exceededAt }: Chains,
  turns: Turns,
): Promise<void> {
  const { times, before, stretch } = row.starts;
  const windowMs = row.hours * hourMs;
  const exceededAts = exceededAt.get(row.raisePercent) ?? leftAt;
  let [listing, counted] = [-1, -1];
  const count = (at: number): void => {
    const place = bids.place[at] as number;
    const from = before[bids.first[at] as number] as number;
    const to = before[(bids.last[at] as number) + 1] as number;
    if (from === to) return;
    const [exceeded, left] = [exceededAts[place] as number, leftAt[place] as number];
    // Later bids are exceeded in time, or their listing leaves in time.
    const decidedAt = Math.min(exceeded, left) - windowMs;
    const isLater = decidedAt > (times[to - 1] as number);
    const decided = isLater ? to : Math.max(from, Math.min(to, countBelow(times, decidedAt)));
    row.survived += decided - from;
    const isKnown = exceeded < left;
    if (isKnown) row.outbid += to - decided;
    else row.unknown += to - decided;
    const knownTo = isKnown ? to : decided;
    if (bids.listing[at] !== listing) {
      listing = bids.listing[at] as number;
      counted = -1;
    }
    if (knownTo === from) return;
    const newest = stretch[knownTo - 1] as number;
    row.cases += newest - Math.max(counted, (stretch[from] as number) - 1);
    counted = newest;
  };
  await turns.over(bids.place.length, (from, to) => {
    for (let at = from; at < to; at += 1) count(at);
  });
}
