import { uuidv7 } from 'uuidv7';
import { crawlOffers } from '../../src/books/crawl/crawl-offers.ts';
import type { OffersCrawler } from '../../src/books/crawl/offers-crawler.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { defaultScope } from '../../src/core/crawl-scope.ts';
import type { Log } from '../../src/core/log.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createMarketClient, type MarketClient } from '../../src/market/vast/client.ts';
import { createCrawlBook } from '../../src/market/vast/crawl/crawl-book.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';
import { findHalfBooks } from '../whole-books.ts';
import { createLiveTruth } from './live-truth.ts';

/** How the market behaves during a crawl. */
interface Kind {
  name: string;
  faults: readonly string[];
}

const kinds: readonly Kind[] = [
  { name: 'churn', faults: [] },
  { name: 'hiding', faults: ['hiding:0.05'] },
  { name: 'churn', faults: [] },
  { name: 'unpageable', faults: ['unpageable-ids'] },
  { name: 'churn', faults: [] },
  { name: 'hiding', faults: ['hiding:0.25'] },
];

/** Share of the other parts' crawls that this part repeats. */
const storedShare = 0.03;

/** A crawl over HTTP into PostgreSQL, judged by the simulator and by plain SQL. */
interface StoredCrawl {
  kind: string;
  verdict: string;
  throughout: number;
  missing: number;
  /** Stored offers that the market did not list at any time during the crawl. */
  invented: number;
  moments: number;
}

interface StoredOptions extends Omit<ProofOptions, 'bookFiles'> {
  /** @default 25000 */
  offers?: number | undefined;
}

/**
 * Whole crawls over HTTP from the simulator, whose clock advances by ten seconds with each answer, into PostgreSQL. The
 * stored books are compared with what the simulator says it listed at each of those moments.
 */
export async function proveStoredBooks(options: StoredOptions): Promise<Proof> {
  const { offers = 25_000, seed, log } = options;
  const runs = Math.ceil((options.runs ?? 200) * storedShare);
  const databases = await openProofDatabases(options.server, log);
  const crawls: StoredCrawl[] = [];
  const failures: string[] = [];
  try {
    const { sql, drop } = await databases.create();
    for (let run = 0; run < runs; run += 1) {
      const kind = kinds[run % kinds.length] ?? { name: 'churn', faults: [] };
      const random = createRandom(seed * 9_973 + run);
      const crawl = await crawlOnce(sql, { kind, offers, seed: seed + run, random, log });
      log.info({ ...crawl }, 'crawled and stored');
      crawls.push(crawl);
    }
    failures.push(...(await findHalfBooks(sql)));
    await drop();
  } finally {
    await databases.close();
  }
  const wrong = crawls.filter(
    ({ kind, verdict, missing, throughout }) =>
      verdict === 'complete' && missing > (kind === 'hiding' ? throughout * 0.001 : 0),
  ).length;
  const ofKind = (name: string) => crawls.filter(({ kind }) => kind === name);
  const complete = ofKind('churn').filter(({ verdict }) => verdict === 'complete').length;
  if (wrong > 0) failures.push(`${wrong} stored books are complete and lack offers`);
  if (complete < ofKind('churn').length * 0.95) failures.push(`only ${complete} stored books are complete`);
  if (crawls.some(({ verdict }) => verdict === 'failed')) failures.push('a crawl failed');
  const invented = crawls.reduce((sum, crawl) => sum + crawl.invented, 0);
  if (invented > 0) failures.push(`${invented} stored offers were never there`);
  return {
    ok: failures.length === 0,
    failures,
    counts: {
      'stored: crawls over HTTP into PostgreSQL': crawls.length,
      'stored: under churn, complete': complete,
      'stored: under churn': ofKind('churn').length,
      'stored: moments of the market compared': crawls.reduce((sum, { moments }) => sum + moments, 0),
      'stored: complete books that lack offers': wrong,
      'stored: offers that were never there': invented,
    },
  };
}

const weekMinutes = 7 * 24 * 60;

async function crawlOnce(
  sql: Sql,
  options: { kind: Kind; offers: number; seed: number; random: () => number; log: Log },
): Promise<StoredCrawl> {
  const { kind, offers, seed, random } = options;
  // Within one week: a book dated ahead of the database's clock is refused.
  let nowMs = Date.parse('2026-11-14T12:00:00Z') + (seed % weekMinutes) * 60_000;
  const now = (): Date => new Date(nowMs);
  const cap = Math.max(500, Math.floor(random() * 10_000));
  const simulator = createSimulator({ seed, offersPerType: offers, cap, now, faults: kind.faults });
  const { url } = await simulator.listen();
  const truth = createLiveTruth(simulator);
  const client = createMarketClient({
    ...{ baseUrl: url, apiKey: simulator.apiKey, maxBodyBytes: 2 ** 28, log: options.log },
    dialect: withoutIntervals(defaultDialect),
  });
  const searchOffers: MarketClient['searchOffers'] = async (query, how) => {
    const page = await client.searchOffers(query, how);
    truth.look();
    nowMs += 10_000;
    return page;
  };
  try {
    const { id: marketId } = await ensureMarket(sql, `stored-${seed}`, 'live');
    const crawler: OffersCrawler = {
      ...{ sql, marketId, log: options.log, now, random },
      crawlBook: createCrawlBook({ searchOffers }, { ...defaultDialect.search, pageLimit: 10_000 }),
      ...{ allocatedStorageGb: 8, statistics: pointStatistics, maxBookMinutes: 120 },
    };
    const run = { crawlId: uuidv7(), scope: defaultScope, tickAt: null, jobId: null };
    const [outcome] = await crawlOffers(crawler, {
      type: 'on-demand',
      crawls: [{ ...run, cause: 'command' }],
    });
    const rows = await sql<{ id: number }[]>`
      select offer_id as id from latest_offer o join book b on b.id = o.book_id
      join crawl r on r.book_id = b.id where r.id = ${run.crawlId}`;
    const stored = new Set(rows.map(({ id }) => id));
    const throughout = truth.throughout();
    return {
      ...{ kind: kind.name, verdict: outcome?.kind ?? 'failed', moments: truth.looks() },
      throughout: throughout.length,
      missing: throughout.filter((id) => !stored.has(id)).length,
      invented: [...stored].filter((id) => !truth.ever(id)).length,
    };
  } finally {
    await client.close();
    await simulator.close();
  }
}
