import type { Context } from 'hono';
import { html } from 'hono/html';
import type { ApiApp } from '../../core/http/api-app.ts';
import { basePathOf } from '../../core/http/base-path.ts';
import type { Role } from '../../core/http/credential.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { programCommand } from '../../core/program-file.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { explainLoginCode, redeemLoginCode } from './credentials.sql.ts';
import { giveSession } from './session.routes.ts';

const reasons = {
  used: 'This login link was already used. Each link works once, so that nobody else can use it.',
  expired: 'This login link has expired. A link is valid for 10 minutes.',
  unknown: 'This login link is not valid. Check that you copied all of it.',
  missing: 'This login link has no code. Check that you copied all of it.',
} as const;

/**
 * `GET /login?code=`: sets the session cookie and goes on to the page. It is a page instead of a redirect, because a
 * browser that comes from another site would follow a redirect without the strict cookie.
 */
export function mountLogin(app: ApiApp, deps: ApiDeps): void {
  const basePath = basePathOf(deps.publicUrl);
  app.get('/login', async (c) => {
    c.header('Cache-Control', 'no-store');
    const code = c.req.query('code');
    // A link preview that sends HEAD must not use up the code.
    if (c.req.method === 'HEAD') return c.html(refusal(basePath, reasons.unknown), 200);
    if (code === undefined || code === '') return c.html(refusal(basePath, reasons.missing), 401);
    const found = await redeem(c, deps, code);
    if (found instanceof ApiProblem) return c.html(refusal(basePath, found.message), 429);
    if (found === null) {
      return c.html(refusal(basePath, reasons[await explainLoginCode(deps.sql, code, deps.now())]), 401);
    }
    await giveSession(c, deps, { role: found, tokenId: null, name: 'login link', way: 'login link' });
    return c.html(signedIn(basePath));
  });
}

/** Returns the role of a code, null for one that is of no use, and the problem of a client that has to wait. */
async function redeem(c: Context, deps: ApiDeps, code: string): Promise<Role | ApiProblem | null> {
  try {
    const given = { secret: code, way: 'login link' } as const;
    return await deps.guesses.check(c, given, async () => redeemLoginCode(deps.sql, code, deps.now()));
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 429) return error;
    throw error;
  }
}

const document = (
  basePath: string,
  title: string,
  moveTo: string | null,
  body: unknown,
) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${moveTo === null ? '' : html`<meta http-equiv="refresh" content="0;url=${moveTo}" />`}
    <title>${title}</title>
    <link rel="stylesheet" href="${basePath}/plain.css" />
  </head>
  <body>
    <main>${body}</main>
  </body>
</html>
`;

const signedIn = (basePath: string) =>
  document(
    basePath,
    'Offerbook',
    `${basePath}/`,
    html`<p>You are logged in.</p>
      <p><a href="${basePath}/">Open the page</a></p>`,
  );

const refusal = (basePath: string, reason: string) =>
  document(
    basePath,
    'Offerbook: not logged in',
    null,
    html`<h1>Not logged in</h1>
      <p>${reason}</p>
      <p>To get another, run this where Offerbook is installed, and open the link that it prints:</p>
      <pre><code>${programCommand()} token login</code></pre>
      <p><a href="${basePath}/">Open the page</a>: with a token you can log in there too, and if this browser is logged in already, it opens at once.</p>`,
  );
