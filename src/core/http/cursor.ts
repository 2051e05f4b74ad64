import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { badField } from './problem.ts';

/** A place in a list: the next page starts behind `after`; `books` are the books that the list shows. */
export interface Place<K = unknown> {
  after: K;
  books: readonly number[];
}

/** A place by the number of items before it, or by the number of the last item. */
export const placeByNumber = z.int().min(0);

/** Writes a place for the next request; it is only valid for the same address and parameters. */
export function writeCursor(c: Context, place: Place): string {
  return Buffer.from(JSON.stringify([place.after, place.books, fingerprint(c)])).toString('base64url');
}

/** Reads `cursor` of the request; null: none was given. Throws a 400 for a cursor of another list. */
export function readCursor<K>(c: Context, after: z.ZodType<K>): Place<K> | null {
  const text = c.req.query('cursor');
  if (text === undefined) return null;
  const parts = parse(text);
  if (!Array.isArray(parts)) throw notACursor();
  const [place, books, print] = parts as unknown[];
  const read = after.safeParse(place);
  if (!read.success || !Array.isArray(books) || !books.every(Number.isSafeInteger)) throw notACursor();
  if (print !== fingerprint(c)) {
    throw badField('cursor', 'belongs to a request with other parameters: start again without it');
  }
  return { after: read.data, books: books as number[] };
}

/**
 * Returns a page of a list whose items continue behind a key of the previous item: `read` returns the items after the
 * key `after` (null: from the start). One item more than fits on the page is requested, to know whether the page is the
 * last. Throws a 400 for a cursor of another list.
 */
export async function readPage<T, K extends string | number>(
  c: Context,
  limit: number,
  list: {
    after: z.ZodType<K>;
    read: (after: K | null, limit: number) => Promise<readonly T[]>;
    /** The key that the next page starts behind; undefined: there is none. */
    keyOf: (item: T) => K | undefined;
  },
): Promise<{ items: T[]; nextCursor: string | null }> {
  const place = readCursor(c, list.after);
  const found = await list.read(place?.after ?? null, limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const after = found.length > limit && last !== undefined ? list.keyOf(last) : undefined;
  return { items, nextCursor: after === undefined ? null : writeCursor(c, { after, books: [] }) };
}

const notACursor = () => badField('cursor', 'is not a `nextCursor` of this list');

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function fingerprint(c: Context): string {
  const query = Object.entries(c.req.queries()).filter(([name]) => name !== 'cursor' && name !== 'limit');
  const text = JSON.stringify([c.req.path, ...query.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
