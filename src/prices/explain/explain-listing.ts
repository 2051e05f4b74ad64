import { findScope, newestMoment } from '../../books/newest-books.sql.ts';
import { countOf } from '../../core/count-of.ts';
import { orNoSuch } from '../../core/http/problem.ts';
import { readProfile } from '../../core/http/query.ts';
import { readRange } from '../../core/http/time-range.ts';
import { usdPerHour } from '../../core/price.ts';
import { readListingHistory } from '../listings/listing-history.ts';
import { findListing } from '../listings/listings.sql.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { readBucketBooks } from './book-rows.sql.ts';
import type { AskedPrices } from './explain-params.ts';
import { type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';

const hoursPerMonth = 720;

/** Explains a listing's prices in a range, interval by interval, with the number of books at each. */
export async function explainListing(
  deps: PricesDeps,
  asked: AskedPrices & { from?: string | undefined; to?: string | undefined },
  listingId: number,
): Promise<ExplainedFigures> {
  const { sql } = deps;
  const listing = orNoSuch(await findListing(sql, listingId), 'listing');
  const scopeId = orNoSuch(await findScope(sql, listing.marketId), 'listing');
  const newest = await newestMoment(sql, scopeId, [listing.type]);
  const { from, to } = readRange({ ...asked, timeZone: 'UTC' }, newest, deps.now());
  const { storageGb } = readProfile(asked);
  const [{ priceIntervals, presence }, books] = await Promise.all([
    readListingHistory(sql, listing, scopeId),
    readBucketBooks(sql, { scopeId, type: listing.type, gpuName: listing.gpuName }, { from, to }),
  ]);
  const covering = books.filter(({ covers }) => covers).map(({ observedAt }) => observedAt.getTime());
  const within = priceIntervals.filter((each) => each.from < to && (each.to === null || each.to >= from));
  const rows = within.map((each): Figures => {
    const { baseUsdPerHour, storageUsdPerGbMonth: storage } = each;
    const held = covering.filter(
      (time) =>
        time >= each.from.getTime() &&
        (each.to === null || time < each.to.getTime()) &&
        presence.some(({ firstAt, lastAt }) => firstAt.getTime() <= time && time <= lastAt.getTime()),
    );
    return {
      from: each.from.toISOString(),
      to: each.to?.toISOString() ?? null,
      books: held.length,
      baseUsdPerHour,
      storageUsdPerGbMonth: storage,
      usdPerGpuHour:
        storage === null ? null : (baseUsdPerHour + (storage * storageGb) / hoursPerMonth) / listing.numGpus,
      rejected: storage === null ? 'no storage price' : null,
    };
  });
  const taken = rows.filter(({ rejected }) => rejected === null);
  const rejected = rows.filter((row) => row.rejected !== null);
  const shown = within.flatMap((each) => {
    const price = usdPerHour(each, storageGb);
    return price === null ? [] : [price / each.numGpus];
  });
  const again = taken.map(({ usdPerGpuHour }) => Number(usdPerGpuHour));
  const held = rows.reduce((sum, { books: count }) => sum + Number(count), 0);
  return {
    text: [
      `${countOf(taken.length, 'price')} from ${momentWords(from)} to ${momentWords(to)}; ${held} of ${countOf(covering.length, 'complete book')} held the listing. ${leftOutWords(rejected as { rejected: string }[])}`,
      'A price stays in force until a book shows another, even while the listing is absent. Prices and presence are never deleted.',
    ],
    value: figuresOf(shown),
    recomputed: figuresOf(again),
    unit: 'USD/GPU/hour',
    formula: `(baseUsdPerHour + storageUsdPerGbMonth × ${storageGb} / ${hoursPerMonth}) / numGpus`,
    taken: taken.reverse(),
    rejected,
  };
}

const figuresOf = (prices: readonly number[]): Figures => ({
  usdPerGpuHour: prices.at(-1) ?? null,
  lowest: prices.length === 0 ? null : prices.reduce((a, b) => Math.min(a, b)),
  highest: prices.length === 0 ? null : prices.reduce((a, b) => Math.max(a, b)),
});
