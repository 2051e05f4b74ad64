import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../database/connection.ts';

/** A link that shows one export to anyone who has it. */
export interface SheetLink {
  id: string;
  /** The first of its markets. */
  market: string;
  markets: [string, ...string[]];
  /** Name of the export, `spend-summary`. */
  export: string;
  /** The export's parameters. */
  query: Record<string, string | string[]>;
  note: string | null;
  createdAt: Date;
  /** null: active. */
  revokedAt: Date | null;
  lastReadAt: Date | null;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const columns = (db: Db) => db`s.id, m.name as market,
  array[m.name] || array(select o.name from unnest(s.further_market_ids) with ordinality f(id, place)
    join market o on o.id = f.id order by f.place) as markets, s.export, s.query, s.note, s.created_at as "createdAt",
  s.revoked_at as "revokedAt", s.last_read_at as "lastReadAt"`;

/** Creates a link; only its response contains the token. `id` is a version 7 UUID. */
export async function createSheetLink(
  db: Db,
  [marketId, ...furtherIds]: readonly [number, ...number[]],
  link: { id: string; export: string; query: SheetLink['query']; note: string | null; createdAt: Date },
): Promise<{ link: SheetLink; token: string }> {
  const token = `sheet_${randomBytes(24).toString('base64url')}`;
  await db`insert into sheet_link (id, market_id, further_market_ids, export, query, note, token_hash, created_at)
    values (${link.id}, ${marketId}, ${furtherIds}, ${link.export}, ${db.json(link.query)}, ${link.note},
      ${hashOf(token)}, ${link.createdAt})`;
  const [row] = await db<SheetLink[]>`
    select ${columns(db)} from sheet_link s join market m on m.id = s.market_id where s.id = ${link.id}`;
  if (row === undefined) throw new Error('a link vanished while it was made');
  return { link: { ...row }, token };
}

/** Returns the links that show one of the markets, including revoked ones, newest first. */
export async function listSheetLinks(db: Db, marketIds: readonly number[]): Promise<SheetLink[]> {
  const rows = await db<SheetLink[]>`
    select ${columns(db)} from sheet_link s join market m on m.id = s.market_id
    where s.market_id = any(${[...marketIds]}::int[]) or s.further_market_ids && ${[...marketIds]}::int[]
    order by s.created_at desc, s.id desc`;
  return rows.map((row) => ({ ...row }));
}

/** Revokes a link at once; false if no active link has this id. */
export async function revokeSheetLink(db: Db, id: string, at: Date): Promise<boolean> {
  const ended =
    await db`update sheet_link set revoked_at = ${at} where id = ${id} and revoked_at is null returning id`;
  return ended.length === 1;
}

/** Returns the active link of a token and records the read; null: unknown or revoked. */
export async function readSheetLink(db: Db, token: string, at: Date): Promise<SheetLink | null> {
  const [row] = await db<SheetLink[]>`
    update sheet_link s set last_read_at = ${at} from market m
    where m.id = s.market_id and s.token_hash = ${hashOf(token)} and s.revoked_at is null
    returning ${columns(db)}`;
  return row === undefined ? null : { ...row };
}
