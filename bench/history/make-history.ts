import { recordsPerPage } from '../../src/books/landing/records.sql.ts';
import { ensureMarket, ensureScope, type Market } from '../../src/books/markets.sql.ts';
import { defaultRetention, type Retention } from '../../src/books/old-statistics.sql.ts';
import { blankCertificate } from '../../src/core/coverage.ts';
import type { ReservedSql, Sql } from '../../src/database/connection.ts';
import { rebuild } from '../../src/prices/statistics/rebuild.sql.ts';
import type { Bench } from '../figure.ts';

/** A history of on-demand offers to generate: books every ten minutes, with the design's rates of change. */
export interface HistorySize {
  listings: number;
  days: number;
  /** Share of listings whose price changes per day. @default 0.1 */
  priceChangesPerDay?: number;
  /** Days of book and hour points, and of repeated attribute days. */
  retention: Retention;
}

export interface MadeHistory {
  marketId: number;
  scopeId: number;
  /** The first book; books are ten minutes apart. */
  from: Date;
  /** Just after the newest book. */
  to: Date;
  /** Names of the models, the most listed first. */
  gpuNames: string[];
  /** Duration of the program's own statistics. */
  rebuildMs: number;
  counts: { listings: number; books: number; runs: number; spans: number; observations: number };
}

export const booksPerDay = 144;
const models = 60;
const flipsPerDay = 0.5;
const attributeChangesPerDay = 0.02;
/** Listings beyond the average of a book: some are always absent. */
const spare = 1.02;
const start = new Date('2025-01-06T00:00:00Z');

/**
 * Fills the tables as that many landings would, set by set, and lets the program compute the statistics.
 * Deterministic except for ids.
 */
export async function makeHistory(
  sql: Sql,
  size: HistorySize,
  note: (line: string) => void,
): Promise<MadeHistory> {
  const { id: marketId } = await ensureMarket(sql, 'bench', 'live');
  const scopeId = await ensureScope(sql, marketId, 'default');
  const books = size.days * booksPerDay;
  const listings = Math.ceil(size.listings * spare);
  const { retention } = size;
  const db = await sql.reserve();
  try {
    await db`set synchronous_commit = off`;
    await db`set work_mem = '256MB'`;
    await db`set idle_in_transaction_session_timeout = 0`;
    await db`select setseed(0.5)`;
    note(`history: ${listings} listings, ${books} books`);
    note('history: listings');
    await makeListings(db, marketId, listings);
    note('history: presence');
    await makePresence(db, scopeId, books, size.days);
    note('history: runs');
    await makeRuns(db, scopeId, books, size.days * (size.priceChangesPerDay ?? 0.1));
    note('history: attributes');
    await makeAttributes(db, size.days, retention.pointsDays);
    note('history: books');
    await makeBooks(db, { scopeId, marketId, books, retention });
    note('history: latest');
    await makeLatest(db, scopeId, books);
    await db`analyze`;
    // Temporary tables would count in the database's size while the connection is open.
    await db`discard temp`;
  } finally {
    db.release();
  }
  note('history: statistics by the program');
  const rebuildFrom = performance.now();
  await rebuild(sql, () => {}, retention);
  const rebuildMs = performance.now() - rebuildFrom;
  await sql`vacuum analyze`;
  // Pending writes would otherwise happen while others are timed.
  await sql`checkpoint`;
  const [counts] = await sql<MadeHistory['counts'][]>`
    select (select count(*) from listing) as listings, (select count(*) from book) as books,
      (select count(*) from price_interval) as runs, (select count(*) from presence) as spans,
      (select sum(offers)::float8 from book) as observations`;
  const names = await sql<{ name: string }[]>`
    select m.name from listing l join gpu_model m on m.id = l.gpu_model_id group by 1 order by count(*) desc, 1`;
  if (counts === undefined) throw new Error('nothing was made');
  return {
    ...{ marketId, scopeId, from: start, counts, rebuildMs, gpuNames: names.map(({ name }) => name) },
    to: new Date(start.getTime() + books * 600_000),
  };
}

/** Default retention, or a tenth of it in a quick run. */
export const retentionOf = ({ sized }: Pick<Bench, 'sized'>): Retention => ({
  pointsDays: sized(defaultRetention.pointsDays),
  hoursDays: sized(defaultRetention.hoursDays),
});

/** The market of a history. */
export const marketOf = ({ marketId }: MadeHistory): Market => ({
  id: marketId,
  name: 'bench',
  kind: 'live',
});

/** Returns the SQL of a book's time by its number. */
const momentOf = (ordinal: string): string =>
  `(timestamptz '${start.toISOString()}' + (${ordinal}) * interval '10 minutes')`;

