import { createRoute, z } from '@hono/zod-openapi';
import type { BooksDeps } from '../../books/books-deps.ts';
import { chooseMarkets } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { marketsParam } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import { pricingTypes } from '../../core/offer.ts';
import { countOlder, deleteOlder, type OlderSummary, sumOf } from './delete-older.ts';
import { refusingDeletion } from './stored-books.routes.ts';

const counts = {
  rows: z.int(),
  bytes: z.int().openapi({ description: 'Without indexes', example: 48_211_040 }),
};

const OlderSchema = z
  .object({
    deleted: z.boolean().openapi({ description: 'false: a dry run, nothing was changed' }),
    before: moment,
    ...counts,
    tables: z
      .array(z.object({ what: z.string(), table: z.string().openapi({ example: 'presence' }), ...counts }))
      .openapi({ description: 'By table of the database' }),
    books: z
      .array(
        z.object({
          market: z.string(),
          type: z.enum(pricingTypes),
          from: moment.openapi({ description: 'Moment of the oldest book' }),
          before: moment.openapi({ description: 'Books from then on stay: a Monday, 00:00 UTC' }),
        }),
      )
      .openapi({ description: 'Series of which books go' }),
  })
  .openapi('DeletedOlder');

/** The answer of `DELETE /api/history`. */
export type DeletedOlderAnswer = z.infer<typeof OlderSchema>;

const route = createRoute({
  operationId: 'deleteOlder',
  method: 'delete',
  path: '/api/history',
  tags: ['crawls'],
  summary: 'Delete everything older than a moment, or say what would go; needs the role admin',
  request: {
    query: z.strictObject({
      before: z
        .string()
        .openapi({ description: 'An instant with its zone, or a date (UTC)', example: '2026-05-01' }),
      ...marketsParam,
      confirm: z
        .enum(['true', 'false'])
        .default('false')
        .openapi({ description: 'Without `true` the answer says what would be deleted' }),
    }),
  },
  responses: {
    200: jsonAnswer('What was deleted, or would be', OlderSchema),
    ...problemResponses(400, 401, 403, 409, 503),
  },
});

/** `/api/history`. */
export function mountOlder(app: ApiApp, deps: BooksDeps): void {
  app.openapi(route, async (c) => {
    requireRole(c, 'admin');
    const { sql, now } = deps;
    const query = c.req.valid('query');
    const before = readMomentParam('before', query.before, 'UTC');
    if (before === null || before > now()) throw badField('before', 'must be in the past');
    const marketIds =
      query.market === undefined ? null : (await chooseMarkets(deps, query.market)).map(({ id }) => id);
    const wanted = { before, marketIds };
    const isSure = query.confirm === 'true';
    const summary = isSure
      ? await refusingDeletion(deleteOlder(sql, wanted, { by: c.get('credential').name, at: now() }))
      : await countOlder(sql, wanted);
    return c.json(present(summary, { deleted: isSure, before }), 200);
  });
}

const present = (
  { tables, books }: OlderSummary,
  { deleted, before }: { deleted: boolean; before: Date },
): DeletedOlderAnswer => ({
  deleted,
  before: before.toISOString(),
  ...sumOf(tables),
  tables,
  books: books.map(({ market, type, from, before: stays }) => {
    return { market, type, from: from.toISOString(), before: stays.toISOString() };
  }),
});
