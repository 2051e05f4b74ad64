import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import { sumCloudCosts } from '../market/cloud-costs.ts';
import { notComparedReasons, sumNotCompared } from '../market/not-compared.ts';
import { compareAllWithMarket, sumComparisons } from '../market/spend-vs-market.ts';
import { presentRange } from '../spend.routes.ts';
import type { SpendDeps } from '../spend-deps.ts';
import { readSpendScope, spendParams } from '../spend-request.ts';
import { differenceStatuses, reconcile, reconciliationKinds } from './reconcile-spend.ts';

const usd = z.string();
const rate = z.number().nullable();
const compared = usd
  .nullable()
  .openapi({ description: 'null: nothing can be compared, `unattributable` says why' });
const overLowest = usd.nullable().openapi({
  description: 'Paid above the lowest price of each hour that is no outlier; the minimum where all are',
});
const atCloud = usd.nullable().openapi({
  description:
    'At the cheapest list price of other sellers, and what was paid for these hours; null: none is known',
});
const range = { market: z.string(), from: moment, to: moment, timeZone: z.string(), asOf: moment };

const VsMarketSchema = z
  .object({
    ...range,
    total: z
      .object({
        paidUsd: usd,
        comparedUsd: compared,
        overMedianUsd: compared,
        overMinUsd: compared,
        overLowestUsd: overLowest,
        savedUsd: usd.nullable().openapi({
          description:
            'How much less was possible: the `savedUsd` of all cheaper equal machines; null: no instance can be compared',
        }),
      })
      .openapi({ description: 'All instances together; null: none can be compared' }),
    cloud: z
      .object({
        cloudUsd: atCloud,
        cloudComparedUsd: atCloud,
        notComparedUsd: usd.openapi({ description: 'Paid for hours that have no list price' }),
        notComparedInstances: z.int().openapi({ description: 'Instances without any list price' }),
      })
      .openapi({ description: 'Totals of the same hours at the cheapest cloud' }),
    notCompared: z
      .object({
        consumptionUsd: usd.openapi({ description: 'All consumption of the range, charged and estimated' }),
        amountUsd: usd.openapi({ description: '`consumptionUsd` without `total.comparedUsd`' }),
        parts: z.array(
          z.object({
            reason: z.enum(notComparedReasons).openapi({
              description:
                '`unpriced` (hours without a market price), `disk` (while no GPU was charged, such as of a stopped instance), `traffic`, `volume`, `estimated` (not charged so far) or `other`',
            }),
            amountUsd: usd,
            instances: z.array(
              z.object({ instanceId: z.int().nullable(), label: z.string().nullable(), amountUsd: usd }),
            ),
          }),
        ),
      })
      .openapi({ description: 'What of the consumption is not compared, and why' }),
    items: z.array(
      z.object({
        instanceId: z.int().nullable(),
        source: z.string().nullable(),
        label: z.string().nullable(),
        gpuName: z.string().nullable(),
        numGpus: z.int().nullable(),
        type: z.enum(pricingTypes).nullable(),
        storageGb: rate,
        paidUsd: usd,
        comparedUsd: compared,
        overMedianUsd: compared,
        overMinUsd: compared,
        overLowestUsd: overLowest,
        cloudUsd: atCloud,
        cloudComparedUsd: atCloud,
        unattributable: z.string().nullable(),
        cheaperEqual: z
          .object({
            machineId: z.int(),
            listingId: z.string().openapi({ description: 'The listing that was cheaper' }),
            usdPerHour: z.number(),
            since: moment,
            until: moment.nullable(),
            savedUsd: usd.openapi({
              description:
                'How much less the charged time would have cost there while it was offered, a lower bound',
            }),
            offeredSeconds: z.int().openapi({
              description:
                'Charged seconds in which it was seen on offer, until the last book that showed it, of those of `hours`',
            }),
          })
          .nullable(),
        hours: z.array(
          z.object({
            t: moment,
            seconds: z.number(),
            paidUsd: usd,
            paidUsdPerGpuHour: rate,
            medianUsdPerGpuHour: rate,
            minUsdPerGpuHour: rate,
            lowestUsdPerGpuHour: rate,
            overMedianUsd: usd.nullable(),
            overMinUsd: usd.nullable(),
            overLowestUsd: usd.nullable(),
            cloudUsdPerGpuHour: rate,
            cloudUsd: usd.nullable(),
          }),
        ),
      }),
    ),
  })
  .openapi('SpendVsMarket');

/** The answer of `GET /api/spend/vs-market`. */
export type SpendVsMarketAnswer = z.infer<typeof VsMarketSchema>;

const ReconciliationSchema = z
  .object({
    ...range,
    items: z.array(
      z.object({
        kind: z.enum(reconciliationKinds),
        subject: z.string(),
        from: moment,
        to: moment,
        expectedUsd: usd,
        actualUsd: usd,
        differenceUsd: usd,
        reason: z.string(),
        status: z.enum(differenceStatuses).openapi({
          description:
            '`unexplained`, `explained`, `pending` (the bills of that time are still to come), `withinPolls` (no more than the time between two polls of the account explains) or `credit` (paid in and not used, or used and not paid in, in that month)',
        }),
      }),
    ),
  })
  .openapi('SpendReconciliation');

/** The answer of `GET /api/spend/reconciliation`. */
export type SpendReconciliationAnswer = z.infer<typeof ReconciliationSchema>;

const query = z.strictObject(spendParams);
const vsMarketRoute = createRoute({
  operationId: 'compareSpendWithMarket',
  method: 'get',
  path: '/api/spend/vs-market',
  tags: ['spend'],
  summary: 'Each charged hour compared with the market in that hour',
  request: { query },
  responses: {
    200: jsonAnswer('One item per instance', VsMarketSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});
const reconciliationRoute = createRoute({
  operationId: 'reconcileSpend',
  method: 'get',
  path: '/api/spend/reconciliation',
  tags: ['spend'],
  summary: 'Differences between charges, invoices, entered balances and the ledger, with their reasons',
  request: { query },
  responses: {
    200: jsonAnswer('One line per difference', ReconciliationSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `/api/spend/vs-market` and `/api/spend/reconciliation`. */
export function mountSpendChecks(app: ApiApp, deps: SpendDeps): void {
  app.openapi(vsMarketRoute, async (c) => {
    const { market, ...scope } = await readSpendScope(deps, c.req.valid('query'));
    const { items: compared, others } = await compareAllWithMarket(deps.sql, scope);
    const items = compared.map(({ hours, cheaperEqual, ...item }) => ({
      ...item,
      cheaperEqual:
        cheaperEqual === null
          ? null
          : {
              ...cheaperEqual,
              listingId: String(cheaperEqual.listingId),
              since: cheaperEqual.since.toISOString(),
              until: cheaperEqual.until?.toISOString() ?? null,
            },
      hours: hours.map(({ t, ...hour }) => ({ ...hour, t: t.toISOString() })),
    }));
    return c.json(
      {
        ...presentRange(market, scope),
        total: sumComparisons(items),
        cloud: sumCloudCosts(items),
        notCompared: sumNotCompared(items, others),
        items,
      },
      200,
    );
  });
  app.openapi(reconciliationRoute, async (c) => {
    const { market, ...scope } = await readSpendScope(deps, c.req.valid('query'));
    const items = (await reconcile(deps.sql, scope)).map((item) => ({
      ...item,
      from: item.from.toISOString(),
      to: item.to.toISOString(),
    }));
    return c.json({ ...presentRange(market, scope), items }, 200);
  });
}
