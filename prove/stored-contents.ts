import type { Sql } from '../src/database/connection.ts';

/** Rows of each table by natural keys, as JSON text in sorted order: independent of generated ids. */
export type StoredContents = Record<string, string[]>;

const listingKey = `jsonb_build_object('listing',
  concat_ws('|', m.name, l.type, l.machine_id, g.name, l.num_gpus, l.ordinal))`;
const ofListing =
  'join listing l on l.id = t.listing_id join market m on m.id = l.market_id join gpu_model g on g.id = l.gpu_model_id';
const bookKey = `jsonb_build_object('book', concat_ws('|', m.name, s.name, b.type, b.observed_at))`;
const ofBook = 'join scope s on s.id = b.scope_id join market m on m.id = s.market_id';
const names = `jsonb_build_object('country', (select name from country where id = t.country_id),
  'verification', (select name from verification_tier where id = t.verification_tier_id))`;

const ofPoint = `jsonb_build_object('scope', m.name || '|' || s.name,
  'type', c.type, 'numGpus', c.num_gpus, 'model', coalesce((select name from gpu_model where id = c.gpu_model_id), '*'),
  'tier', case c.verification_tier_id when 0 then '*' when -1 then '?'
    else (select name from verification_tier where id = c.verification_tier_id) end)`;

/** Each table's rows: the row itself without ids, and what the ids stand for. */
const queries: Record<string, string> = {
  book: `select to_jsonb(b) - array['id', 'scope_id', 'certificate'] || ${bookKey}
    || jsonb_build_object('certificate', certificate - 'durationMs') as row from book b ${ofBook}`,
  book_slice: `select to_jsonb(t) - array['book_id', 'gpu_model_id'] || ${bookKey}
    || jsonb_build_object('model', (select name from gpu_model where id = t.gpu_model_id)) as row
    from book_slice t join book b on b.id = t.book_id ${ofBook}`,
  ...Object.fromEntries(
    ['book_point', 'hour_point', 'day_point', 'week_point'].map((table) => [
      table,
      `select to_jsonb(p) - 'cell_id' || ${ofPoint} as row from ${table} p join point_cell c on c.id = p.cell_id
        join scope s on s.id = c.scope_id join market m on m.id = s.market_id`,
    ]),
  ),
  ...Object.fromEntries(
    ['index_day', 'index_observation'].map((table) => [
      table,
      `select to_jsonb(t) - array['scope_id', 'gpu_model_id'] || jsonb_build_object('scope', m.name || '|' || s.name,
          'model', (select name from gpu_model where id = t.gpu_model_id)) as row
        from ${table} t join scope s on s.id = t.scope_id join market m on m.id = s.market_id`,
    ]),
  ),
  book_day: `select to_jsonb(t) - 'scope_id' || jsonb_build_object('scope', m.name || '|' || s.name) as row
    from book_day t join scope s on s.id = t.scope_id join market m on m.id = s.market_id`,
  listing: `select ${listingKey} as row from (select id as listing_id from listing) t ${ofListing}`,
  presence: `select to_jsonb(t) - array['listing_id', 'scope_id'] || ${listingKey}
    || jsonb_build_object('scope', s.name) as row from presence t ${ofListing} join scope s on s.id = t.scope_id`,
  price_interval: `select to_jsonb(t) - array['listing_id', 'scope_id'] || ${listingKey}
    || jsonb_build_object('scope', s.name) as row from price_interval t ${ofListing} join scope s on s.id = t.scope_id`,
  listing_attribute: `select to_jsonb(t) - array['listing_id', 'country_id', 'verification_tier_id'] || ${listingKey}
    || ${names} as row from listing_attribute t ${ofListing}`,
  latest_offer: `select to_jsonb(t) - array['listing_id', 'scope_id', 'book_id', 'country_id', 'verification_tier_id',
      'page', 'place']
    || ${listingKey} || ${names} || jsonb_build_object('book', b.observed_at, 'scope', s.name,
      'record', (select records[t.place] from record_page r where r.book_id = t.book_id and r.page = t.page)) as row
    from latest_offer t ${ofListing} join book b on b.id = t.book_id join scope s on s.id = t.scope_id`,
};

/**
 * How many rows a table has, and a digest of them without certificates, whose repeated pages are chosen at random. It
 * does not depend on their order.
 */
export interface ContentDigest {
  table: string;
  rows: number;
  digest: string;
}

/** Returns the digest of each table that landings store, computed by the database: for histories too large to read. */
export async function readContentDigests(sql: Sql): Promise<ContentDigest[]> {
  const digests: ContentDigest[] = [];
  for (const [table, query] of Object.entries(queries)) {
    const [row] = await sql.unsafe<{ rows: number; digest: string }[]>(
      `select count(*)::int as rows, coalesce(sum(hashtextextended((q.row - 'certificate')::text, 0)), 0)::text as digest from (${query}) q`,
    );
    if (row !== undefined) digests.push({ table, ...row });
  }
  return digests;
}

/** Returns everything that landings store, to compare databases and to show where they differ. */
export async function readStoredContents(sql: Sql): Promise<StoredContents> {
  const contents: StoredContents = {};
  for (const [table, query] of Object.entries(queries)) {
    const rows = await sql.unsafe<{ row: string }[]>(
      `select q.row::text as row from (${query}) q order by q.row::text collate "C"`,
    );
    contents[table] = rows.map(({ row }) => row);
  }
  return contents;
}

/** Returns the differences of two databases, one line per table; empty if there are none. */
export function compareContents(expected: StoredContents, actual: StoredContents): string[] {
  return Object.entries(expected).flatMap(([table, rows]) => {
    const [want, have] = [new Set(rows), new Set(actual[table] ?? [])];
    const missing = [...want].filter((row) => !have.has(row)).length;
    const extra = [...have].filter((row) => !want.has(row)).length;
    const sizes = rows.length === actual[table]?.length;
    return missing + extra > 0 || !sizes
      ? [`${table}: ${missing} rows missing, ${extra} that should not be`]
      : [];
  });
}
