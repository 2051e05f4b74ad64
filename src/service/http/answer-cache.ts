import type { Context, MiddlewareHandler } from 'hono';
import { requestHeader } from './request-header.ts';

interface Kept {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
  until: number;
}

const maxEntries = 200;
const maxBytes = 1_000_000;

/**
 * Returns middleware that repeats a response of these paths to the same requester for `cacheMs` without the database,
 * so that what several charts request at once is computed once. It only keeps responses with status 200 of up to a
 * megabyte; 0 keeps none. `personOf` is the requester's name where a header of a proxy says it.
 */
export function cacheAnswers(
  paths: ReadonlySet<string>,
  cacheMs: number,
  personOf: (c: Context) => string = () => '',
): MiddlewareHandler {
  const kept = new Map<string, Kept>();
  return async (c, next) => {
    if (cacheMs <= 0 || c.req.method !== 'GET' || !paths.has(c.req.path)) return await next();
    const key = `${keyOf(c)}\n${personOf(c)}`;
    const known = kept.get(key);
    if (known !== undefined && known.until > performance.now()) {
      return new Response(known.body, { headers: known.headers });
    }
    await next();
    if (c.res.status !== 200) return;
    const headers = Object.fromEntries(c.res.headers);
    // The server sends a body of this kind as it is, without a stream.
    const body = new Uint8Array(await c.res.arrayBuffer());
    c.res = new Response(body, { headers });
    if (body.byteLength > maxBytes) return;
    kept.delete(key);
    kept.set(key, { body, headers, until: performance.now() + cacheMs });
    const oldest = kept.keys().next();
    if (kept.size > maxEntries && oldest.done !== true) kept.delete(oldest.value);
  };
}

const requesterHeaders = ['authorization', 'cookie', 'accept-encoding', 'if-none-match'];

/** The address and the properties of the requester that the response depends on. */
const keyOf = (c: Context): string =>
  [c.req.url, ...requesterHeaders.map((name) => requestHeader(c, name) ?? '')].join('\n');
