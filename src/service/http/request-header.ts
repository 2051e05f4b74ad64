import type { Context } from 'hono';

/** Returns a header of a request. Reads the server's own request where there is one, which creates no object of headers. */
export function requestHeader({ req, env }: Context, name: string): string | undefined {
  const raw = (env as { incoming?: { headers: Record<string, string | string[] | undefined> } } | undefined)
    ?.incoming;
  const value = raw === undefined ? req.header(name) : raw.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
