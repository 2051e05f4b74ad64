import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readPage } from '../../core/http/cursor.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { marketParam, pageParams, storableLine } from '../../core/http/query.ts';
import { jsonAnswer, moment, pageOf } from '../../core/http/route-parts.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { placeOf } from './ended.sql.ts';
import { readSearch } from './ended-search.ts';
import { type InstanceDetail, readInstanceDetail } from './instance-detail.ts';
import { oneInstance } from './instances.routes.ts';
import { noSuchInstance } from './known-instance.ts';
import { readEnded } from './ledger.ts';
import { LedgerInstanceSchema, presentInstance } from './ledger-answer.ts';

const tags = ['acting'];
const text = z.string().nullable();
const figure = z.number().nullable();

const endedRoute = createRoute({
  operationId: 'listEndedInstances',
  method: 'get',
  path: '/api/instances/ended',
  tags,
  summary:
    'Instances that ended, whoever rented them, and rentals with which nothing was rented, the newest first',
  request: {
    query: z.strictObject({
      ...marketParam,
      ...pageParams,
      search: storableLine(200).optional().openapi({
        description:
          'Words that all occur in its label, ids, model, machine, host or country, by code or English name',
      }),
    }),
  },
  responses: {
    200: jsonAnswer('A page of them', pageOf(LedgerInstanceSchema, 'EndedInstances')),
    ...problemResponses(400, 401, 403, 503),
  },
});

const MachineSchema = z
  .object({
    listingId: z.int(),
    observedAt: moment,
    country: text,
    verification: text,
    reliability: figure.openapi({ description: '0 to 1' }),
    gpuRamMb: figure.openapi({ description: 'Of one GPU' }),
  })
  .openapi('InstanceMachine');

const EqualSchema = z
  .object({
    offerId: z.int(),
    machineId: z.int(),
    usdPerHour: z.number().openapi({ description: "With the instance's disk" }),
    savesUsdPerHour: z.string(),
    country: text,
    verification: text,
    reliability: figure.openapi({ description: '0 to 1' }),
    hostEndsAt: text.openapi({
      format: 'date-time',
      description: 'As of the newest book; null: the market does not say',
    }),
    problem: text.openapi({
      description: 'Why it cannot be rented with the settings of the instance; null: it can',
    }),
  })
  .openapi('EqualOffer');

const OtherRentalSchema = z
  .object({
    rentalId: z.string(),
    instanceId: z.int().nullable(),
    state: z.string(),
    reason: text,
    label: text,
    endedAt: text.openapi({ format: 'date-time' }),
  })
  .openapi('RelatedRental');

const DetailSchema = z
  .object({
    instance: LedgerInstanceSchema,
    machine: MachineSchema.nullable().openapi({
      description: 'As it was last offered; null: it never was',
    }),
    states: z
      .array(z.object({ at: moment, state: z.string(), reason: text }).openapi('InstanceState'))
      .openapi({ description: 'Of the ledger, the oldest first; empty: rented elsewhere' }),
    statuses: z
      .array(
        z
          .object({
            at: moment,
            actualStatus: text,
            intendedStatus: text,
            gone: z.boolean().openapi({ description: 'A list lacked it' }),
          })
          .openapi('ListedStatus'),
      )
      .openapi({ description: "As the market's lists showed them, the oldest first" }),
    prices: z
      .array(
        z
          .object({
            from: moment,
            computing: z.boolean().openapi({ description: 'Its GPUs are billed, not only its disk' }),
            usdPerHour: text,
            baseUsdPerHour: text,
            storageUsdPerHour: text,
          })
          .openapi('PriceStep'),
      )
      .openapi({ description: 'What it is billed from a moment on, the oldest first' }),
    actions: z
      .array(
        z
          .object({
            at: moment,
            by: z.string(),
            action: z.string(),
            outcome: text.openapi({ description: '`accepted`, an answer, or null: not known' }),
            detail: z.record(z.string(), z.unknown()),
          })
          .openapi('InstanceAction'),
      )
      .openapi({ description: 'Of the audit log, the oldest first' }),
    equal: EqualSchema.nullable().openapi({
      description: 'The cheapest equal machine of the newest book that costs less; null: none does',
    }),
    replaces: OtherRentalSchema.nullable().openapi({ description: 'The rental that it replaces' }),
    replacement: OtherRentalSchema.nullable().openapi({ description: 'The newest rental in its place' }),
  })
  .openapi('InstanceDetail');

const detailRoute = createRoute({
  operationId: 'getInstance',
  method: 'get',
  path: '/api/instances/{id}',
  tags,
  summary: 'One instance, listed or gone, with its timeline, its machine and an equal one that costs less',
  request: { ...oneInstance, query: z.strictObject(marketParam) },
  responses: {
    200: jsonAnswer('The instance; of each part of its timeline the newest 500 entries', DetailSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

/** `GET /api/instances/ended` and `GET /api/instances/{id}`. */
export function mountInstanceDetail(app: ApiApp, deps: RentalsDeps): void {
  const { sql, now, outlierTests } = deps;
  app.openapi(endedRoute, async (c) => {
    const { market, limit, search = '' } = c.req.valid('query');
    const { id: marketId } = await chooseMarket(deps, market);
    const page = await readPage(c, limit, {
      after: z.string(),
      read: (after, count) => readEnded(sql, { marketId, after, limit: count, ...readSearch(search) }, now()),
      keyOf: ({ key }) => placeOf(key),
    });
    return c.json({ ...page, items: page.items.map(({ ended }) => presentInstance(ended)) }, 200);
  });
  app.openapi(detailRoute, async (c) => {
    const instanceId = Number(c.req.valid('param').id);
    const market = await chooseMarket(deps, c.req.valid('query').market);
    const sealer = await deps.actor().then(
      (actor) => actor.sealer,
      () => undefined,
    );
    const detail = await readInstanceDetail({ sql, market, outlierTests, sealer }, instanceId, now());
    if (detail === null) throw noSuchInstance(instanceId);
    return c.json(presentDetail(detail), 200);
  });
}

type DetailAnswer = z.infer<typeof DetailSchema>;

function presentDetail(detail: InstanceDetail): DetailAnswer {
  const { shown, machine, replaces, replacement, equal } = detail;
  return {
    instance: presentInstance(shown),
    machine: machine === null ? null : { ...machine, observedAt: machine.observedAt.toISOString() },
    states: detail.states.map(({ at, ...state }) => ({ at: at.toISOString(), ...state })),
    statuses: detail.statuses.map(({ at, ...status }) => ({ at: at.toISOString(), ...status })),
    prices: detail.prices.map(({ from, ...price }) => ({ from: from.toISOString(), ...price })),
    actions: detail.actions.map(({ at, ...action }) => ({ at: at.toISOString(), ...action })),
    equal:
      equal === null
        ? null
        : EqualSchema.parse({ ...equal, hostEndsAt: equal.hostEndsAt?.toISOString() ?? null }),
    replaces: replaces === null ? null : presentRelated(replaces),
    replacement: replacement === null ? null : presentRelated(replacement),
  };
}

const presentRelated = ({
  id,
  instanceId,
  state,
  reason,
  label,
  endedAt,
}: NonNullable<InstanceDetail['replacement']>): DetailAnswer['replacement'] => ({
  rentalId: id,
  instanceId,
  state,
  reason,
  label,
  endedAt: endedAt?.toISOString() ?? null,
});
