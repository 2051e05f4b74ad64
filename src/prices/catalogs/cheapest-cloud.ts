import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { isModel } from './catalog-gpu.ts';
import { listCatalogGpus } from './catalogs.sql.ts';
import { cheapestByName, cheapestSteps, type ListPrice, type PriceStep } from './cheapest-prices.sql.ts';
import type { CatalogKind } from './read-catalog.ts';

/** Returns the type of list prices to compare with: spot prices for bids; null: none. */
const listedType = (type: PricingType): CatalogKind['type'] | null => (type === 'reserved' ? null : type);

/**
 * Returns the cheapest list price of each model in force at a moment; a model without an unambiguous catalog name has
 * none. Source: docs/meaning.md#other-sellers-list-prices.
 */
export async function readCheapestClouds(
  db: Db,
  { type, gpuNames, at }: { type: PricingType; gpuNames: readonly string[]; at: Date },
): Promise<Map<string, ListPrice>> {
  const listed = listedType(type);
  const prices = listed === null ? [] : await cheapestByName(db, { type: listed, at });
  return new Map(
    gpuNames.flatMap((gpuName): [string, ListPrice][] => {
      const own = prices.filter((price) => isModel(price, gpuName));
      if (own.length === 0) return [];
      const { name: _, form: __, ...price } = own.reduce((a, b) => (isCheaper(b, a) ? b : a));
      return [[gpuName, price]];
    }),
  );
}

/** Whether a price comes first in the order of `cheapestFirst`. */
function isCheaper(a: ListPrice, b: ListPrice): boolean {
  if (a.usdPerGpuHour !== b.usdPerGpuHour) return a.usdPerGpuHour < b.usdPerGpuHour;
  const [first, second] = [a, b].map(({ provider, region }) => `${provider}\n${region}`);
  return (first ?? '') < (second ?? '');
}

/** Returns the cheapest list price of a model over time; a single step without a price if no catalog has it. */
export async function readCheapestSteps(
  db: Db,
  query: { type: PricingType; gpuName: string; from: Date; to: Date },
): Promise<PriceStep[]> {
  const { gpuName, from, to } = query;
  const type = listedType(query.type);
  if (type === null) return [{ t: from, price: null }];
  const gpus = (await listCatalogGpus(db)).filter((gpu) => isModel(gpu, gpuName));
  return await cheapestSteps(db, { gpus, type, from, to });
}
