import { openLanding } from '../../../src/books/landing/land-book.sql.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { blankCertificate, type CoverageSlice, complete, partial } from '../../../src/core/coverage.ts';
import { connect, type Sql } from '../../../src/database/connection.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { canonical, type ModelContents } from './history-model.ts';
import type { SyntheticBook } from './synthetic-history.ts';

/** A database that does not wait for the disk: nothing here outlives a crash, and thousands of books land. */
export async function createHastyDatabase(): Promise<Sql> {
  const { sql, target } = await createTestDatabase();
  const admin = connect(target, { max: 1 });
  const [row] = await admin<{ name: string }[]>`select current_database() as name`;
  await admin.unsafe(`alter database ${row?.name} set synchronous_commit = off`);
  await admin.end();
  return sql;
}

/** Every table that landings write, those that refer to others first. */
const emptied = [
  ...[
    'event',
    'crawl',
    'latest_offer',
    'record_page',
    'listing_attribute',
    'price_interval',
    'presence',
    'book_slice',
  ],
  ...[
    'book_point',
    'hour_point',
    'day_point',
    'week_point',
    'point_cell',
    'book_day',
    'index_day',
    'index_observation',
  ],
  ...['book', 'listing', 'scope', 'market', 'gpu_model', 'country', 'verification_tier'],
];

/** Empties the database and lands the books in their order. */
export async function landAfresh(sql: Sql, books: readonly SyntheticBook[]): Promise<void> {
  // Nothing here outlives a crash, and of few rows deleting is faster than truncating.
  await sql.unsafe(
    `set synchronous_commit = off; ${emptied.map((table) => `delete from ${table}`).join('; ')}`,
  );
  const { id: marketId } = await ensureMarket(sql, 'synthetic', 'recorded');
  for (const book of books) await landBook(sql, marketId, book);
}

/** Lands one book in the market's default scope. */
async function landBook(sql: Sql, marketId: number, book: SyntheticBook): Promise<'landed' | 'unchanged'> {
  const { type, observedAt, offers } = book;
  const landing = await openLanding(sql, {
    marketId,
    scopeName: 'default',
    type,
    allocatedStorageGb: 8,
    statistics: pointStatistics,
  });
  try {
    await landing.stage(offers);
    const outcome = await landing.land({
      observedAt,
      startedAt: observedAt,
      coverage: book.complete ? complete('declared') : partial('declared', 'drawn so'),
      slices: slicesOf(book),
      certificate: { ...blankCertificate('none'), rows: offers.length, accepted: offers.length },
    });
    return outcome.kind;
  } finally {
    await landing.close();
  }
}

/** The verdicts of a book by model; none where it has only one. */
export const slicesOf = ({ slices }: SyntheticBook): CoverageSlice[] =>
  slices.length === 0
    ? []
    : [
        ...slices.map((gpuName) => ({ gpuName, coverage: complete('declared') })),
        { gpuName: null, coverage: partial('declared', 'drawn so') },
      ];

const keyed = `concat_ws('|', l.type, l.machine_id, g.name, l.num_gpus, l.ordinal)`;
const listed = 'join listing l on l.id = t.listing_id join gpu_model g on g.id = l.gpu_model_id';
const moment = (column: string): string => `case when ${column} = 'infinity' then 'infinity'
  else to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`;

/** The model's rows as JSON arrays, from the tables. */
const queries: Record<keyof ModelContents, string> = {
  presence: `select jsonb_build_array(${keyed}, ${moment('first_at')}, ${moment('last_at')}) as row
    from presence t ${listed}`,
  runs: `select jsonb_build_array(${keyed}, ${moment('valid_from')}, ${moment('valid_to')}, jsonb_build_array(
      base_usd_per_hour, storage_usd_per_gb_month, inet_down_usd_per_gb, inet_up_usd_per_gb, min_bid_usd_per_hour)) as row
    from price_interval t ${listed}`,
  attributes: `select jsonb_build_array(${keyed}, day, valid_until, ${moment('observed_at')}, jsonb_build_array(
      dlperf, reliability, inet_down, driver_version, (select name from country where id = country_id), gpu_ids)) as row
    from listing_attribute t ${listed}`,
  points: `select jsonb_build_array(c.type, ${moment('p.t')}, g.name, p.observations, p.offers, p.gpus,
      machines, physical_gpus, physical_gpus_is_lower_bound, min, p10, p25, median, p75, p90, max) as row
    from book_point p join point_cell c on c.id = p.cell_id left join gpu_model g on g.id = c.gpu_model_id
    where c.num_gpus = 0`,
  latest: `select jsonb_build_array(${keyed}, ${moment('observed_at')}, offer_id, records[place]) as row
    from latest_offer t ${listed} left join record_page r on r.book_id = t.book_id and r.page = t.page where from_complete_book`,
};

/** What the database holds, in the form of the model. */
export async function storedAsModel(sql: Sql): Promise<ModelContents> {
  const read = async (table: keyof ModelContents): Promise<string[]> => {
    const rows = await sql.unsafe<{ row: unknown }[]>(queries[table]);
    return rows.map(({ row }) => canonical(row)).sort();
  };
  return {
    presence: await read('presence'),
    runs: await read('runs'),
    attributes: await read('attributes'),
    points: await read('points'),
    latest: await read('latest'),
  };
}
