import { uuidv7 } from 'uuidv7';
import { onTestFinished } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createBills } from '../../src/market/vast/bills.ts';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { type Dialect, defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import {
  type BillingCrawler,
  type BillingOutcome,
  type CrawlBillsOptions,
  crawlBilling,
} from '../../src/spend/bills/crawl-bills.ts';
import { silentLog } from '../support/silent-log.ts';
import { crawledAt } from './billing-market.ts';

let markets = 0;

/** A crawler of the market at `url`, in a market of its own, whose client neither waits nor retries for long. */
export async function createBillingCrawler(
  sql: Sql,
  place: { url: string; apiKey?: string },
  options: Partial<BillingCrawler> & { dialect?: Dialect } = {},
): Promise<BillingCrawler> {
  const { dialect = defaultDialect, ...others } = options;
  markets += 1;
  const { id: marketId } = await ensureMarket(sql, `billed-${markets}`, 'live');
  const client = createMarketClient({
    baseUrl: place.url,
    apiKey: place.apiKey ?? 'test-key-0123',
    dialect: withoutIntervals(dialect),
    maxBodyBytes: 16_000_000,
    log: silentLog,
    sleep: async () => {},
  });
  onTestFinished(() => client.close());
  return {
    sql,
    bills: createBills(client),
    marketId,
    log: silentLog,
    now: () => crawledAt,
    newId: uuidv7,
    pageLimit: 10,
    ...others,
  };
}

/** One crawl as a command asks for it, of invoices unless said otherwise. */
export async function crawlBills(
  crawler: BillingCrawler,
  ask: Partial<CrawlBillsOptions> = {},
): Promise<Exclude<BillingOutcome, { kind: 'absent' | 'done before' }>> {
  const outcome = await crawlBilling(crawler, {
    ...{ crawlId: uuidv7(), kind: 'invoice', cause: 'command', tickAt: null, jobId: null },
    ...ask,
  });
  if (outcome.kind === 'absent' || outcome.kind === 'done before') throw new Error(outcome.kind);
  return outcome;
}

/** An entry's current version; the last one of a `disappeared` entry. */
export interface StoredBill {
  id: number;
  identity: string;
  ordinal: number;
  amountUsd: string;
  endAt: Date | null;
  description: string | null;
  versions: number;
  missed: number;
  disappeared: boolean;
}

/** All entries of a market, by start, identity and ordinal. */
export async function storedBills(sql: Sql, marketId: number): Promise<StoredBill[]> {
  const rows = await sql<StoredBill[]>`
    select e.id, e.identity, e.ordinal, v.amount_usd::text as "amountUsd", v.end_at as "endAt", v.description,
      (select count(*) from billing_version a where a.entry_id = e.id) as versions, e.missed_readings as missed,
      e.disappeared_at is not null as disappeared
    from billing_entry e
    join lateral (select * from billing_version where entry_id = e.id order by seen_from desc limit 1) v on true
    where e.market_id = ${marketId} order by e.start_at, e.identity collate "C", e.ordinal`;
  return rows.map((row) => ({ ...row }));
}

/** Everything that billing tables hold of a market but when entries were last seen, as text: to compare. */
export async function billingText(sql: Sql, marketId: number): Promise<string> {
  const [row] = await sql<{ text: string }[]>`
    select coalesce(string_agg((to_jsonb(e) - 'last_seen_at')::text || coalesce(to_jsonb(v)::text, ''), E'\n'
      order by e.id, v.seen_from), '') as text
    from billing_entry e left join billing_version v on v.entry_id = e.id where e.market_id = ${marketId}`;
  return row?.text ?? '';
}

/** How the runs of a market ended, in the order of beginning. */
export async function runsOf(
  sql: Sql,
  marketId: number,
): Promise<{ kind: string; scope: string; outcome: string | null; reason: string | null }[]> {
  const rows = await sql<{ kind: string; scope: string; outcome: string | null; reason: string | null }[]>`
    select kind, scope_name as scope, outcome, reason from crawl where market_id = ${marketId} order by id`;
  return rows.map((row) => ({ ...row }));
}
