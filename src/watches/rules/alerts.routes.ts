import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readPage } from '../../core/http/cursor.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { marketsParam, pageParams, rangeParams } from '../../core/http/query.ts';
import { jsonAnswer, pageOf } from '../../core/http/route-parts.ts';
import { readRange } from '../../core/http/time-range.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { listMarketAlerts } from './alerts.sql.ts';
import { ruleKinds } from './rule.ts';

const MarketAlertSchema = z
  .object({
    id: z.string(),
    market: z.string().openapi({ description: 'Whose book or event fired it' }),
    at: z.string().openapi({ format: 'date-time', description: "The book's moment, or the event's" }),
    title: z.string(),
    value: z.number().nullable(),
    ruleId: z.string(),
    kind: z.string().openapi({ enum: [...ruleKinds] }),
    watchId: z.string().nullable().openapi({ description: 'null: a rule over events' }),
    gpuNames: z
      .array(z.string())
      .openapi({ description: 'Models that the watch names; empty: all, or no watch' }),
    listingId: z
      .string()
      .nullable()
      .openapi({ description: 'Of the offer that it names; null: it names none' }),
    suppressed: z.string().nullable().openapi({
      description: 'Why it was not sent: `daily-cap` or `no-channel`; null: it was sent, or waits',
    }),
    undeliveredTo: z.array(z.string()).openapi({
      description:
        'Channels to which sending it failed or was refused, by name; empty: it was sent, or waits',
    }),
  })
  .openapi('MarketAlert');

/** An item of `GET /api/alerts`. */
export type MarketAlertAnswer = z.infer<typeof MarketAlertSchema>;

const listRoute = createRoute({
  operationId: 'listAlerts',
  method: 'get',
  path: '/api/alerts',
  tags: ['rules'],
  summary: 'Alerts of all rules in markets, the newest first; default: of the last 30 days',
  request: { query: z.strictObject({ ...marketsParam, ...rangeParams, ...pageParams }) },
  responses: {
    200: jsonAnswer('A page of alerts', pageOf(MarketAlertSchema, 'MarketAlerts')),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `/api/alerts`. */
export function mountAlerts(app: ApiApp, deps: WatchesDeps): void {
  app.openapi(listRoute, async (c) => {
    const { market, limit, ...asked } = c.req.valid('query');
    const marketIds = (await chooseMarkets(deps, market)).map(({ id }) => id);
    // Some alerts belong to no book, so the range ends at the clock.
    const range = readRange(asked, null, deps.now());
    const page = await readPage(c, limit, {
      after: z.string(),
      read: (after, count) => listMarketAlerts(deps.sql, { marketIds, ...range, after, limit: count }),
      keyOf: ({ id }) => id,
    });
    const items = page.items.map((alert) => ({ ...alert, at: alert.at.toISOString() }));
    return c.json({ ...page, items }, 200);
  });
}
