import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { chooseMarket } from '../books/choose-market.ts';
import type { ApiApp } from '../core/http/api-app.ts';
import { ApiProblem, noSuch, problemResponses } from '../core/http/problem.ts';
import { marketParam, storableText } from '../core/http/query.ts';
import { feedFormats, renderDealsFeed } from './deals-feed.ts';
import { findWatch, findWatchByName } from './watches.sql.ts';
import type { WatchesDeps } from './watches-deps.ts';

const contentTypes = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
} as const;

/** Paths that accept a token in the address. */
export const isFeedPath = (path: string): boolean => path.startsWith('/api/feeds/');

const routeOf = (format: (typeof feedFormats)[number]) =>
  createRoute({
    method: 'get',
    path: `/api/feeds/deals.${format}` as const,
    tags: ['watches'],
    security: [],
    summary: `A watch's deals as ${{ rss: 'RSS', atom: 'Atom', json: 'JSON Feed' }[format]}`,
    request: {
      query: z.strictObject({
        watch: storableText(200).min(1).openapi({ description: 'Its id or its name' }),
        token: z.string().min(1).max(200).optional().openapi({
          description: 'A token with the role `feed`; other tokens are accepted in the header only',
        }),
        ...marketParam,
      }),
    },
    responses: {
      200: { description: 'The feed', content: { [contentTypes[format]]: { schema: z.string() } } },
      ...problemResponses(400, 401, 403, 404, 503),
    },
  });

/** `/api/feeds/deals.{rss,atom,json}`. */
export function mountFeeds(app: ApiApp, deps: WatchesDeps): void {
  const { sql, now, publicUrl } = deps;
  for (const format of feedFormats) {
    app.openapi(routeOf(format), async (c) => {
      const { watch: which, token, market } = c.req.valid('query');
      await requireReader(c, token, c.req.header('authorization'));
      const byId = z.uuid().safeParse(which).success ? await findWatch(sql, which) : null;
      const watch = byId ?? (await findWatchByName(sql, (await chooseMarket(deps, market)).id, which));
      if (watch === null) throw noSuch('watch');
      // Without the token, because feeds get copied.
      const address = `${publicUrl}/api/feeds/deals.${format}?watch=${watch.id}`;
      const text = await renderDealsFeed(deps, watch, format, { now: now(), address });
      return c.body(text, 200, { 'content-type': contentTypes[format] });
    });
  }

  async function requireReader(
    c: Context,
    token: string | undefined,
    authorization: string | undefined,
  ): Promise<void> {
    const [, bearer] = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '') ?? [];
    const secret = token ?? bearer ?? '';
    const found = secret === '' ? null : await deps.findReader(c, secret);
    // Addresses end up in histories and logs, so a token with more rights is refused here.
    if (found !== null && (token === undefined || found.role === 'feed')) return;
    throw new ApiProblem(401, 'not-authenticated', 'Send `token`: a token with the role feed.');
  }
}
