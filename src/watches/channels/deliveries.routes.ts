import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readPage } from '../../core/http/cursor.ts';
import { ApiProblem, orNoSuch, problemResponses } from '../../core/http/problem.ts';
import { pageParams } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, moment, pageOf } from '../../core/http/route-parts.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { deliveryStates } from './channel.ts';
import { type Delivery, findDelivery, listDeliveries, queueAgain } from './deliveries.sql.ts';
import { NoticeSchema } from './notice-schema.ts';

const DeliverySchema = z
  .object({
    id: z.string().openapi({ description: 'The same in every retry' }),
    channelId: z.string(),
    channelName: z.string(),
    kind: z.string(),
    title: z.string(),
    watchId: z.string().nullable(),
    ruleId: z.string().nullable(),
    state: z.enum(deliveryStates).openapi({
      description: '`refused`: for good, at once; `failed`: after 24 hours of attempts',
    }),
    attempts: z.int(),
    createdAt: moment,
    replayedAt: moment
      .nullable()
      .openapi({ description: 'When somebody last had it sent again; null: never' }),
    firstAttemptAt: moment.nullable().openapi({
      description:
        'When its 24 hours began: at its own first attempt, or that of an earlier delivery that delayed it',
    }),
    nextAttemptAt: moment.nullable().openapi({ description: 'null: ended' }),
    endedAt: moment.nullable(),
    problem: z.string().nullable().openapi({ description: 'Why the last attempt failed' }),
  })
  .openapi('Delivery');

/** An item of `GET /api/deliveries`. */
export type DeliveryAnswer = z.infer<typeof DeliverySchema>;

const WholeDeliverySchema = DeliverySchema.extend({
  notice: NoticeSchema.openapi({ description: 'The message' }),
}).openapi('WholeDelivery');

const tags = ['channels'];
const whole = (description: string) => jsonAnswer(description, WholeDeliverySchema);

const listRoute = createRoute({
  operationId: 'listDeliveries',
  method: 'get',
  path: '/api/deliveries',
  tags,
  summary: 'Sent and queued deliveries, the newest first',
  request: {
    query: z.strictObject({
      channelId: z.uuid().optional().openapi({ description: 'Only of this channel' }),
      state: z.enum(deliveryStates).optional(),
      ...pageParams,
    }),
  },
  responses: {
    200: jsonAnswer('A page of deliveries', pageOf(DeliverySchema, 'Deliveries')),
    ...problemResponses(400, 401, 403, 503),
  },
});
const readRoute = createRoute({
  operationId: 'getDelivery',
  method: 'get',
  path: '/api/deliveries/{id}',
  tags,
  summary: 'One delivery with its notice',
  request: byId,
  responses: { 200: whole('The delivery'), ...problemResponses(400, 401, 403, 404, 503) },
});
const againRoute = createRoute({
  operationId: 'resendDelivery',
  method: 'post',
  path: '/api/deliveries/{id}/resend',
  tags,
  summary: 'Send an ended delivery again, with the same id; needs the role operator',
  request: byId,
  responses: {
    202: whole('It is at the end of the queue'),
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

/** `/api/deliveries`. */
export function mountDeliveries(app: ApiApp, deps: WatchesDeps): void {
  const { sql, now } = deps;
  const read = async (id: string) => {
    const delivery = orNoSuch(await findDelivery(sql, id), 'delivery');
    const { notice } = delivery;
    return {
      ...present(delivery),
      notice: { ...notice, lines: [...notice.lines], data: { ...notice.data } },
    };
  };
  app.openapi(listRoute, async (c) => {
    const { limit, channelId = null, state = null } = c.req.valid('query');
    const page = await readPage(c, limit, {
      after: z.string(),
      read: (after, count) => listDeliveries(sql, { channelId, state, after, limit: count }),
      keyOf: ({ id }) => id,
    });
    return c.json({ ...page, items: page.items.map(present) }, 200);
  });
  app.openapi(readRoute, async (c) => c.json(await read(c.req.valid('param').id), 200));
  app.openapi(againRoute, async (c) => {
    requireRole(c, 'operator');
    const { id } = c.req.valid('param');
    await read(id);
    if (!(await queueAgain(sql, id, now()))) {
      throw new ApiProblem(409, 'conflict', 'This delivery is queued already.');
    }
    await deps.deliver();
    return c.json(await read(id), 202);
  });
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function present(delivery: Delivery): DeliveryAnswer {
  const { id, channelId, channelName, kind, title, watchId, ruleId, state, attempts, problem } = delivery;
  return {
    id,
    channelId,
    channelName,
    kind,
    title,
    watchId,
    ruleId,
    state,
    attempts,
    problem,
    createdAt: delivery.createdAt.toISOString(),
    replayedAt: iso(delivery.replayedAt),
    firstAttemptAt: iso(delivery.firstAttemptAt),
    nextAttemptAt: iso(delivery.nextAttemptAt),
    endedAt: iso(delivery.endedAt),
  };
}
