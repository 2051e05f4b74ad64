import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { marketParam } from '../../core/http/query.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { takeSpendMoment } from '../../rentals/spend-moment.sql.ts';
import type { SpendDeps } from '../spend-deps.ts';
import { spendZone } from '../spend-request.ts';
import { readUntil } from '../sums.sql.ts';
import { projectionFields } from './budgets.routes.ts';
import { readSpendProjection } from './spend-projection.ts';

const ProjectionSchema = z
  .object({
    market: z.string(),
    timeZone: z.string(),
    asOf: moment,
    ...projectionFields,
    readUntil: z
      .object({ invoices: moment.nullable(), charges: moment.nullable() })
      .openapi({ description: 'When the newest complete syncs began; null: never synced' }),
  })
  .openapi('SpendProjection');

/** The answer of `GET /api/spend/projection`. */
export type SpendProjectionAnswer = z.infer<typeof ProjectionSchema>;

const route = createRoute({
  operationId: 'getSpendProjection',
  method: 'get',
  path: '/api/spend/projection',
  tags: ['spend'],
  summary: "This month's spend so far, and at the month's end if the burn rate stays until known ends",
  request: {
    query: z.strictObject({
      ...marketParam,
      timeZone: spendZone
        .optional()
        .openapi({ description: 'Time zone of the month. Default: TZ of the service' }),
    }),
  },
  responses: {
    200: jsonAnswer('All labels together', ProjectionSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/spend/projection`. */
export function mountProjection(app: ApiApp, deps: SpendDeps): void {
  app.openapi(route, async (c) => {
    const { market: name, timeZone = deps.timeZone ?? 'UTC' } = c.req.valid('query');
    const market = await chooseMarket(deps, name);
    const asOf = await takeSpendMoment(deps.sql, market.id, deps.now);
    const [projection, until] = await Promise.all([
      readSpendProjection(deps.sql, { marketId: market.id, timeZone }, asOf),
      readUntil(deps.sql, market.id, asOf),
    ]);
    return c.json(
      {
        market: market.name,
        timeZone,
        asOf: asOf.toISOString(),
        ...projection,
        from: projection.from.toISOString(),
        to: projection.to.toISOString(),
        readUntil: {
          invoices: until.invoices?.toISOString() ?? null,
          charges: until.charges?.toISOString() ?? null,
        },
      },
      200,
    );
  });
}
