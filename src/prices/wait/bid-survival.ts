import { ordinalFrom } from '../spans/book-moments.sql.ts';
import type { SpanColumns, SpanOffers } from '../statistics/span-columns.ts';
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
  /** Of them, of each listing chosen from the oldest on, those at least the hours apart. */
  cases: number;
  /** Bids whose listing left the market before anything was decided. */
  unknown: number;
}

const survivalHours = [1, 6, 24] as const;
const raisePercents = [0, 10, 25] as const;
const neededCases = 30;
const hourMs = 3_600_000;

/** The bids of one span: the books that hold it, and when what follows it decided them. */
interface Chain {
  place: number;
  /** Milliseconds of the first book at which the listing's minimum bid is above it; infinity: at none that follows. */
  exceededAt: (raisePercent: number) => number;
  /** Milliseconds of the first counting book without the listing; infinity: none yet. */
  leftAt: number;
}

/** Spans of listings, those of each one after the other in the order of time. */
type Offered = SpanColumns & { offers: SpanOffers };

/**
 * For each listing and book of the past, whether a bid made then would have stayed at or above the minimum bid. `asked` are the
 * offers that are bid on, `followed` everything there was of their models. `counts`: 1 for each book that counts, `times`:
 * when each was. Source: docs/meaning.md#bid-survival.
 */
export function findBidSurvival(
  { asked, followed }: { asked: Offered; followed: Offered },
  { times, counts }: { times: Float64Array; counts: Int8Array },
): BidSurvival[] {
  const counting = Int32Array.from(times.keys()).filter((at) => counts[at] === 1);
  const moments = Float64Array.from(counting, (at) => times[at] as number);
  const bids = bidsOn(asked, followed, chainsOf(followed, counting, moments));
  return survivalHours.flatMap((hours) => {
    const { ends } = findWindows(moments, hours);
    const starts = Int32Array.from(moments.keys()).filter((at) => ends[at] !== -1);
    const startTimes = Float64Array.from(starts, (at) => moments[at] as number);
    const ordinals = Int32Array.from(starts, (at) => counting[at] as number);
    return raisePercents.map((raisePercent) =>
      countSurvivors(bids, { startTimes, ordinals }, { hours, raisePercent }),
    );
  });
}

/** Bids on a listing at the books from one to another, both included. */
interface Bids {
  listing: number;
  first: number;
  last: number;
  chain: Chain;
}

/** The parts of the followed spans that are bid on. */
function bidsOn(asked: Offered, followed: Offered, chains: readonly Chain[]): Bids[] {
  const ranges = new Map<number, { first: number; last: number }[]>();
  for (let place = 0; place < asked.length; place += 1) {
    const listing = asked.offers.listing[place] as number;
    const range = { first: asked.first[place] as number, last: asked.last[place] as number };
    const known = ranges.get(listing);
    if (known === undefined) ranges.set(listing, [range]);
    else known.push(range);
  }
  return chains.flatMap((chain) => {
    const listing = followed.offers.listing[chain.place] as number;
    const own = ranges.get(listing) ?? [];
    const [begin, end] = [followed.first[chain.place] as number, followed.last[chain.place] as number];
    // Both are in the order of time: what ends before this span is of no use for later ones.
    while (own[0] !== undefined && own[0].last < begin) own.shift();
    return own.slice(0, ownWithin(own, end)).map((range) => ({
      listing,
      first: Math.max(range.first, begin),
      last: Math.min(range.last, end),
      chain,
    }));
  });
}

/** How many of the ranges begin at or before the end. */
function ownWithin(ranges: readonly { first: number }[], end: number): number {
  let count = 0;
  while (count < ranges.length && (ranges[count]?.first ?? 0) <= end) count += 1;
  return count;
}

function countSurvivors(
  bids: readonly Bids[],
  { startTimes, ordinals }: { startTimes: Float64Array; ordinals: Int32Array },
  { hours, raisePercent }: { hours: number; raisePercent: number },
): BidSurvival {
  const windowMs = hours * hourMs;
  const counted = { survived: 0, exceeded: 0, unknown: 0, cases: 0 };
  let [listing, next] = [-1, Number.NEGATIVE_INFINITY];
  for (const { chain, first, last, listing: own } of bids) {
    const from = ordinalFrom(ordinals, first);
    const to = ordinalFrom(ordinals, last + 1);
    const exceeded = chain.exceededAt(raisePercent);
    // Bids from `decided` on are exceeded in time, or the listing leaves in time.
    const decidedAt = Math.min(exceeded, chain.leftAt) - windowMs;
    const decided = Math.max(from, Math.min(to, ordinalFrom(startTimes, decidedAt)));
    const isKnown = exceeded < chain.leftAt;
    counted.survived += decided - from;
    counted[isKnown ? 'exceeded' : 'unknown'] += to - decided;
    if (own !== listing) {
      listing = own;
      next = Number.NEGATIVE_INFINITY;
    }
    const knownTo = isKnown ? to : decided;
    for (let at = Math.max(from, ordinalFrom(startTimes, next)); at < knownTo; ) {
      counted.cases += 1;
      next = (startTimes[at] as number) + windowMs;
      at = Math.max(at + 1, ordinalFrom(startTimes, next));
    }
  }
  const { survived, exceeded, unknown, cases } = counted;
  const status = cases < neededCases ? 'insufficient' : 'ok';
  const decided = survived + exceeded;
  const share = status === 'ok' ? survived / decided : null;
  return { hours, raisePercent, status, share, bids: decided, cases, unknown };
}

/** The bids of every span with what follows it without an absence. */
function chainsOf(
  { first, last, length, offers }: Offered,
  counting: Int32Array,
  moments: Float64Array,
): Chain[] {
  const momentFrom = (ordinal: number): number =>
    moments[ordinalFrom(counting, ordinal)] ?? Number.POSITIVE_INFINITY;
  const { listing, baseUsdPerHour } = offers;
  const longestMs = Math.max(...survivalHours) * hourMs;
  const follows = (place: number): boolean =>
    place < length &&
    listing[place] === listing[place - 1] &&
    ordinalFrom(counting, (last[place - 1] as number) + 1) === ordinalFrom(counting, first[place] as number);
  const leftAts = new Float64Array(length);
  for (let place = length - 1; place >= 0; place -= 1) {
    leftAts[place] = follows(place + 1)
      ? (leftAts[place + 1] as number)
      : momentFrom((last[place] as number) + 1);
  }
  return Array.from({ length }, (_, place): Chain => {
    const exceededAt = (raisePercent: number): number => {
      const bid = (baseUsdPerHour[place] as number) * (1 + raisePercent / 100);
      const until = momentFrom(last[place] as number) + longestMs;
      for (let later = place + 1; follows(later); later += 1) {
        const at = momentFrom(first[later] as number);
        if (at > until) break;
        const isSeen = at < momentFrom((last[later] as number) + 1);
        if (isSeen && (baseUsdPerHour[later] as number) > bid) return at;
      }
      return Number.POSITIVE_INFINITY;
    };
    return { place, exceededAt, leftAt: leftAts[place] as number };
  });
}
