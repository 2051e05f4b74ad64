import type { Db } from '../../database/connection.ts';
import type { CatalogGpu } from './catalog-gpu.ts';
import type { CatalogKind } from './read-catalog.ts';

/** The cheapest list price of a GPU among all sellers, regions and numbers of GPUs. */
export interface ListPrice {
  provider: string;
  region: string;
  numGpus: number;
  /** US dollars for the whole machine, exact decimal text. */
  usdPerHour: string;
  /** The share of one GPU. */
  usdPerGpuHour: number;
}

const columns = (
  db: Db,
) => db`p.provider, p.region, p.num_gpus as "numGpus", p.usd_per_hour::text as "usdPerHour",
  (p.usd_per_hour / p.num_gpus)::float8 as "usdPerGpuHour"`;

/** Orders equal prices the same way, whatever order they were stored in. */
const cheapestFirst = (db: Db) =>
  db`p.usd_per_hour / p.num_gpus, p.provider, p.region, p.num_gpus, p.name, p.form`;

/** Returns the cheapest list price in force at a moment for every GPU as named in catalogs. */
export async function cheapestByName(
  db: Db,
  { type, at }: { type: CatalogKind['type']; at: Date },
): Promise<(ListPrice & CatalogGpu)[]> {
  const rows = await db<(ListPrice & CatalogGpu)[]>`
    select distinct on (p.name, p.form) p.name, p.form, ${columns(db)} from catalog_price p
    where p.type = ${type} and p.valid_from <= ${at} and p.valid_to > ${at}
    order by p.name, p.form, ${cheapestFirst(db)}`;
  return rows.map((row) => ({ ...row }));
}

/** The cheapest list price from a moment until the next step; null: none is known. */
export interface PriceStep {
  t: Date;
  price: ListPrice | null;
}

/** Returns a model's cheapest list prices from the start of a range; each step differs from the previous one. */
export async function cheapestSteps(
  db: Db,
  query: { gpus: readonly CatalogGpu[]; type: CatalogKind['type']; from: Date; to: Date },
): Promise<PriceStep[]> {
  const { gpus, type, from, to } = query;
  if (gpus.length === 0) return [{ t: from, price: null }];
  const rows = await db<(Partial<ListPrice> & { t: Date })[]>`
    with held as (
      select p.* from catalog_price p
      join unnest(${gpus.map(({ name }) => name)}::text[], ${gpus.map(({ form }) => form)}::text[]) as g(name, form)
        on g.name = p.name and g.form = p.form
      where p.type = ${type} and p.valid_from < ${to} and p.valid_to > ${from}),
    change as (
      select ${from}::timestamptz as t
      union select valid_from from held where valid_from > ${from}
      union select valid_to from held where valid_to < ${to})
    select c.t, best.* from change c
    left join lateral (select ${columns(db)} from held p where p.valid_from <= c.t and p.valid_to > c.t
      order by ${cheapestFirst(db)} limit 1) best on true
    order by c.t`;
  const steps: PriceStep[] = [];
  for (const { t, ...row } of rows) {
    const price = row.provider == null ? null : (row as ListPrice);
    const last = steps.at(-1);
    if (last === undefined || JSON.stringify(last.price) !== JSON.stringify(price)) steps.push({ t, price });
  }
  return steps;
}

/** A list price with the time in which it was in force. */
export interface HeldListPrice extends CatalogKind {
  provider: string;
  /** US dollars of the whole machine, exact decimal text. */
  usdPerHour: string;
  since: Date;
  /** null: it still is. */
  until: Date | null;
}

/** Every list price of some GPUs in force at any time of [from, to), by seller and time. */
export async function readListPrices(
  db: Db,
  { gpus, from, to }: { gpus: readonly CatalogGpu[]; from: Date; to: Date },
): Promise<HeldListPrice[]> {
  const rows = await db<HeldListPrice[]>`
    select p.provider, p.region, p.name, p.form, p.num_gpus as "numGpus", p.type, p.usd_per_hour::text as "usdPerHour",
      p.valid_from as since, nullif(p.valid_to, 'infinity') as until
    from catalog_price p
    join unnest(${gpus.map(({ name }) => name)}::text[], ${gpus.map(({ form }) => form)}::text[]) as g(name, form)
      on g.name = p.name and g.form = p.form
    where p.valid_from < ${to} and p.valid_to > ${from}
    order by p.provider, p.region, p.num_gpus, p.name, p.form, p.type, p.valid_from`;
  return rows.map((row) => ({ ...row }));
}
