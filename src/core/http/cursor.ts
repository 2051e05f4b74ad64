import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { badField } from './problem.ts';

/** A place in a list: `after` is what the next page begins behind, `books` the books that it is a list of. */
export interface Place {
  after: number | string;
  books: readonly number[];
}

/** Writes a place for the next request; it holds for the same address and parameters alone. */
export function writeCursor(c: Context, place: Place): string {
  return Buffer.from(JSON.stringify([place.after, place.books, fingerprint(c)])).toString('base64url');
}

/** Reads `cursor` of the request. null: none was given. Throws a 400 when it is not one of this list. */
export function readCursor(c: Context, after: 'number' | 'string'): Place | null {
  const text = c.req.query('cursor');
  if (text === undefined) return null;
  const parts = parse(text);
  if (!Array.isArray(parts)) throw notACursor();
  const [place, books, print] = parts as unknown[];
  const fits = typeof place === after && Array.isArray(books) && books.every(Number.isSafeInteger);
  if (!fits || (typeof place === 'number' && !(Number.isSafeInteger(place) && place >= 0)))
    throw notACursor();
  if (print !== fingerprint(c)) {
    throw badField('cursor', 'belongs to a request with other parameters: begin again without it');
  }
  return { after: place as number | string, books: books as number[] };
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
