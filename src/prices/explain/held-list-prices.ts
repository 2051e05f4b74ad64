import { Decimal } from 'decimal.js';
import { plainName } from '../../books/choose-market.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { modelsOf } from '../catalogs/catalog-gpu.ts';
import { listCatalogGpus } from '../catalogs/catalogs.sql.ts';
import { type HeldListPrice, readListPrices } from '../catalogs/cheapest-prices.sql.ts';

/** A list price that may be for a model, and why it is not compared; null: it is. */
export interface JudgedListPrice extends HeldListPrice {
  /** Price of one GPU. */
  perGpu: Decimal;
  rejected: string | null;
}

/**
 * Returns every list price that may be for a model in [from, to), each judged alone.
 * Source: docs/meaning.md#other-sellers-list-prices.
 */
export async function judgeListPrices(
  db: Db,
  { gpuName, type, from, to }: { gpuName: string; type: PricingType; from: Date; to: Date },
): Promise<JudgedListPrice[]> {
  const gpus = (await listCatalogGpus(db)).flatMap((gpu) => {
    const models = modelsOf(gpu).map(plainName);
    return models.includes(plainName(gpuName)) ? [{ ...gpu, isSure: models.length === 1 }] : [];
  });
  const sure = new Map(gpus.map(({ name, form, isSure }) => [`${name}|${form}`, isSure]));
  return (await readListPrices(db, { gpus, from, to })).map((price) => ({
    ...price,
    perGpu: new Decimal(price.usdPerHour).div(price.numGpus),
    rejected:
      sure.get(`${price.name}|${price.form}`) !== true
        ? 'it may be another model'
        : price.type === type
          ? null
          : price.type === 'bid'
            ? 'spot price'
            : 'on-demand price',
  }));
}

/** Returns the cheapest compared price per GPU in force at a moment; null: there is none. */
export function cheapestAt(prices: readonly JudgedListPrice[], at: Date): JudgedListPrice | null {
  return prices
    .filter(
      ({ rejected, since, until }) => rejected === null && since <= at && (until === null || until > at),
    )
    .reduce<JudgedListPrice | null>(
      (best, price) => (best === null || price.perGpu.lt(best.perGpu) ? price : best),
      null,
    );
}
