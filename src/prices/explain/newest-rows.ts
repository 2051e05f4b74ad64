import { type NewestBook, newestBooks } from '../../books/newest-books.sql.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import type { PricingType } from '../../core/offer.ts';
import type { CurrentOffer } from '../newest/offers.sql.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { type BookRow, readBookRows } from './book-rows.sql.ts';
import type { Figures } from './explained-figures.ts';
import { plainPrice } from './plain-price.ts';

/** The newest complete book of a type with the offers of one model, as shown and as stored. */
export interface NewestRows {
  book: NewestBook;
  /** The same offers as other responses use them. */
  offers: readonly CurrentOffer[];
  /** The offers from presence, price intervals and attributes. */
  rows: readonly BookRow[];
}

/** Returns the newest rows, or null if the newest book is missing or not complete. */
export async function findNewestRows(
  { sql, currentOffers }: Pick<PricesDeps, 'sql' | 'currentOffers'>,
  { scopeId, type, gpuName }: { scopeId: number; type: PricingType; gpuName: string },
): Promise<NewestRows | null> {
  const book = (await newestBooks(sql, scopeId)).find((each) => each.type === type);
  if (book === undefined || book.verdict === 'partial') return null;
  const [current, rows] = await Promise.all([
    currentOffers(sql, book),
    readBookRows(sql, book.id, gpuName, 'newest'),
  ]);
  if (current.superseded)
    throw new ApiProblem(503, 'book-changed', 'A newer book has landed meanwhile: ask again.');
  return { book, rows, offers: current.offers.filter((offer) => offer.gpuName === gpuName) };
}

/** Returns the newest rows. Throws a 404 for a type without a complete newest book. */
export async function readNewestRows(...[deps, of]: Parameters<typeof findNewestRows>): Promise<NewestRows> {
  const found = await findNewestRows(deps, of);
  if (found !== null) return found;
  throw new ApiProblem(404, 'not-found', `The market has no complete newest book of ${of.type} offers.`);
}

/** A row of an explanation and why it was left out; null: it was taken. */
export type ReasonedRow = Figures & { rejected: string | null };

/** Returns an offer's price per GPU with its facts; `reason`: why it is left out; null: it is taken. */
export function priceRow(
  row: BookRow,
  more: Figures,
  reason: (usdPerGpuHour: number) => string | null,
): ReasonedRow {
  const { listingId, machineId, hostId, verification, reliability, numGpus } = row;
  const price = plainPrice(row);
  const usdPerGpuHour = Number.isNaN(price) ? null : price;
  return {
    listingId: String(listingId),
    machineId,
    hostId,
    verification,
    reliability,
    numGpus,
    usdPerGpuHour,
    ...more,
    rejected: usdPerGpuHour === null ? 'no storage price' : reason(usdPerGpuHour),
  };
}

/** Splits rows into those taken, cheapest first, and those left out. */
export function splitRows(rows: readonly ReasonedRow[]): { taken: ReasonedRow[]; rejected: ReasonedRow[] } {
  const byPrice = (a: Figures, b: Figures) => Number(a.usdPerGpuHour) - Number(b.usdPerGpuHour);
  return {
    taken: rows.filter(({ rejected }) => rejected === null).sort(byPrice),
    rejected: rows.filter(({ rejected }) => rejected !== null),
  };
}
