import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ApiEnv } from '../../core/http/api-app.ts';
import { basePathOf } from '../../core/http/base-path.ts';
import type { Credential } from '../../core/http/credential.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { findCredential } from './credentials.sql.ts';
import { findPerson } from './persons.sql.ts';
import { readPerson } from './read-person.ts';

const sessionCookie = 'offerbook_session';

/** The path that the session cookie is sent to. */
export const cookiePathOf = (publicUrl: string): string => basePathOf(publicUrl) || '/';

/**
 * Returns the name of the session cookie. It has port and path, because a browser sends a cookie to all ports of a host.
 * With HTTPS a browser takes it only from this very host, by its prefix: no other name of the domain can plant one.
 * Below a path, which that prefix forbids, only from a host with HTTPS.
 */
export function sessionCookieOf(publicUrl: string): string {
  const basePath = basePathOf(publicUrl);
  const { port } = new URL(publicUrl);
  const name = `${sessionCookie}${port && `_${port}`}${basePath.replaceAll(/\W+/g, '_')}`;
  if (!publicUrl.startsWith('https:')) return name;
  return `${basePath === '' ? '__Host-' : '__Secure-'}${name}`;
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets requests with a valid bearer token or session through if their role is at least `viewer`, else answers 401 or
 * 403. A change by cookie must come from the page itself.
 */
export function requireCredential(deps: ApiDeps): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const credential = deps.caller ?? (await identify(c, deps));
    if (credential === null) {
      throw new ApiProblem(401, 'not-authenticated', 'Send a valid token: Authorization: Bearer <token>.');
    }
    // What a browser adds by itself, a cookie or a proxy's sign-in, is no sign that the page sent it.
    if (credential.kind !== 'token' && !safeMethods.has(c.req.method)) requireOwnOrigin(deps, c.req);
    c.set('credential', credential);
    if (deps.caller === undefined) await deps.noteUse(credential, c);
    requireRole(c, 'viewer');
    await next();
  };
}

interface RequestHead {
  url: string;
  header: (name: string) => string | undefined;
}

/** Throws a 403 unless the browser says that the request comes from this server's own page. */
export function requireOwnOrigin(deps: ApiDeps, request: RequestHead): void {
  const origin = hostOf(request.header('origin'));
  const own = [request.header('host') ?? new URL(request.url).host, hostOf(deps.publicUrl)];
  if (origin !== null && own.includes(origin)) return;
  throw new ApiProblem(
    403,
    'foreign-origin',
    'A change by somebody who is signed in with a browser must come from the page itself.',
  );
}

// Compared without the scheme: a proxy in front may terminate TLS.
function hostOf(address: string | undefined): string | null {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : null;
}

async function identify(c: Context, deps: ApiDeps): Promise<Credential | null> {
  const { sql, now, guesses } = deps;
  const authorization = c.req.header('authorization');
  const [, token] = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '') ?? [];
  if (token !== undefined) {
    const given = { secret: token, way: 'token' } as const;
    return await guesses.check(c, given, async () => await findCredential(sql, token, 'token', now()));
  }
  const person = readPerson(c, deps);
  if (person !== null) return await findPerson(sql, person, now());
  const cookie = getCookie(c, sessionCookieOf(deps.publicUrl));
  if (authorization !== undefined || cookie === undefined) return null;
  const given = { secret: cookie, way: 'session' } as const;
  return await guesses.check(c, given, async () => await findCredential(sql, cookie, 'session', now()));
}
