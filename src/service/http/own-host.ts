import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../../core/http/api-app.ts';
import { ApiProblem, answerProblem } from '../../core/http/problem.ts';

/**
 * Refuses requests for a foreign host name: otherwise a page elsewhere whose name resolves to this server (DNS
 * rebinding) could read everything that needs no token. IP addresses and localhost are safe; other names must be in
 * `addresses`.
 */
export function requireOwnHost(addresses: readonly string[]): MiddlewareHandler<ApiEnv> {
  const named = new Set(addresses.map((address) => new URL(address).hostname));
  const isOwn = (name: string): boolean =>
    named.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || /(^|\.)localhost$/.test(name);
  return async (c, next) => {
    const host = c.req.header('host');
    // Every browser sends a Host header.
    if (host === undefined) return await next();
    const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
    if (isOwn(name)) return await next();
    const detail = `This server does not accept requests for the host ${JSON.stringify(host.slice(0, 100))}. If browsers reach it by that name, set PUBLIC_URL to the address.`;
    return answerProblem(c, new ApiProblem(421, 'foreign-host', detail));
  };
}