/** Half of the machines have two chunks; a few models have most machines, as in a real market. */
async function makeListings(db: ReservedSql, marketId: number, listings: number): Promise<void> {
  await db`insert into gpu_model (name) select 'Bench GPU ' || lpad(i::text, 2, '0') from generate_series(1, ${models}::int) i`;
  await db`insert into verification_tier (name) values ('verified'), ('unverified'), ('deverified')`;
  await db`insert into country (name) select chr(65 + i / 26) || chr(65 + i % 26) from generate_series(0, 39) i`;
  await db`
    insert into listing (market_id, machine_id, gpu_model_id, num_gpus, type, ordinal)
    select ${marketId}, machine, 1 + floor(${models}::int * power(draw, 2))::int,
      case when chunk = 0 then 1 << floor(3 * spread)::int else 8 end, 'on-demand', 1
    from (
      select 1000 + i * 2 / 3 as machine, i * 2 / 3 * 3 / 2 as first, i,
        (hashint4(1000 + i * 2 / 3)::bigint + 2147483648) / 4294967296.0 as draw,
        (hashint4(77 + i * 2 / 3)::bigint + 2147483648) / 4294967296.0 as spread,
        row_number() over (partition by i * 2 / 3 order by i) - 1 as chunk
      from generate_series(0, ${listings}::int - 1) i) l
    order by i`;
}

/** Absent for about an hour every four days, at different times. */
async function makePresence(db: ReservedSql, scopeId: number, books: number, days: number): Promise<void> {
  const gaps = Math.round((days * flipsPerDay) / 2);
  const stratum = books / gaps;
  await db.unsafe(`
    create temporary table gap as
    select l.id as listing_id, k, begins, begins + 1 + floor(random() * 11)::int as ends
    from listing l cross join generate_series(0, ${gaps - 1}) k
    cross join lateral (select (k * ${stratum} + 1 + random() * (${stratum} - 14) + l.id * 0)::int as begins) g`);
  await db.unsafe(`
    insert into presence (listing_id, scope_id, first_at, last_at)
    select listing_id, ${scopeId}, ${momentOf('first')}, case when last is null then 'infinity' else ${momentOf('last')} end
    from (
      select listing_id, coalesce(lag(ends) over (partition by listing_id order by k), 0) as first, begins - 1 as last
      from gap
      union all select listing_id, max(ends), null from gap group by 1
    ) spans where last is null or last >= first
    order by first, listing_id`);
}

/** Price intervals of every listing with this many changes, spread over the books. */
export async function makeRuns(
  db: ReservedSql,
  scopeId: number,
  books: number,
  changes: number,
): Promise<void> {
  const count = Math.max(1, Math.round(changes));
  const stratum = books / count;
  await db.unsafe(`
    insert into price_interval (listing_id, scope_id, valid_from, valid_to, base_usd_per_hour, storage_usd_per_gb_month,
      inet_down_usd_per_gb, inet_up_usd_per_gb, min_bid_usd_per_hour)
    select listing_id, ${scopeId}, ${momentOf('at')},
      case when next is null then 'infinity' else ${momentOf('next')} end,
      base, 0.1 + 0.05 * (listing_id % 3), 0.005, 0.01, round((base / 2)::numeric, 4)
    from (
      select *, lead(at) over (partition by listing_id order by k) as next from (
        select l.id as listing_id, k,
          case when k = 0 then 0 else ((k - 1) * ${stratum} + 1 + random() * (${stratum} - 2))::int end as at,
          round((l.num_gpus * (0.1 + 0.05 * l.gpu_model_id) * (0.7 + 0.6 * random()))::numeric, 4)::float8 as base
        from listing l cross join generate_series(0, ${count}) k) changes) runs
    order by at, listing_id`);
}

/** Valid days, and repeated attributes of the newest days, which retention keeps as long as points of books. */
async function makeAttributes(db: ReservedSql, days: number, repeatedDays: number): Promise<void> {
  const changes = Math.max(1, Math.round(days * attributeChangesPerDay));
  const stratum = days / changes;
  const day = start.toISOString().slice(0, 10);
  await db.unsafe(`
    create temporary table change as
    select *, lead(at) over (partition by listing_id order by k) as next from (
      select l.id as listing_id, k,
        case when k = 0 then 0 else floor((k - 1) * ${stratum} + 1 + random() * (${stratum} - 1))::int end as at,
        0.9 + 0.1 * random() as reliability
      from listing l cross join generate_series(0, ${changes}) k) changes`);
  await db.unsafe(
    `delete from change c using change d where d.listing_id = c.listing_id and d.at = c.at and d.k > c.k`,
  );
  const values = `7000 + machine_id / 3, 100.0 * num_gpus * (1 + (listing_id % 7) / 20.0), reliability, 24564,
    82.0 * num_gpus, 1 + machine_id % 40, 1 + (machine_id % 10 > 5)::int + (machine_id % 10 > 8)::int, 12.4,
    '550.' || machine_id % 90, 200 + machine_id % 800, 100 + machine_id % 400, machine_id % 3 = 0, machine_id % 5 = 0,
    500, (select array_agg(machine_id * 8 + g) from generate_series(0, num_gpus - 1) g)`;
  const columns = `host_id, dlperf, reliability, gpu_ram_mb, total_tflops, country_id, verification_tier_id,
    cuda_max_good, driver_version, inet_down, inet_up, datacenter, static_ip, disk_space_gb, gpu_ids`;
  await db.unsafe(`
    insert into listing_attribute (listing_id, day, valid_until, observed_at, ${columns})
    select listing_id, day, until, day::timestamp at time zone 'UTC', ${values}
    from (
      select listing_id, date '${day}' + at as day,
        coalesce(date '${day}' + lead(at) over (partition by listing_id order by at), 'infinity') as until, reliability
      from change
      union all
      select c.listing_id, date '${day}' + d, null, c.reliability
      from change c join generate_series(${Math.max(0, days - repeatedDays)}, ${days - 1}) d on d > c.at
        and (c.next is null or d < c.next)
    ) rows join listing l on l.id = rows.listing_id
    order by day, listing_id`);
}

