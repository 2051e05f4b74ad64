/** The part of an offer that waiting reads. */
export interface PlainOffer {
  /** Stays while offer ids change. */
  listing: string;
  /** Type, model and verification as in force that day. */
  segment: string;
  listedUsdPerGpuHour: number;
  allInUsdPerHour: number;
  baseUsdPerHour: number;
  matches: boolean;
}

export interface PlainBook {
  at: number;
  offers: readonly PlainOffer[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How the lowest price changed, from complete books alone, one by one. Source: docs/meaning.md#wait-or-rent. */
export function plainWait(books: readonly PlainBook[], hours: number) {
  const lowest = lowestPrices(books);
  const now = books.length - 1;
  const counted = books.flatMap(({ at }, index) =>
    at > (books[now]?.at ?? 0) - 365 * dayMs && lowest[index] !== null && isWatched(books, at, hours)
      ? [index]
      : [],
  );
  const percentileNow = percentileAt(books, lowest, now);
  const similar = counted.filter((index) => {
    const percentile = percentileAt(books, lowest, index);
    return percentile !== null && percentileNow !== null && Math.abs(percentile - percentileNow) <= 15;
  });
  return {
    priceNow: lowest[now] ?? null,
    percentileNow,
    overall: drops(books, lowest, counted, hours, 30),
    similar: drops(books, lowest, similar, hours, 10),
  };
}

/** By book, counted once for all requested hours. */
function lowestPrices(books: readonly PlainBook[]): (number | null)[] {
  const known = knownLowest.get(books) ?? books.map((book) => lowestOf(books, book));
  knownLowest.set(books, known);
  return known;
}

const knownLowest = new WeakMap<readonly PlainBook[], (number | null)[]>();

function lowestOf(books: readonly PlainBook[], { at, offers }: PlainBook): number | null {
  const window = books.filter((book) => book.at <= at && book.at > at - 30 * dayMs);
  const medians = new Map<string, number>();
  const usual = (segment: string): number => {
    const known = medians.get(segment);
    if (known !== undefined) return known;
    const prices = window.flatMap((book) =>
      book.offers.filter((each) => each.segment === segment).map((each) => each.listedUsdPerGpuHour),
    );
    const median = middle(prices) ?? Number.NaN;
    medians.set(segment, median);
    return median;
  };
  const prices = offers
    .filter(({ matches, segment, listedUsdPerGpuHour: price }) => {
      return matches && price >= usual(segment) / 4 && price <= usual(segment) * 4;
    })
    .map(({ allInUsdPerHour }) => allInUsdPerHour);
  return prices.length === 0 ? null : Math.min(...prices);
}

/** Whether books were at most 3 hours apart from the one at `at` until `hours` later. */
function isWatched(books: readonly PlainBook[], at: number, hours: number): boolean {
  const until = at + hours * hourMs;
  const after = books.find((book) => book.at >= until);
  if (after === undefined) return false;
  const seen = books.filter((book) => book.at >= at && book.at <= after.at);
  const gaps = seen.slice(1).map((book, index) => book.at - (seen[index]?.at ?? 0));
  return gaps.every((gap) => gap <= 3 * hourMs);
}

function percentileAt(
  books: readonly PlainBook[],
  lowest: readonly (number | null)[],
  index: number,
): number | null {
  const { at } = books[index] ?? { at: 0 };
  const price = lowest[index];
  const pool = lowest.filter((other, place) => {
    const then = books[place]?.at ?? 0;
    return other !== null && then < at && then > at - 7 * dayMs;
  }) as number[];
  if (price === null || price === undefined || pool.length === 0) return null;
  const below = pool.filter((other) => other < price).length;
  const equal = pool.filter((other) => other === price).length;
  return (100 * (below + equal / 2)) / pool.length;
}

function drops(
  books: readonly PlainBook[],
  lowest: readonly (number | null)[],
  counted: readonly number[],
  hours: number,
  neededCases: number,
) {
  const cases = apart(
    counted.map((index) => books[index]?.at ?? 0),
    hours,
  );
  const enough = cases >= neededCases;
  return {
    ...{ status: enough ? 'ok' : 'insufficient', books: counted.length, cases, neededCases },
    drops: [5, 10, 20].map((percent) => {
      const waits = counted.flatMap((index) => {
        const [at, price] = [books[index]?.at ?? 0, lowest[index] ?? 0];
        const hit = books.findIndex((book, later) => {
          const other = lowest[later];
          const inTime = book.at > at && book.at <= at + hours * hourMs;
          return inTime && other !== null && other !== undefined && other <= (1 - percent / 100) * price;
        });
        return hit === -1 ? [] : [((books[hit]?.at ?? 0) - at) / hourMs];
      });
      return {
        percent,
        chance: enough ? waits.length / counted.length : null,
        medianHours: enough ? middle(waits) : null,
      };
    }),
  };
}

/** What would have become of a bid on each matching offer of each book, followed book by book. */
export function plainBids(books: readonly PlainBook[]) {
  return [1, 6, 24].flatMap((hours) =>
    [0, 10, 25].map((raisePercent) => {
      const outcomes = { survived: 0, exceeded: 0, unknown: 0 };
      const known = new Map<string, number[]>();
      for (const { at, offers } of books) {
        if (!isWatched(books, at, hours)) continue;
        const later = books.filter((book) => book.at > at && book.at <= at + hours * hourMs);
        if (later.length === 0) continue;
        for (const { listing, baseUsdPerHour, matches } of offers) {
          if (!matches) continue;
          const outcome = follow(later, listing, baseUsdPerHour * (1 + raisePercent / 100));
          outcomes[outcome] += 1;
          if (outcome !== 'unknown') known.set(listing, [...(known.get(listing) ?? []), at]);
        }
      }
      const stretch = (at: number) => Math.floor(at / (hours * hourMs));
      const cases = [...known.values()].reduce((sum, times) => sum + new Set(times.map(stretch)).size, 0);
      const bids = outcomes.survived + outcomes.exceeded;
      return {
        ...{ hours, raisePercent, status: cases < 30 ? 'insufficient' : 'ok' },
        ...{ share: cases < 30 ? null : outcomes.survived / bids, bids, cases, unknown: outcomes.unknown },
      };
    }),
  );
}

function follow(
  later: readonly PlainBook[],
  listing: string,
  bid: number,
): 'survived' | 'exceeded' | 'unknown' {
  for (const { offers } of later) {
    const offer = offers.find((each) => each.listing === listing);
    if (offer === undefined) return 'unknown';
    if (offer.baseUsdPerHour > bid) return 'exceeded';
  }
  return 'survived';
}

function apart(times: readonly number[], hours: number): number {
  let [count, next] = [0, Number.NEGATIVE_INFINITY];
  for (const at of times) {
    if (at < next) continue;
    count += 1;
    next = at + hours * hourMs;
  }
  return count;
}

function middle(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (place - Math.floor(place)) * (high - low);
}
