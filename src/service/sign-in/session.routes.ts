import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { jsonBody, noQuery } from '../../core/http/route-parts.ts';
import { writeAudit } from '../../rentals/audit.sql.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { cookiePathOf, requireOwnOrigin, sessionCookieOf } from './authenticate.ts';
import { endSession, findCredential } from './credentials.sql.ts';
import { sessionDays, sessionMs } from './session-life.ts';
import { beginSession, type NewSession, signInEntry } from './sign-in-audit.sql.ts';

const begin = createRoute({
  operationId: 'createSession',
  method: 'post',
  path: '/api/session',
  tags: ['session'],
  summary: "Exchange a token for the page's session cookie",
  security: [],
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({ token: z.string().min(1).max(500) })
        .openapi('Login', { example: { token: 'the-token-that-start-prints' } }),
    ),
  },
  responses: {
    204: {
      description: `The cookie is set; it is valid for ${sessionDays} days, or until the token is revoked`,
    },
    ...problemResponses(400, 401, 403, 429, 503),
  },
});

const end = createRoute({
  operationId: 'endSession',
  method: 'delete',
  path: '/api/session',
  tags: ['session'],
  summary: 'Log out: end the session of the cookie',
  request: { query: noQuery },
  responses: {
    204: { description: 'The session has ended and the cookie is deleted' },
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `/api/session`. */
export function mountSession(app: ApiApp, deps: ApiDeps): void {
  app.openapi(begin, async (c) => {
    // Another site must not sign a browser in here either.
    if (c.req.header('origin') !== undefined) requireOwnOrigin(deps, c.req);
    const { token } = c.req.valid('json');
    const given = { secret: token, way: 'token' } as const;
    const credential = await deps.guesses.check(c, given, async () =>
      findCredential(deps.sql, token, 'token', deps.now()),
    );
    if (credential === null) throw new ApiProblem(401, 'not-authenticated', 'This is not a valid token.');
    const { id: tokenId, name, role } = credential;
    await giveSession(c, deps, { role, tokenId, name, way: 'token' });
    return c.body(null, 204);
  });
  app.openapi(end, async (c) => {
    const name = sessionCookieOf(deps.publicUrl);
    const secret = getCookie(c, name);
    const ended = secret === undefined ? null : await endSession(deps.sql, secret);
    if (ended !== null) {
      const entry = { ...ended, at: deps.now(), way: 'session', address: deps.addressOf(c) } as const;
      await writeAudit(deps.sql, signInEntry(entry, 'sign-out'));
    }
    deleteCookie(c, name, {
      path: cookiePathOf(deps.publicUrl),
      secure: deps.publicUrl.startsWith('https:'),
    });
    return c.body(null, 204);
  });
}

/** Begins a session, with an audit entry, and sets its cookie on the response. */
export async function giveSession(
  c: Context,
  { sql, now, publicUrl, addressOf }: ApiDeps,
  session: NewSession,
): Promise<void> {
  const secret = await beginSession(sql, session, { at: now(), address: addressOf(c) });
  setCookie(c, sessionCookieOf(publicUrl), secret, {
    path: cookiePathOf(publicUrl),
    httpOnly: true,
    sameSite: 'Strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: sessionMs / 1000,
  });
}