async function makeBooks(
  db: ReservedSql,
  made: { scopeId: number; marketId: number; books: number; retention: Retention },
): Promise<void> {
  const { scopeId, marketId, books, retention } = made;
  const certificate = {
    ...blankCertificate('id'),
    pages: 5,
    rows: 20_000,
    accepted: 20_000,
    durationMs: 50_000,
  };
  await db.unsafe(`
    create temporary table present as
    select ordinal, sum(delta) over (order by ordinal) as offers from (
      select ordinal, sum(delta) as delta from (
        select (extract(epoch from first_at - timestamptz '${start.toISOString()}') / 600)::int as ordinal, 1 as delta
        from presence
        union all
        select (extract(epoch from last_at - timestamptz '${start.toISOString()}') / 600)::int + 1, -1
        from presence where last_at <> 'infinity') ends group by 1) changes`);
  await db`create unique index on present (ordinal)`;
  await db`analyze present`;
  await db`
    insert into book (scope_id, type, observed_at, started_at, verdict, proof, content_hash, offers,
      allocated_storage_gb, certificate, has_points)
    select ${scopeId}, 'on-demand', at, at - interval '50 seconds', 'complete', 'proved', md5(ordinal::text),
      coalesce((select offers from present p where p.ordinal <= b.ordinal order by p.ordinal desc limit 1), 0), 8,
      ${db.json({ ...certificate })},
      -- Retention has dropped the points of those before, and autovacuum the rows that said otherwise.
      ordinal >= ${books - retention.pointsDays * booksPerDay}
    from (select i as ordinal, ${start.toISOString()}::timestamptz + i * interval '10 minutes' as at
      from generate_series(0, ${books}::int - 1) i) b order by ordinal`;
  await db`insert into book_slice (book_id, gpu_model_id, verdict, offers)
    select id, null, 'complete', offers from book order by id`;
  await db`
    insert into crawl (id, market_id, kind, scope_name, type, cause, tick_at, started_at, ended_at, outcome,
      certificate, book_id)
    select gen_random_uuid(), ${marketId}, 'offers', 'default', type, 'cron', started_at, started_at, observed_at,
      'complete', certificate, id from book order by id`;
}

/** Every listing's newest offer; a record has about 2.5 kB of JSON. */
async function makeLatest(db: ReservedSql, scopeId: number, books: number): Promise<void> {
  await db.unsafe(`
    insert into latest_offer (listing_id, scope_id, from_complete_book, book_id, observed_at, offer_id,
      base_usd_per_hour, storage_usd_per_gb_month, inet_down_usd_per_gb, inet_up_usd_per_gb, host_id, dlperf,
      reliability, gpu_ram_mb, total_tflops, country_id, verification_tier_id, cuda_max_good, inet_down, inet_up,
      datacenter, static_ip, disk_space_gb, gpu_ids, cpu_cores, cpu_ram_mb, page, place)
    select l.id, ${scopeId}, true, (select id from book order by observed_at desc limit 1), ${momentOf(String(books - 1))},
      5000000 + l.id, r.base_usd_per_hour, r.storage_usd_per_gb_month, r.inet_down_usd_per_gb, r.inet_up_usd_per_gb,
      a.host_id, a.dlperf, a.reliability, a.gpu_ram_mb, a.total_tflops, a.country_id, a.verification_tier_id,
      a.cuda_max_good, a.inet_down, a.inet_up, a.datacenter, a.static_ip, a.disk_space_gb, a.gpu_ids, 16, 64000,
      (row_number() over (order by l.id) - 1) / ${recordsPerPage}, (row_number() over (order by l.id) - 1) % ${recordsPerPage} + 1
    from listing l
    join price_interval r on r.listing_id = l.id and r.valid_to = 'infinity'
    join listing_attribute a on a.listing_id = l.id and a.valid_until = 'infinity'
    order by l.id`);
  await db`
    insert into record_page (book_id, page, records)
    select book_id, page, array_agg(record order by place) from (
      select o.*, (select '{' || string_agg('"field_of_the_record_' || k || '":' || random(), ',') || '}'
        from generate_series(1, 55 + o.listing_id * 0) k) as record from latest_offer o) made
    group by book_id, page`;
}
