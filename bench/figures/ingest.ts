import { setImmediate } from 'node:timers/promises';
import { openLanding } from '../../src/books/landing/land-book.sql.ts';
import { pagesFor } from '../../src/books/landing/records.sql.ts';
import { createStaging, stageOffers } from '../../src/books/landing/staging.sql.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { blankCertificate, complete } from '../../src/core/coverage.ts';
import type { Offer } from '../../src/core/offer.ts';
import { inTransaction, type ReservedSql, type Sql } from '../../src/database/connection.ts';
import { readOfferRecord } from '../../src/market/vast/offer-record.ts';
import { createListSplitter } from '../../src/market/wire/list-splitter.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import type { Bench, Measurement, Size } from '../figure.ts';
import { makeBookPages } from '../full-offers.ts';

const fullSize = 25_000;
const rowsPerPage = 5_000;
const rounds = 3;
const chunkBytes = 64 * 1024;
const moments = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-01T01:00:00Z')] as const;

interface Ingest {
  /** From the last byte of the last page. */
  totalMs: number;
  /** From the first byte of the first page to the last byte of the last. */
  beforeMs: number;
  /** By phase, ms, in order. */
  phases: Map<string, number>;
}

/**
 * Time from the last byte of the pages, which arrive as fast as they are read, to the committed book with validation and
 * statistics: for a market's first book, and for the next one an hour later. Each is the third of three runs, and so is
 * the reference: the same pages parsed and copied into a table with the same columns and no index.
 */
export async function measureIngest(bench: Bench): Promise<Measurement[]> {
  const offers = bench.sized(fullSize);
  bench.note(`ingest: making two books of ${offers} offers`);
  const books = moments.map((at) =>
    makeBookPages({ offers, rowsPerPage: Math.min(rowsPerPage, offers), at }),
  );
  const results: { ingest: Ingest; yardstickMs: number; sizes: Size[] }[][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    bench.note(`ingest: run ${round} of ${rounds}`);
    results.push(await bench.withDatabase((sql) => runRound(sql, books, offers)));
  }
  const last = results.at(-1) ?? [];
  return last.map(({ ingest, yardstickMs, sizes }, index) => ({
    name: index === 0 ? 'ingest-first-book' : 'ingest-next-book',
    value: ingest.totalMs,
    unit: 'ms',
    yardstick: yardstickMs,
    sizes,
    details: [
      `of it: ${[...ingest.phases].map(([phase, ms]) => `${phase} ${ms.toFixed(0)} ms`).join(', ')}`,
      `before the last byte: ${ingest.beforeMs.toFixed(0)} ms, in which all other bytes were read and copied`,
      `from the first byte on: ${((ingest.beforeMs + ingest.totalMs) / yardstickMs).toFixed(2)} times the yardstick`,
    ],
  }));
}

async function runRound(sql: Sql, books: Buffer[][], stated: number) {
  const { id: marketId } = await ensureMarket(sql, 'bench', 'simulated');
  const results: { ingest: Ingest; yardstickMs: number; sizes: Size[] }[] = [];
  for (const [index, pages] of books.entries()) {
    const yardstickMs = await runYardstick(sql, pages);
    const ingest = await landPages(sql, marketId, pages, moments[index] ?? moments[0]);
    results.push({ ingest, yardstickMs, sizes: await countSizes(sql, stated, pages) });
  }
  return results;
}

