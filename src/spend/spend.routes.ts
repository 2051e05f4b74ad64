import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../core/http/api-app.ts';
import { problemResponses } from '../core/http/problem.ts';
import { jsonAnswer, moment } from '../core/http/route-parts.ts';
import { readAdjustments, readSpend } from './read-spend.ts';
import type { SpendDeps } from './spend-deps.ts';
import { spendBases, spendCategories, spendGroupings } from './spend-grouping.ts';
import { readSpendScope, spendParams } from './spend-request.ts';

const usd = z.string().openapi({ description: 'US dollars, decimal text, exact', example: '12.345678' });
const money = {
  category: z.enum(spendCategories),
  basis: z.enum(spendBases),
  amountUsd: usd.openapi({
    description: 'Exact; consumption is positive, money paid in is negative',
  }),
  entries: z.int(),
};
const range = { market: z.string(), from: moment, to: moment, timeZone: z.string(), asOf: moment };
const groupKey = z.string().nullable();

export const BalanceSchema = z
  .object({
    at: moment.nullable().openapi({ description: 'The time up to which both kinds of bills are synced' }),
    amountUsd: usd.nullable(),
    reason: z.string().nullable().openapi({ description: 'Why it is unknown' }),
    statement: z.object({ at: moment, amountUsd: usd }).nullable(),
  })
  .openapi('Balance');

const SpendSchema = z
  .object({
    ...range,
    groupBy: z.enum(spendGroupings),
    stackBy: z.enum(spendGroupings).nullable(),
    items: z.array(z.object({ key: groupKey, subkey: groupKey, ...money })),
    instances: z
      .array(
        z.object({
          instanceId: z.int(),
          label: z.string().nullable(),
          gpuName: z.string().nullable(),
          numGpus: z.int().nullable(),
        }),
      )
      .openapi({
        description: 'What the instances of the keys are called; empty unless grouped by instance',
      }),
    totals: z.array(z.object(money)),
    before: z
      .object({
        from: moment,
        to: moment,
        consumptionUsd: usd,
        changeUsd: usd,
        changePercent: z.number().nullable().openapi({ description: 'null: nothing was spent before' }),
        firstSpendAt: moment
          .nullable()
          .openapi({ description: "When the account's first known consumption began; null: none is known" }),
        isCovered: z.boolean().openapi({
          description:
            'Whether what is known begins before the period or within its first twentieth: else the change is no fair one',
        }),
      })
      .nullable()
      .openapi({
        description:
          'Consumption, charged and estimated, of the period before, and the change since. Of a range that is not over, the part so far is compared; null: it has not begun',
      }),
    disappeared: z.object({ entries: z.int(), amountUsd: usd }).openapi({
      description: 'Entries that the market no longer lists; in no sum',
    }),
    months: z
      .array(z.object({ month: z.string(), closedAt: moment, adjustmentUsd: usd }))
      .openapi({ description: 'Closed months of the range, with what has changed since their close' }),
    readUntil: z.object({ invoices: moment.nullable(), charges: moment.nullable() }),
    balance: BalanceSchema,
  })
  .openapi('Spend');

/** The answer of `GET /api/spend`. */
export type SpendAnswer = z.infer<typeof SpendSchema>;

const AdjustmentsSchema = z
  .object({
    ...range,
    items: z.array(
      z.object({
        month: z.string(),
        closedAt: moment,
        seenAt: moment,
        entryId: z.string(),
        category: z.enum(spendCategories),
        basis: z.enum(spendBases),
        change: z.enum(['added', 'changed', 'disappeared']),
        start: moment,
        type: groupKey,
        source: groupKey,
        service: groupKey,
        closedUsd: usd,
        amountUsd: usd,
        adjustmentUsd: usd,
      }),
    ),
  })
  .openapi('SpendAdjustments');

/** The answer of `GET /api/spend/adjustments`. */
export type SpendAdjustmentsAnswer = z.infer<typeof AdjustmentsSchema>;

const spendRoute = createRoute({
  operationId: 'getSpend',
  method: 'get',
  path: '/api/spend',
  tags: ['spend'],
  summary: 'Spend by group and in total',
  request: {
    query: z.strictObject({
      ...spendParams,
      groupBy: z.enum(spendGroupings).default('month'),
      stackBy: z
        .enum(spendGroupings)
        .optional()
        .openapi({ description: 'A second grouping within the first' }),
    }),
  },
  responses: {
    200: jsonAnswer('Exact sums', SpendSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

const adjustmentsRoute = createRoute({
  operationId: 'listSpendAdjustments',
  method: 'get',
  path: '/api/spend/adjustments',
  tags: ['spend'],
  summary: 'What changed in months after they were closed',
  request: { query: z.strictObject(spendParams) },
  responses: {
    200: jsonAnswer('One line per entry and month', AdjustmentsSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `/api/spend` and the routes of its months. */
export function mountSpend(app: ApiApp, deps: SpendDeps): void {
  app.openapi(spendRoute, async (c) => {
    const { groupBy, stackBy = null, ...asked } = c.req.valid('query');
    const { market, ...scope } = await readSpendScope(deps, asked);
    const report = await readSpend(deps.sql, scope, { groupBy, stackBy });
    return c.json(
      {
        ...presentRange(market, scope),
        groupBy,
        stackBy,
        items: report.items,
        instances: report.instances,
        totals: report.totals,
        before:
          report.before === null
            ? null
            : {
                ...report.before,
                from: report.before.from.toISOString(),
                to: report.before.to.toISOString(),
                firstSpendAt: report.before.firstSpendAt?.toISOString() ?? null,
              },
        disappeared: report.disappeared,
        months: report.months.map(({ month, closedAt, adjustmentUsd }) => ({
          month,
          closedAt: closedAt.toISOString(),
          adjustmentUsd,
        })),
        readUntil: {
          invoices: report.readUntil.invoices?.toISOString() ?? null,
          charges: report.readUntil.charges?.toISOString() ?? null,
        },
        balance: presentBalance(report.balance),
      },
      200,
    );
  });
  app.openapi(adjustmentsRoute, async (c) => {
    const { market, ...scope } = await readSpendScope(deps, c.req.valid('query'));
    const items = (await readAdjustments(deps.sql, scope)).map((item) => ({
      ...item,
      closedAt: item.closedAt.toISOString(),
      seenAt: item.seenAt.toISOString(),
      start: item.start.toISOString(),
    }));
    return c.json({ ...presentRange(market, scope), items }, 200);
  });
}

/** Returns the fields that all responses about a range of spend start with. */
export const presentRange = (
  market: string,
  { from, to, timeZone, asOf }: { from: Date; to: Date; timeZone: string; asOf: Date },
) => ({
  market,
  from: from.toISOString(),
  to: to.toISOString(),
  timeZone,
  asOf: asOf.toISOString(),
});

/** Returns a balance for responses. */
export const presentBalance = ({
  at,
  statement,
  ...rest
}: Awaited<ReturnType<typeof readSpend>>['balance']): z.infer<typeof BalanceSchema> => ({
  ...rest,
  at: at?.toISOString() ?? null,
  statement: statement === null ? null : { ...statement, at: statement.at.toISOString() },
});
