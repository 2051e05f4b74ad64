import { UserError } from '../../core/errors.ts';
import type { GpuForm } from '../../core/gpu-names.ts';
import type { Db, Sql } from '../../database/connection.ts';
import { type Catalog, type CatalogKind, kindKey } from './read-catalog.ts';
import { areSame, type HeldPrice, spliceInterval } from './splice-interval.ts';

/** The effect of storing a snapshot. */
export interface StoredSnapshot {
  /** `unchanged`: the same snapshot was already stored. */
  outcome: 'stored' | 'unchanged';
  /** Kinds of prices whose intervals changed. */
  changedPrices: number;
}

type HeldRow = CatalogKind & { from: Date; to: Date | null; usdPerHour: string };

/**
 * Stores a seller's catalog of a moment, in any order of moments. Throws UserError if another snapshot of that moment
 * exists, unless `replace`. Source: docs/meaning.md#other-sellers-list-prices.
 */
export async function storeSnapshot(
  sql: Sql,
  snapshot: { provider: string; asOf: Date; importedAt: Date; catalog: Catalog; replace: boolean },
): Promise<StoredSnapshot> {
  const { provider, asOf, importedAt, catalog, replace } = snapshot;
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('catalog ' || ${provider}))`;
    const [known] = await tx<{ contentHash: string }[]>`
      select content_hash as "contentHash" from catalog_snapshot where provider = ${provider} and as_of = ${asOf}`;
    if (known?.contentHash === catalog.contentHash) return { outcome: 'unchanged', changedPrices: 0 };
    if (known !== undefined && !replace) {
      throw new UserError(
        `A catalog of ${provider} as of ${asOf.toISOString()} with other prices is stored: give another time with --as-of, or --replace.`,
      );
    }
    await tx`
      insert into catalog_snapshot (provider, as_of, imported_at, content_hash, rows, left_out)
      values (${provider}, ${asOf}, ${importedAt}, ${catalog.contentHash}, ${catalog.rows},
        ${JSON.stringify(catalog.leftOut)}::text::jsonb)
      on conflict (provider, as_of) do update set imported_at = excluded.imported_at,
        content_hash = excluded.content_hash, rows = excluded.rows, left_out = excluded.left_out`;
    const [next] = await tx<{ asOf: Date }[]>`
      select as_of as "asOf" from catalog_snapshot where provider = ${provider} and as_of > ${asOf}
      order by as_of limit 1`;
    return { outcome: 'stored', changedPrices: await splicePrices(tx, snapshot, next?.asOf ?? null) };
  });
}

/** Puts a snapshot's prices in force until the next one; null: indefinitely. Returns how many kinds changed. */
async function splicePrices(
  tx: Db,
  { provider, asOf, catalog }: { provider: string; asOf: Date; catalog: Catalog },
  next: Date | null,
): Promise<number> {
  const rows = await tx<HeldRow[]>`
    select name, form, region, num_gpus as "numGpus", type, valid_from as "from",
      nullif(valid_to, 'infinity') as "to", usd_per_hour::text as "usdPerHour"
    from catalog_price
    where provider = ${provider} and valid_to >= ${asOf} and valid_from <= coalesce(${next}, 'infinity'::timestamptz)`;
  const held = Map.groupBy(rows, kindKey);
  const priced = new Map(catalog.prices.map((price) => [kindKey(price), price]));
  const until = next?.getTime() ?? Number.POSITIVE_INFINITY;
  const gone: object[] = [];
  const made: object[] = [];
  let changed = 0;
  for (const key of new Set([...held.keys(), ...priced.keys()])) {
    const before = (held.get(key) ?? []).map(heldPrice);
    const usdPerHour = priced.get(key)?.usdPerHour ?? null;
    const after = spliceInterval(before, { at: asOf.getTime(), until, usdPerHour });
    if (areSame(before, after)) continue;
    changed += 1;
    const kind = priced.get(key) ?? held.get(key)?.[0];
    gone.push(...before.map((each) => recordOf(kind, each)));
    made.push(...after.map((each) => recordOf(kind, each)));
  }
  await tx`
    delete from catalog_price p using (${records(tx, gone)}) r
    where p.provider = ${provider} and (p.name, p.form, p.region, p.num_gpus, p.type, p.valid_from)
      = (r.name, r.form, r.region, r.num_gpus, r.type::pricing_type, r.valid_from)`;
  await tx`
    insert into catalog_price (provider, name, form, region, num_gpus, type, valid_from, valid_to, usd_per_hour)
    select ${provider}, name, form, region, num_gpus, type::pricing_type, valid_from,
      coalesce(valid_to, 'infinity'), usd_per_hour from (${records(tx, made)}) r`;
  return changed;
}

/** Intervals touch if one ends at the moment at which the other begins. */
const heldPrice = ({ from, to, usdPerHour }: HeldRow): HeldPrice => ({
  from: from.getTime(),
  to: to?.getTime() ?? Number.POSITIVE_INFINITY,
  usdPerHour,
});

function recordOf(kind: CatalogKind | undefined, { from, to, usdPerHour }: HeldPrice): object {
  return {
    name: kind?.name,
    form: kind?.form,
    region: kind?.region,
    num_gpus: kind?.numGpus,
    type: kind?.type,
    valid_from: new Date(from),
    valid_to: Number.isFinite(to) ? new Date(to) : null,
    usd_per_hour: usdPerHour,
  };
}

const records = (tx: Db, rows: readonly object[]) => tx`
  select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (name text, form text, region text,
    num_gpus int2, type text, valid_from timestamptz, valid_to timestamptz, usd_per_hour numeric)`;

/** Deletes all stored prices of a seller; false if there were none. */
export async function removeProvider(sql: Sql, provider: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('catalog ' || ${provider}))`;
    await tx`delete from catalog_price where provider = ${provider}`;
    const gone = await tx`delete from catalog_snapshot where provider = ${provider} returning as_of`;
    return gone.length > 0;
  });
}

