import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ApiApp } from '../../core/http/api-app.ts';
import type { Role } from '../../core/http/credential.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { jsonBody, noQuery } from '../../core/http/route-parts.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { requireOwnOrigin, sessionCookieOf } from './authenticate.ts';
import { createSession, endSession, findCredential } from './credentials.sql.ts';
import { sessionDays, sessionMs } from './session-life.ts';

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
    const credential = await deps.guesses.check(c, token, async () =>
      findCredential(deps.sql, token, 'token', deps.now()),
    );
    if (credential === null) throw new ApiProblem(401, 'not-authenticated', 'This is not a valid token.');
    await giveSession(c, deps, { role: credential.role, tokenId: credential.id });
    return c.body(null, 204);
  });
  app.openapi(end, async (c) => {
    const name = sessionCookieOf(deps.publicUrl);
    const secret = getCookie(c, name);
    if (secret !== undefined) await endSession(deps.sql, secret);
    deleteCookie(c, name, { path: '/', secure: deps.publicUrl.startsWith('https:') });
    return c.body(null, 204);
  });
}

/** Begins a session and sets its cookie on the response. */
export async function giveSession(
  c: Context,
  { sql, now, publicUrl }: ApiDeps,
  session: { role: Role; tokenId: string | null },
): Promise<void> {
  const secret = await createSession(sql, session, now());
  setCookie(c, sessionCookieOf(publicUrl), secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: sessionMs / 1000,
  });
}
