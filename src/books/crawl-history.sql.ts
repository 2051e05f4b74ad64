import { blankCertificate, type CoverageCertificate } from '../core/coverage.ts';
import type { PricingType } from '../core/offer.ts';
import type { Db } from '../database/connection.ts';
import { behindRow } from '../database/paging.sql.ts';
import type { BillingCertificate } from './billing-certificate.ts';
import { type CrawlCause, type CrawlEnd, latestStart } from './crawls.sql.ts';

/** One attempt at a book, with its result. */
export interface ListedCrawl {
  id: string;
  /** Name of its market. */
  market: string;
  kind: string;
  scope: string;
  type: PricingType | null;
  cause: CrawlCause;
  startedAt: Date;
  /** null while it runs, as is `outcome`. */
  endedAt: Date | null;
  outcome: CrawlEnd | null;
  reason: string | null;
  /** Certificate of offers, or of invoices and charges, by `kind`; null: none. */
  certificate: CoverageCertificate | BillingCertificate | null;
  book: CrawledBook | null;
}

export interface CrawledBook {
  id: string;
  observedAt: Date;
  startedAt: Date;
  verdict: 'complete' | 'partial';
  reason: string | null;
  proof: 'proved' | 'declared';
  offers: number;
}

export interface CrawlQuery {
  marketIds: readonly number[];
  type: PricingType | null;
  outcome: CrawlEnd | null;
  /** Only crawls older than this one; null: from the newest. */
  after: string | null;
  limit: number;
}

const columns = (db: Db) => db`
  r.id, m.name as market, r.kind, r.scope_name as scope, r.type, r.cause, r.started_at as "startedAt",
  r.ended_at as "endedAt", r.outcome, r.reason, r.certificate, b.id as "bookId",
  b.observed_at as "bookObservedAt", b.started_at as "bookStartedAt", b.verdict as "bookVerdict",
  b.reason as "bookReason", b.proof as "bookProof", b.offers as "bookOffers"`;

type Row = Omit<ListedCrawl, 'book'> & {
  bookId: number | null;
  bookObservedAt: Date;
  bookStartedAt: Date;
  bookVerdict: CrawledBook['verdict'];
  bookReason: string | null;
  bookProof: CrawledBook['proof'];
  bookOffers: number;
};

/** Returns crawls of markets, newest first; at most `limit`. */
export async function listCrawls(db: Db, query: CrawlQuery): Promise<ListedCrawl[]> {
  const { marketIds, type, outcome, after, limit } = query;
  const rows = await db<Row[]>`
    select ${columns(db)} from market m
    -- A short walk down the index for each market, instead of one sort of all their crawls.
    cross join lateral (
      select * from crawl r
      where r.market_id = m.id
        and ${type === null ? db`true` : db`r.type = ${type}`}
        and ${outcome === null ? db`true` : db`r.outcome = ${outcome}`}
        and ${behindRow(db, { table: 'crawl', alias: 'r', moment: 'started_at' }, after)}
      order by r.started_at desc, r.id desc limit ${limit}) r
    left join book b on b.id = r.book_id
    where m.id = any(${[...marketIds]}::int[])
    order by r.started_at desc, r.id desc limit ${limit}`;
  return rows.map(toListedCrawl);
}

/** Returns one crawl; null: unknown id. */
export async function findCrawl(db: Db, id: string): Promise<ListedCrawl | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from crawl r join market m on m.id = r.market_id
    left join book b on b.id = r.book_id where r.id = ${id}`;
  return row === undefined ? null : toListedCrawl(row);
}

/** Returns the last crawl of each pricing type in the default scope; those ahead of the clock do not count. */
export async function lastCrawls(db: Db, marketId: number, now: Date): Promise<ListedCrawl[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from unnest(enum_range(null::pricing_type)) as t(type)
    join lateral (
      select * from crawl c
      where c.market_id = ${marketId} and c.kind = 'offers' and c.scope_name = 'default' and c.type = t.type
        and c.started_at <= ${latestStart(now)}
      order by c.started_at desc, c.id desc limit 1) r on true
    join market m on m.id = r.market_id
    left join book b on b.id = r.book_id
    order by t.type`;
  return rows.map(toListedCrawl);
}

function toListedCrawl(row: Row): ListedCrawl {
  const { bookId, bookObservedAt, bookStartedAt, bookVerdict, bookReason, bookProof, bookOffers, ...crawl } =
    row;
  const book =
    bookId === null
      ? null
      : {
          id: String(bookId),
          observedAt: bookObservedAt,
          startedAt: bookStartedAt,
          verdict: bookVerdict,
          reason: bookReason,
          proof: bookProof,
          offers: bookOffers,
        };
  // Crawls of earlier versions lack later fields.
  const read = { ...crawl, book };
  if (!isOffersCrawl(read) || read.certificate === null) return read;
  return { ...read, certificate: { ...blankCertificate(read.certificate.paging), ...read.certificate } };
}

/** Whether it is a crawl of offers, so that its certificate describes coverage. */
export const isOffersCrawl = (
  crawl: ListedCrawl,
): crawl is ListedCrawl & { kind: 'offers'; certificate: CoverageCertificate | null } =>
  crawl.kind === 'offers';