/** Returns when a catalog of the seller was last stored; null: never. */
export async function newestImport(db: Db, provider: string): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`
    select max(imported_at) as at from catalog_snapshot where provider = ${provider}`;
  return row?.at ?? null;
}

/** A seller with stored catalogs. */
export interface CatalogProvider {
  provider: string;
  snapshots: number;
  firstAsOf: Date;
  /** Of the newest snapshot, as are the following fields. */
  asOf: Date;
  importedAt: Date;
  rows: number;
  leftOut: Record<string, number>;
  /** Number of prices in force. */
  prices: number;
}

/** Returns the sellers by name. */
export async function listProviders(db: Db): Promise<CatalogProvider[]> {
  const rows = await db<CatalogProvider[]>`
    select s.provider, n.snapshots::int, n.first as "firstAsOf", s.as_of as "asOf", s.imported_at as "importedAt",
      s.rows, s.left_out as "leftOut",
      (select count(*)::int from catalog_price p where p.provider = s.provider and p.valid_to = 'infinity') as prices
    from (select provider, count(*) as snapshots, min(as_of) as first, max(as_of) as last
      from catalog_snapshot group by provider) n
    join catalog_snapshot s on s.provider = n.provider and s.as_of = n.last order by s.provider`;
  return rows.map((row) => ({ ...row }));
}

/** Whether the database's version has catalogs. */
export async function hasCatalogs(db: Db): Promise<boolean> {
  const [row] = await db<{ is: boolean }[]>`select to_regclass('catalog_price') is not null as is`;
  return row?.is === true;
}

/** A GPU as named in catalogs, with the sellers that ever listed it. */
export interface NamedGpu {
  name: string;
  form: GpuForm | '';
  providers: string[];
}

/** Returns every GPU of stored catalogs, by name and form. */
export async function listCatalogGpus(db: Db): Promise<NamedGpu[]> {
  const rows = await db<NamedGpu[]>`
    select name, form, array_agg(distinct provider order by provider) as providers
    from catalog_price group by name, form order by name, form`;
  return rows.map((row) => ({ ...row }));
}

/** Returns the models listed by markets, by name. */
export async function listMarketModels(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`select name from gpu_model order by name`;
  return rows.map(({ name }) => name);
}