async function landPages(sql: Sql, marketId: number, pages: Buffer[], observedAt: Date): Promise<Ingest> {
  const phases = new Map<string, number>();
  let since = performance.now();
  const end = (phase: string): void => {
    const now = performance.now();
    phases.set(phase, (phases.get(phase) ?? 0) + now - since);
    since = now;
  };
  const startedAt = since;
  let lastByteAt = Number.NaN;
  // Planner statistics are updated afterwards, after few books; no reader waits for that.
  let committedAt = Number.NaN;
  const landing = await openLanding(sql, {
    ...{
      marketId,
      scopeName: 'default',
      type: 'on-demand',
      allocatedStorageGb: 8,
      statistics: pointStatistics,
    },
    onPhase: (phase) => {
      if (phase === 'merge') end('rest of the copy');
      if (phase === 'commit') end('merge');
    },
    transaction: async (db, work, how) => {
      const outcome = await inTransaction(db, work, how);
      end('commit');
      committedAt = since;
      return outcome;
    },
  });
  const certificate = blankCertificate('id');
  try {
    for (const [place, page] of pages.entries()) {
      const offers = await readPage(page, () => {
        if (place < pages.length - 1) return;
        phases.clear();
        lastByteAt = performance.now();
        since = lastByteAt;
      });
      end('read');
      await landing.stage(offers);
      end('copy');
      certificate.pages += 1;
      certificate.rows += offers.length;
      certificate.accepted += offers.length;
    }
    await landing.land({ observedAt, startedAt: observedAt, coverage: complete('proved'), certificate });
    end('told the planner');
  } finally {
    await landing.close();
  }
  return { totalMs: committedAt - lastByteAt, beforeMs: lastByteAt - startedAt, phases };
}

/** Reads a page in chunks, as from a socket; `onLast` is called with the last one. */
async function readPage(page: Buffer, onLast: () => void): Promise<Offer[]> {
  const offers: Offer[] = [];
  const splitter = createListSplitter({
    key: 'offers',
    onList: () => {},
    take: (row) => offers.push(readRow(row)),
  });
  for (let at = 0; at < page.length; at += chunkBytes) {
    await setImmediate();
    if (at + chunkBytes >= page.length) onLast();
    splitter.push(page.subarray(at, at + chunkBytes));
  }
  const { rest, intact } = splitter.end();
  if (!intact || rest.toString('utf8') !== '{"offers":[]}')
    throw new Error('a page of the bench was not read');
  return offers;
}

async function runYardstick(sql: Sql, pages: Buffer[]): Promise<number> {
  const texts = pages.map((page) => page.toString('utf8'));
  const offers = texts.map((text) => parsePage(text).map(readRow));
  let startedAt = performance.now();
  for (const text of texts) parsePage(text);
  const parseMs = performance.now() - startedAt;
  const db = await sql.reserve();
  try {
    await makePlainTables(db);
    startedAt = performance.now();
    let pages = 0;
    for (const page of offers) {
      await stageOffers(db, page, pages, 'with records');
      pages += pagesFor(page.length);
    }
    return parseMs + performance.now() - startedAt;
  } finally {
    await db`drop table if exists staged_offer, staged_page`;
    db.release();
  }
}

/** Copies of the landing's staging tables as ordinary tables. */
async function makePlainTables(db: ReservedSql): Promise<void> {
  await createStaging(db);
  await db`create table public.staged_offer (like pg_temp.staged_offer)`;
  await db`create table public.staged_page (like pg_temp.staged_page)`;
  await db`drop table pg_temp.staged_offer, pg_temp.staged_page`;
}

const parsePage = (text: string): unknown[] => (JSON.parse(text) as { offers: unknown[] }).offers;

function readRow(row: unknown): Offer {
  const reading = readOfferRecord(row, 'on-demand');
  if (!reading.ok) throw new Error(`a row of the bench was rejected: ${reading.rejected.reason}`);
  return reading.offer;
}

async function countSizes(sql: Sql, stated: number, pages: Buffer[]): Promise<Size[]> {
  const [row] = await sql<{ held: number; kept: number }[]>`
    select (select count(*) from presence where last_at = 'infinity') as held,
      (select count(*) from latest_offer where book_id = (select max(id) from book)) as kept`;
  const bytes = pages.reduce((sum, page) => sum + page.length, 0);
  return [
    { what: 'offers held by the newest book', count: row?.held ?? 0, atLeast: stated },
    { what: 'offers kept verbatim', count: row?.kept ?? 0, atLeast: stated },
    { what: 'bytes of pages', count: bytes, atLeast: stated * 2_500 },
  ];
}
