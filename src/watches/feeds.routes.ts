import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { chooseMarkets } from '../books/choose-market.ts';
import type { ApiApp } from '../core/http/api-app.ts';
import { ApiProblem, noSuch, problemResponses } from '../core/http/problem.ts';
import { marketsParam, storableText } from '../core/http/query.ts';
import { feedFormats, renderDealsFeed } from './deals-feed.ts';
import type { Watch } from './watch.ts';
import { findWatch, findWatchesByName } from './watches.sql.ts';
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
    operationId: { rss: 'getRssFeed', atom: 'getAtomFeed', json: 'getJsonFeed' }[format],
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
        ...marketsParam,
      }),
    },
    responses: {
      200: { description: 'The feed', content: { [contentTypes[format]]: { schema: z.string() } } },
      ...problemResponses(400, 401, 403, 404, 429, 503),
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
      const [watch, ...others] = byId === null ? await findByName(which, market) : [byId];
      if (watch === undefined) throw noSuch('watch');
      const text = await renderDealsFeed(deps, [watch, ...others], format, {
        now: now(),
        address: `${publicUrl}/api/feeds/deals.${format}?${addressedBy(watch, others.length > 0 ? market : [])}`,
        namesMarkets: (market?.length ?? 0) > 1,
      });
      return c.body(text, 200, { 'content-type': contentTypes[format] });
    });
  }

  async function findByName(name: string, markets: readonly string[] | undefined): Promise<Watch[]> {
    const ids = (await chooseMarkets(deps, markets)).map(({ id }) => id);
    return await findWatchesByName(sql, ids, name);
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

/** Returns a feed's own parameters: without the token, because feeds get copied. */
const addressedBy = ({ id, name }: Watch, markets: readonly string[] = []): string =>
  markets.length === 0
    ? `watch=${id}`
    : String(new URLSearchParams([['watch', name], ...markets.map((market) => ['market', market])]));
