import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../../core/http/api-app.ts';
import { ApiProblem, answerProblem } from '../../core/http/problem.ts';

/**
 * Refuses requests that come under a name which is not this server's: a page elsewhere whose name was made to lead here
 * (DNS rebinding) would otherwise read what needs no token. Addresses of digits and localhost cannot be made to; other
 * names are those of `addresses`.
 */
export function requireOwnHost(addresses: readonly string[]): MiddlewareHandler<ApiEnv> {
  const named = new Set(addresses.map((address) => new URL(address).hostname));
  const isOwn = (name: string): boolean =>
    named.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || /(^|\.)localhost$/.test(name);
  return async (c, next) => {
    const host = c.req.header('host');
    // No browser sends a request without one.
    if (host === undefined) return await next();
    const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
    if (isOwn(name)) return await next();
    const detail = `This server does not answer to the name ${JSON.stringify(host.slice(0, 100))}: set PUBLIC_URL to the address at which it is reached.`;
    return answerProblem(c, new ApiProblem(421, 'foreign-host', detail));
  };
}
