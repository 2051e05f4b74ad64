import type { Context, MiddlewareHandler } from 'hono';

interface Kept {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
  until: number;
}

const maxEntries = 200;
const maxBytes = 1_000_000;

/**
 * Gives the same requester the same answer of these paths again for `cacheMs`, without asking the database: what several
 * charts and people with one token ask for at once is computed once. An answer, and the right to it, is at most
 * that old. Only answers with status 200, of up to a megabyte, are kept; 0 keeps none.
 */
export function cacheAnswers(paths: ReadonlySet<string>, cacheMs: number): MiddlewareHandler {
  const kept = new Map<string, Kept>();
  return async (c, next) => {
    if (cacheMs <= 0 || c.req.method !== 'GET' || !paths.has(c.req.path)) return await next();
    const key = keyOf(c);
    const known = kept.get(key);
    if (known !== undefined && known.until > performance.now()) {
      return new Response(known.body, { headers: known.headers });
    }
    await next();
    if (c.res.status !== 200) return;
    const headers = Object.fromEntries(c.res.headers);
    // Of this kind the server sends it as it is, without a stream.
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

/** The address and what the answer depends on of who asks. */
function keyOf({ req, env }: Context): string {
  // The server's own request, where there is one: headers of the other are made on first use, which costs more than
  // all else here.
  const raw = (env as { incoming?: { headers: Record<string, string | undefined> } } | undefined)?.incoming;
  const values = requesterHeaders.map(
    (name) => (raw === undefined ? req.header(name) : raw.headers[name]) ?? '',
  );
  return [req.url, ...values].join('\n');
}
