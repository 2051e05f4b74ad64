import { createHeldBooks } from './held-books.ts';
import type { HeldRow } from './held-rows.sql.ts';
import { plainPrice } from './plain-price.ts';
import type { ObservedListing } from './plain-regression.ts';

const dayMs = 86_400_000;

/** A listing of a window with the fields shown. */
export interface WindowListing extends ObservedListing {
  numGpus: number;
  ordinal: number;
  /** Number of the window's books with its price at 0 or less. */
  pricesLeftOut: number;
  /** Whether a book held another listing, different only in its ordinal, at another price. */
  differs: boolean;
}

/** Returns the listings held by the books at `times`, with the mean of each one's log prices by UTC day. */
export function observeListings(held: readonly HeldRow[], times: readonly number[]): WindowListing[] {
  const booksOf = createHeldBooks(times);
  const present = held
    .map((row) => ({ row, price: plainPrice(row), ...booksOf(row) }))
    .filter(({ first, end }) => end > first)
    .sort((a, b) => a.first - b.first);
  const listings = [...Map.groupBy(present, ({ row }) => row.listingId).values()].map((own) => {
    const sums = new Map<number, { sum: number; books: number; hostId: number | null }>();
    let pricesLeftOut = 0;
    for (const { row, price, first, end } of own) {
      if (Number.isNaN(price)) continue;
      for (let place = first; place < end; place += 1) {
        if (price <= 0) {
          pricesLeftOut += 1;
          continue;
        }
        const day = Math.floor((times[place] as number) / dayMs);
        const { sum, books } = sums.get(day) ?? { sum: 0, books: 0 };
        sums.set(day, { sum: sum + Math.log(price), books: books + 1, hostId: row.hostId });
      }
    }
    const { listingId, machineId, numGpus, ordinal } = (own[0] as (typeof own)[number]).row;
    return {
      listingId,
      machineId,
      numGpus,
      ordinal,
      pricesLeftOut,
      hostId: [...sums.values()].at(-1)?.hostId ?? null,
      logs: new Map([...sums].map(([day, { sum, books }]) => [day, sum / books])),
      differs: false,
    };
  });
  const differing = findDiffering(present);
  return listings.map((each) => ({ ...each, differs: differing.has(`${each.machineId} ${each.numGpus}`) }));
}

/** Finds machines and sizes whose listings had different prices in one book. */
function findDiffering(
  present: readonly { row: HeldRow; price: number; first: number; end: number }[],
): Set<string> {
  const groups = Map.groupBy(present, ({ row }) => `${row.machineId} ${row.numGpus}`);
  const differing = [...groups].filter(([, rows]) => {
    if (new Set(rows.map(({ row }) => row.ordinal)).size < 2) return false;
    const prices = new Map<number, number>();
    return rows.some(({ price, first, end }) => {
      for (let place = first; place < end; place += 1) {
        const other = prices.get(place);
        if (other !== undefined && !Object.is(other, price)) return true;
        prices.set(place, price);
      }
      return false;
    });
  });
  return new Set(differing.map(([key]) => key));
}
