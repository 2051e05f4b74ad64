import { html } from 'hono/html';
import type { ApiApp } from '../../core/http/api-app.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { redeemLoginCode } from './credentials.sql.ts';
import { giveSession } from './session.routes.ts';

/**
 * `GET /login?code=`: sets the session cookie and goes on to the page. It is a page instead of a redirect, because a
 * browser that comes from another site would follow a redirect without the strict cookie.
 */
export function mountLogin(app: ApiApp, deps: ApiDeps): void {
  app.get('/login', async (c) => {
    c.header('Cache-Control', 'no-store');
    const code = c.req.query('code');
    // A link preview that sends HEAD must not use up the code.
    const isPreview = c.req.method === 'HEAD';
    const role =
      code === undefined || isPreview
        ? null
        : await deps.guesses.check(c, code, async () => redeemLoginCode(deps.sql, code, deps.now()));
    if (role === null) {
      const text =
        'This link was already used or has expired. Create another with: npx offerbook token login';
      return c.html(document('Offerbook: not logged in', text, null), isPreview ? 200 : 401);
    }
    await giveSession(c, deps, { role, tokenId: null });
    return c.html(document('Offerbook', 'You are logged in.', '/'));
  });
}

const document = (title: string, text: string, moveTo: string | null) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${moveTo === null ? '' : html`<meta http-equiv="refresh" content="0;url=${moveTo}" />`}
    <title>${title}</title>
  </head>
  <body>
    <p>${text}</p>
    <p><a href="/">Open the page</a></p>
  </body>
</html>
`;
