import { type CrawlScope, defaultScope } from '../core/crawl-scope.ts';
import { UserError } from '../core/errors.ts';
import type { Db } from '../database/connection.ts';

/** The built-in market's name, reserved for it. */
export const simulatedMarketName = 'simulator';

export type MarketKind = 'live' | 'simulated' | 'recorded';

export interface Market {
  id: number;
  name: string;
  kind: MarketKind;
}

/** Returns the market with that name, created if new. Throws UserError if it exists as another kind. */
export async function ensureMarket(db: Db, name: string, kind: MarketKind): Promise<Market> {
  await db`insert into market (name, kind) values (${name}, ${kind}) on conflict (name) do nothing`;
  const found = await findMarket(db, name);
  if (found === null) throw new Error(`market ${name} vanished while it was made`);
  if (found.kind !== kind) {
    throw new UserError(
      `The market ${name} is ${found.kind} and cannot be used as ${kind}: choose another name.`,
    );
  }
  return found;
}

/** Returns the market with that name; null: unknown. */
export async function findMarket(db: Db, name: string): Promise<Market | null> {
  const [row] = await db<Market[]>`select id, name, kind from market where name = ${name}`;
  return row ?? null;
}

/** Returns the most recently created recorded market with a book; null: none. */
export async function newestRecordedMarket(db: Db): Promise<Market | null> {
  const [row] = await db<Market[]>`
    select id, name, kind from market m
    where kind = 'recorded' and exists (
      select from book b join scope s on s.id = b.scope_id where s.market_id = m.id)
    order by id desc limit 1`;
  return row ?? null;
}

/** Returns all markets by name. */
export async function listMarkets(db: Db): Promise<Market[]> {
  return await db<Market[]>`select id, name, kind from market order by name`;
}

/** Returns the names of the markets of a kind that have a book or have ever answered a crawl, sorted. */
export async function marketsWithData(db: Db, kind: MarketKind): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select name from market m
    where kind = ${kind} and (
      exists (select from book b join scope s on s.id = b.scope_id where s.market_id = m.id)
      or exists (select from crawl c where c.market_id = m.id and c.outcome <> 'failed'))
    order by name`;
  return rows.map(({ name }) => name);
}

/** Returns the id of the market's scope with that name, created if new; by default it covers all rentable offers. */
export async function ensureScope(
  db: Db,
  marketId: number,
  name: string,
  covers: Pick<CrawlScope, 'gpuNames' | 'rentable'> = defaultScope,
): Promise<number> {
  const gpuNames = covers.gpuNames === null ? null : [...covers.gpuNames];
  await db`insert into scope (market_id, name, gpu_names, rentable)
    values (${marketId}, ${name}, ${gpuNames}, ${covers.rentable})
    on conflict (market_id, name) do nothing`;
  const [row] = await db<{ id: number }[]>`
    select id from scope where market_id = ${marketId} and name = ${name}`;
  if (row === undefined) throw new Error(`scope ${name} vanished while it was made`);
  return row.id;
}
