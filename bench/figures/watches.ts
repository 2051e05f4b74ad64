import { uuidv7 } from 'uuidv7';
import { createRandom } from '../../prove/seeded-random.ts';
import { type LandedBook, openLanding } from '../../src/books/landing/land-book.sql.ts';
import { ensureMarket, ensureScope } from '../../src/books/markets.sql.ts';
import { blankCertificate, complete } from '../../src/core/coverage.ts';
import { defaultProfile } from '../../src/core/metric.ts';
import type { Offer } from '../../src/core/offer.ts';
import { noFilter, type OfferFilter } from '../../src/core/offer-filter.ts';
import type { Sql } from '../../src/database/connection.ts';
import { readOfferRecord } from '../../src/market/vast/offer-record.ts';
import { filterCondition } from '../../src/prices/newest/offer-filter.sql.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { saveChannel } from '../../src/watches/channels/channels.sql.ts';
import { createBookJudge } from '../../src/watches/rules/judge-book.ts';
import type { Bench, Measurement, Size } from '../figure.ts';
import { makeBookPages } from '../full-offers.ts';

const fullOffers = 25_000;
const fullWatches = 1_000;
const minShare = 0.05;
const sampled = 40;
const moments = [0, 1, 2].map((hour) => new Date(Date.UTC(2026, 2, 1, hour)));

/**
 * The rules of 1,000 watches, of five kinds, evaluated on a book of 25,000 offers as it lands: from the stored book to the
 * last alert and delivery, in the book's transaction. The third of three books.
 */
export async function measureWatches(bench: Bench): Promise<Measurement[]> {
  const [offers, watches] = [bench.sized(fullOffers), bench.sized(fullWatches)];
  return await bench.withDatabase(async (sql) => {
    const { id: marketId } = await ensureMarket(sql, 'bench', 'simulated');
    const all = await makeWatches(sql, marketId, watches);
    let ms = 0;
    const judge = createBookJudge({ now: () => new Date(), publicUrl: 'http://bench', rentMarket: null });
    let bookId = 0;
    for (const at of moments) {
      bench.note(`watches: book of ${at.toISOString()}`);
      await landBook(sql, marketId, { at, offers }, async (tx, book) => {
        bookId = book.id;
        const begin = performance.now();
        await judge(tx, book);
        ms = performance.now() - begin;
      });
    }
    const [counts] = await sql<{ offers: number; watches: number; rules: number; alerts: number }[]>`
      select (select offers from book where id = ${bookId}) as offers, (select count(*) from watch) as watches,
        (select count(*) from rule where enabled) as rules, (select count(*) from alert where book_id = ${bookId}) as alerts`;
    const share = await matchingShare(sql, bookId, all, counts?.offers ?? 1);
    const sizes: Size[] = [
      { what: 'offers of the book', count: counts?.offers ?? 0, atLeast: offers },
      { what: 'watches', count: counts?.watches ?? 0, atLeast: watches },
      { what: 'rules', count: counts?.rules ?? 0, atLeast: watches },
      {
        what: 'fields of the shortest filter',
        count: Math.min(...all.map((filter) => Object.keys(filter).length)),
        atLeast: 8,
      },
      {
        what: 'of 1,000 offers match a watch, mean of a sample',
        count: Math.round(share * 1000),
        atLeast: minShare * 1000,
      },
    ];
    const details = [`${counts?.alerts ?? 0} alerts`];
    return [{ name: 'watches', value: ms, unit: 'ms', yardstick: null, sizes, details }];
  });
}

type Filters = Partial<OfferFilter>;

