import { type OfferColumns, type Places, toColumns } from '../../core/offer-columns.ts';
import type { Db } from '../../database/connection.ts';
import { pooledPrice } from '../verdicts/pool-day.ts';
import { type CurrentOffer, readCurrentOffers } from './offers.sql.ts';

/** The offers of a newest book in memory. */
export interface CurrentOffers {
  offers: readonly CurrentOffer[];
  /** The same in columns, place by place. */
  columns: OfferColumns;
  /** Places of all offers, and of those of each model. */
  all: Places;
  byModel: ReadonlyMap<string, Places>;
  /** A newer book has taken some of its offers' places meanwhile: ask for the newest books again. */
  superseded: boolean;
  hasDlperf: boolean;
  /** Prices a GPU of comparable offers, ascending, by `<model>|<verification>` and `<model>|all`. */
  prices: ReadonlyMap<string, Float64Array>;
}

const maxCached = 6;

/** Makes `currentOffers(db, book)`: reads a newest book's offers once and keeps those of the last books asked for. */
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
  // The driver's rows are hash tables: a copy is a record, half as large and read many times faster.
  const offers = rows.map((row) => ({ ...row }));
  const names = new Map<string, string>();
  const same = <T extends string>(name: T): T => {
    if (!names.has(name)) names.set(name, name);
    return names.get(name) as T;
  };
  const prices = new Map<string, number[]>();
  for (const offer of offers) {
    // The driver makes a text of its own for each row.
    offer.gpuName = same(offer.gpuName);
    offer.type = same(offer.type);
    if (offer.country !== null) offer.country = same(offer.country);
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
