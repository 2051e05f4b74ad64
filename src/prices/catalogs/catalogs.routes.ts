import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets, requireKnownModels } from '../../books/choose-market.ts';
import { findNewest, latestOf } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, badField, problemResponses } from '../../core/http/problem.ts';
import { marketsParam, rangeParams, readSeries, seriesParams, storableText } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer, moment, noQuery } from '../../core/http/route-parts.ts';
import { readRange } from '../../core/http/time-range.ts';
import { pricingTypes } from '../../core/offer.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { seriesKey } from '../series-key.ts';
import { listCatalogGpus, listMarketModels, listProviders, removeProvider } from './catalogs.sql.ts';
import { readCheapestSteps } from './cheapest-cloud.ts';
import { describeGpus } from './describe-gpus.ts';
import { listPriceFields } from './list-price-schema.ts';

const CatalogsSchema = z
  .object({
    providers: z.array(
      z.object({
        provider: z.string(),
        snapshots: z.int().openapi({ description: 'Moments at which its catalog was read' }),
        firstAsOf: moment,
        asOf: moment.openapi({ description: 'Of the newest snapshot, like the fields after it' }),
        importedAt: moment,
        rows: z.int(),
        leftOut: z.record(z.string(), z.int()).openapi({ description: 'Rows without a price, by reason' }),
        prices: z.int().openapi({ description: 'Prices in force: the cheapest machine of each kind' }),
      }),
    ),
    gpus: z.array(
      z.object({
        name: z.string().openapi({ description: 'As catalogs spell it' }),
        form: z.string().nullable().openapi({ description: '`SXM`, `PCIE` or `NVL`; null: not stated' }),
        providers: z.array(z.string()),
        status: z.enum(['known', 'ambiguous', 'unknown']),
        gpuNames: z.array(z.string()).openapi({ description: 'The models of markets that it may be' }),
      }),
    ),
  })
  .openapi('Catalogs');

/** The answer of `GET /api/catalogs`. */
export type CatalogsAnswer = z.infer<typeof CatalogsSchema>;

const PricesSchema = z
  .object({
    unit: z.literal('USD/GPU/hour'),
    series: z.array(
      z.object({
        key: z.string(),
        market: z.string().optional().openapi({ description: 'Only if several markets were requested' }),
        gpuName: z.string(),
        type: z.enum(pricingTypes),
        steps: z
          .array(z.object({ t: moment, price: z.object(listPriceFields).nullable() }))
          .openapi({ description: 'From `t` until the next step; null: no list price is known' }),
      }),
    ),
  })
  .openapi('CatalogPrices');

/** The answer of `GET /api/catalogs/prices`. */
export type CatalogPricesAnswer = z.infer<typeof PricesSchema>;

const tags = ['prices'];

const listRoute = createRoute({
  operationId: 'listCatalogs',
  method: 'get',
  path: '/api/catalogs',
  tags,
  summary: "Other sellers' catalogs, and what their GPUs are called here",
  request: { query: noQuery },
  responses: { 200: jsonAnswer('All of them', CatalogsSchema), ...problemResponses(400, 401, 403, 503) },
});

const pricesRoute = createRoute({
  operationId: 'getCatalogPrices',
  method: 'get',
  path: '/api/catalogs/prices',
  tags,
  summary: 'The cheapest list price of a model among other sellers, over time',
  request: { query: z.strictObject({ ...marketsParam, ...seriesParams, ...rangeParams }) },
  responses: {
    200: jsonAnswer('One series per market, type and model', PricesSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

const removeRoute = createRoute({
  operationId: 'deleteCatalog',
  method: 'delete',
  path: '/api/catalogs/{provider}',
  tags,
  summary: 'Delete all list prices of a seller; needs the role admin',
  request: { params: z.object({ provider: storableText(100).min(1) }), query: noQuery },
  responses: { 204: { description: 'They are deleted' }, ...problemResponses(401, 403, 404, 503) },
});

/** `/api/catalogs`. */
export function mountCatalogs(app: ApiApp, deps: PricesDeps): void {
  const { sql } = deps;
  app.openapi(listRoute, async (c) => {
    const [providers, named, models] = await Promise.all([
      listProviders(sql),
      listCatalogGpus(sql),
      listMarketModels(sql),
    ]);
    return c.json(
      {
        providers: providers.map((each) => ({
          ...each,
          firstAsOf: each.firstAsOf.toISOString(),
          asOf: each.asOf.toISOString(),
          importedAt: each.importedAt.toISOString(),
        })),
        gpus: describeGpus(named, models),
      },
      200,
    );
  });
  app.openapi(pricesRoute, async (c) => {
    const asked = c.req.valid('query');
    const markets = await chooseMarkets(deps, asked.market);
    const { types, gpuNames } = readSeries(asked, markets.length);
    if (gpuNames.length === 0) throw badField('gpuName', 'is required: list prices are per model');
    const [found] = await Promise.all([
      Promise.all(markets.map(({ id }) => findNewest(sql, id, types))),
      requireKnownModels(deps, markets, gpuNames),
    ]);
    const range = readRange(asked, latestOf(found), deps.now());
    const pairs = types.flatMap((type) => gpuNames.map((gpuName) => ({ type, gpuName })));
    const priced = await Promise.all(
      pairs.map(async ({ type, gpuName }) => ({
        gpuName,
        type,
        steps: (await readCheapestSteps(sql, { type, gpuName, ...range })).map(({ t, price }) => ({
          t: t.toISOString(),
          price,
        })),
      })),
    );
    const count = { markets: markets.length, pairs: pairs.length };
    const series = markets.flatMap(({ name: market }) =>
      priced.map((one) => ({
        key: seriesKey({ market, ...one }, count),
        ...(markets.length > 1 ? { market } : {}),
        ...one,
      })),
    );
    return c.json({ unit: 'USD/GPU/hour' as const, series }, 200);
  });
  app.openapi(removeRoute, async (c) => {
    requireRole(c, 'admin');
    if (!(await removeProvider(sql, c.req.valid('param').provider)))
      throw new ApiProblem(404, 'not-found', 'There are no list prices from this seller.');
    return c.body(null, 204);
  });
}
