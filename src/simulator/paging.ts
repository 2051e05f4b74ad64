import { createHash, createHmac } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** One page of a list, and the token of the next one; null: this is the last. */
export interface Page<T> {
  items: readonly T[];
  nextToken: string | null;
}

/**
 * Cuts pages that lose and repeat nothing while the list grows: a token identifies the last item returned, and is valid
 * for the same request only. Throws a 400 `invalid_token` for any other. A `shifting` token counts the items returned
 * instead, so that later pages repeat or lose items when earlier ones come and go.
 */
export function cutPage<T>(options: {
  /** All matching items, in order. */
  items: readonly T[];
  /** A unique, stable key of each item. */
  keyOf: (item: T) => string;
  limit: number;
  token: string | null;
  /** The request without limit and token. */
  question: string;
  /** Signs the tokens. */
  secret: string;
  /** @default false */
  shifting?: boolean;
}): Page<T> {
  const { items, keyOf, limit, token, secret, shifting = false } = options;
  const question = createHash('sha256').update(options.question).digest('base64url').slice(0, 12);
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 16);
  const start = token === null ? 0 : placeAfter(readToken(token, question, sign));
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  if (last === undefined || start + limit >= items.length) return { items: page, nextToken: null };
  const place = shifting ? start + limit : keyOf(last);
  const content = Buffer.from(JSON.stringify([question, place])).toString('base64url');
  return { items: page, nextToken: `${content}.${sign(content)}` };

  function placeAfter(key: string | number): number {
    if (typeof key === 'number') return key;
    const at = items.findIndex((item) => keyOf(item) === key);
    if (at < 0) throw invalidToken();
    return at + 1;
  }
}

function readToken(token: string, question: string, sign: (text: string) => string): string | number {
  const [content = '', signature] = token.split('.');
  if (signature !== sign(content)) throw invalidToken();
  const [asked, key] = JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as [
    string,
    string | number,
  ];
  if (asked !== question) throw invalidToken();
  return key;
}

const invalidToken = () =>
  new Refusal(400, 'invalid_token', 'this token belongs to no page of this question');
