import { type OfferColumns, type Places, toColumns } from '../../core/offer-columns.ts';
import type { Db } from '../../database/connection.ts';
import { pooledPrice } from '../verdicts/pool-day.ts';
import { type CurrentOffer, readCurrentOffers } from './offers.sql.ts';

/** The offers of a newest book in memory. */
export interface CurrentOffers {
  offers: readonly CurrentOffer[];
  /** The same offers in columns. */
  columns: OfferColumns;
  /** Indexes of all offers, and of those of each model. */
  all: Places;
  byModel: ReadonlyMap<string, Places>;
  /** A newer book has replaced some of its offers; the newest books must be read again. */
  superseded: boolean;
  hasDlperf: boolean;
  /** Prices per GPU of comparable offers, ascending, by `<model>|<verification>` and `<model>|all`. */
  prices: ReadonlyMap<string, Float64Array>;
}

const maxCached = 6;

/** Creates `currentOffers(db, book)`, which reads a newest book's offers once and keeps those of recent books. */
export function createCurrentOffers(): (
  db: Db,
  book: { id: number; offers: number },
) => Promise<CurrentOffers> {
  const kept = new Map<number, Promise<CurrentOffers>>();
  return async (db, book) => {
    const known = kept.get(book.id);
    if (known !== undefined) return await known;
    const reading = readCurrentOffers(db, book.id).then((offers) => arrange(offers, book.offers));
    kept.set(book.id, reading);
    const [oldest] = kept.keys();
    if (kept.size > maxCached && oldest !== undefined) kept.delete(oldest);
    const forget = () => kept.get(book.id) === reading && kept.delete(book.id);
    reading.then(({ superseded }) => superseded && forget(), forget);
    return await reading;
  };
}

function arrange(rows: readonly CurrentOffer[], held: number): CurrentOffers {
  // The driver's rows are hash tables; a copy is a plain record, half as large and read many times faster.
  const offers = rows.map((row) => ({ ...row }));
  const names = new Map<string, string>();
  const same = <T extends string>(name: T): T => {
    if (!names.has(name)) names.set(name, name);
    return names.get(name) as T;
  };
  const prices = new Map<string, number[]>();
  for (const offer of offers) {
    // The driver creates a separate string for each row.
    offer.gpuName = same(offer.gpuName);
    offer.type = same(offer.type);
    if (offer.country !== null) offer.country = same(offer.country);
    if (offer.cpuName !== null) offer.cpuName = same(offer.cpuName);
    if (offer.verification !== null) offer.verification = same(offer.verification);
    if (offer.listedUsdPerGpuHour === null) continue;
    for (const key of [`${offer.gpuName}|${offer.verification ?? ''}`, `${offer.gpuName}|all`]) {
      const own = prices.get(key);
      if (own === undefined) prices.set(key, [offer.listedUsdPerGpuHour]);
      else own.push(offer.listedUsdPerGpuHour);
    }
  }
  const all = Int32Array.from(offers, (_, place) => place);
  const byModel = Map.groupBy(all, (place) => offers[place]?.gpuName ?? '');
  return {
    offers,
    all,
    columns: toColumns(offers),
    byModel: new Map([...byModel].map(([name, places]) => [name, Int32Array.from(places)])),
    superseded: offers.length < held,
    hasDlperf: offers.some(({ dlperf }) => dlperf !== null && dlperf > 0),
    prices: new Map([...prices].map(([key, values]) => [key, Float64Array.from(values, pooledPrice).sort()])),
  };
}