/** Creates watches with filters on at least eight fields, each with a rule. */
async function makeWatches(sql: Sql, marketId: number, count: number): Promise<Filters[]> {
  const random = createRandom(20260720);
  const between = (low: number, high: number): number => Number((low + random() * (high - low)).toFixed(3));
  const filters = Array.from(
    { length: count },
    (_, index): Filters => ({
      verification: index % 3 === 0 ? ['verified', 'unverified'] : ['verified', 'unverified', 'deverified'],
      numGpus: index % 2 === 0 ? [1, 2, 4] : [1, 2, 4, 8],
      minReliability: between(0.8, 0.98),
      minVramGb: between(8, 32),
      minCuda: between(10, 12),
      minDiskGb: between(8, 64),
      minInetDown: between(50, 500),
      minInetUp: between(1, 50),
      maxUsdPerHour: between(0.3, 4),
      excludeMachineId: [Math.floor(random() * 1_000)],
    }),
  );
  const channelId = uuidv7();
  const createdAt = new Date();
  await saveChannel(sql, { id: channelId, kind: 'file', name: 'bench', config: {}, secret: null, createdAt });
  const scopeId = await ensureScope(sql, marketId, 'default');
  const ids = filters.map(() => uuidv7());
  await sql`
    insert into watch (id, market_id, name, filters, profile, rank_by, top, cron, time_zone, channel_ids)
    select w.id, ${marketId}, w.id::text, w.filters::jsonb, ${sql.json({ ...defaultProfile })},
      'usdPerGpuHour', 10, '*/10 * * * *', 'UTC', ${[channelId]}::uuid[]
    from unnest(${ids}::uuid[], ${filters.map((filter) => JSON.stringify(filter))}::text[]) w(id, filters)`;
  await sql`
    insert into watch_market (watch_id, market_id, scope_id, place)
    select id, ${marketId}, ${scopeId}, 0 from unnest(${ids}::uuid[]) w(id)`;
  const kinds = [
    () => ['priceBelow', { usd: between(0.02, 0.5) }],
    () => ['lowestInDays', { days: 7 }],
    () => ['changePercent', { percent: 2, since: 1 }],
    () => ['supplyBelow', { offers: 500 }],
    () => ['priceBelow', { usd: between(0.1, 0.6) }],
  ] as const;
  const rules = ids.map((_, index) => kinds[index % kinds.length]?.() ?? ['backInStock', {}]);
  await sql`
    insert into rule (id, market_id, watch_id, kind, params, m, n, hysteresis_percent, cooldown_minutes, rearm,
      channel_ids, enabled, created_at)
    select r.id, ${marketId}, r.watch_id, r.kind, r.params::jsonb, 1, 1, 2, 0, '{"by": "leave"}', '{}', true, now()
    from unnest(${ids.map(() => uuidv7())}::uuid[], ${ids}::uuid[], ${rules.map(([kind]) => String(kind))}::text[],
      ${rules.map(([, params]) => JSON.stringify(params))}::text[]) r(id, watch_id, kind, params)`;
  return filters;
}

async function landBook(
  sql: Sql,
  marketId: number,
  { at, offers }: { at: Date; offers: number },
  onBookLanded: (tx: Sql, book: LandedBook) => Promise<void>,
): Promise<void> {
  const pages = makeBookPages({ offers, rowsPerPage: Math.min(5_000, offers), at });
  const hook = async (tx: unknown, book: LandedBook): Promise<void> => await onBookLanded(tx as Sql, book);
  const landing = await openLanding(sql, {
    ...{
      marketId,
      scopeName: 'default',
      type: 'on-demand',
      allocatedStorageGb: 8,
      statistics: pointStatistics,
    },
    onBookLanded: [hook],
  });
  const certificate = blankCertificate('id');
  try {
    for (const page of pages) {
      const rows = (JSON.parse(page.toString('utf8')) as { offers: unknown[] }).offers;
      const read = rows.flatMap((row): Offer[] => {
        const reading = readOfferRecord(row, 'on-demand');
        return reading.ok ? [reading.offer] : [];
      });
      await landing.stage(read);
      certificate.rows += rows.length;
      certificate.accepted += read.length;
    }
    await landing.land({ observedAt: at, startedAt: at, coverage: complete('proved'), certificate });
  } finally {
    await landing.close();
  }
}

/** Average share of the book's offers that match a watch's filter, by SQL. */
async function matchingShare(
  sql: Sql,
  bookId: number,
  filters: readonly Filters[],
  offers: number,
): Promise<number> {
  const step = Math.max(1, Math.floor(filters.length / sampled));
  const some = filters.filter((_, index) => index % step === 0);
  let found = 0;
  for (const filter of some) {
    const condition = filterCondition(sql, { ...noFilter, ...filter }, { attributes: 'o', storageGb: 8 });
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from latest_offer o join listing l on l.id = o.listing_id
      where o.book_id = ${bookId} and ${condition}`;
    found += row?.count ?? 0;
  }
  return found / some.length / offers;
}
