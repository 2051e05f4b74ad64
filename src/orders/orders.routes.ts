import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../books/choose-market.ts';
import type { ApiApp } from '../core/http/api-app.ts';
import { readPage } from '../core/http/cursor.ts';
import { orNoSuch, problemResponses } from '../core/http/problem.ts';
import { marketParam, pageParams } from '../core/http/query.ts';
import { requireRole } from '../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, noQuery, pageOf } from '../core/http/route-parts.ts';
import { listAttempts } from './attempts.sql.ts';
import type { StandingOrder } from './order.ts';
import { DryRunSchema, type OrderAnswer, OrderSchema, presentOrder } from './order-answers.ts';
import { DryRunBodySchema, NewOrderSchema, OrderChangeSchema, TriedOrderSchema } from './order-body.ts';
import {
  addOrder,
  armOrder,
  editOrder,
  type OrderActor,
  pauseOrder,
  removeOrder,
  tryNew,
  tryStored,
} from './order-changes.ts';
import { findOrder, listOrders } from './orders.sql.ts';
import type { OrdersDeps } from './orders-deps.ts';

const tags = ['orders'];
const path = '/api/orders/{id}';
const theOrder = jsonAnswer('The order as it is now', OrderSchema);

const listRoute = createRoute({
  operationId: 'listOrders',
  method: 'get',
  path: '/api/orders',
  tags,
  summary: 'The standing orders of a market, the oldest first',
  request: { query: z.strictObject({ ...marketParam, ...pageParams }) },
  responses: {
    200: jsonAnswer('A page of orders', pageOf(OrderSchema, 'StandingOrders')),
    ...problemResponses(400, 401, 403, 503),
  },
});
const addRoute = createRoute({
  operationId: 'createOrder',
  method: 'post',
  path: '/api/orders',
  tags,
  summary: 'Add a standing order as a draft; needs the role operator',
  request: { query: noQuery, body: jsonBody(NewOrderSchema) },
  responses: { 201: jsonAnswer('The new order', OrderSchema), ...problemResponses(400, 401, 403, 409, 503) },
});
const tryRoute = createRoute({
  operationId: 'dryRunNewOrder',
  method: 'post',
  path: '/api/orders/dry-run',
  tags,
  summary: 'What an order would have rented over the past; nothing is stored',
  request: { query: noQuery, body: jsonBody(TriedOrderSchema) },
  responses: { 200: jsonAnswer('Its rents', DryRunSchema), ...problemResponses(400, 401, 403, 409, 503) },
});
const readRoute = createRoute({
  operationId: 'getOrder',
  method: 'get',
  path,
  tags,
  summary: 'One standing order with its attempts',
  request: byId,
  responses: { 200: jsonAnswer('The order', OrderSchema), ...problemResponses(400, 401, 403, 404, 503) },
});
const changeRoute = createRoute({
  operationId: 'updateOrder',
  method: 'patch',
  path,
  tags,
  summary: 'Change fields of an order that is not armed; needs the role operator',
  request: { ...byId, body: jsonBody(OrderChangeSchema) },
  responses: { 200: theOrder, ...problemResponses(400, 401, 403, 404, 409, 503) },
});
const deleteRoute = createRoute({
  operationId: 'deleteOrder',
  method: 'delete',
  path,
  tags,
  summary: 'Delete an order that is not armed; needs the role operator',
  request: byId,
  responses: {
    204: { description: 'It is deleted; its rentals stay' },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});
const storedTryRoute = createRoute({
  operationId: 'dryRunOrder',
  method: 'post',
  path: '/api/orders/{id}/dry-run',
  tags,
  summary: 'Run an order over the past, which arming it needs; needs the role operator',
  request: { ...byId, body: jsonBody(DryRunBodySchema) },
  responses: {
    200: jsonAnswer('Its rents, which are kept with the order', DryRunSchema),
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});
const armRoute = createRoute({
  operationId: 'armOrder',
  method: 'post',
  path: '/api/orders/{id}/arm',
  tags,
  summary: 'Arm an order that had its dry run; needs the role operator',
  request: byId,
  responses: { 200: theOrder, ...problemResponses(400, 401, 403, 404, 409, 503) },
});
const pauseRoute = createRoute({
  operationId: 'pauseOrder',
  method: 'post',
  path: '/api/orders/{id}/pause',
  tags,
  summary: 'Pause an armed order: no more rents begin; needs the role operator',
  request: byId,
  responses: { 200: theOrder, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

/** `/api/orders`. */
export function mountOrders(app: ApiApp, deps: OrdersDeps): void {
  const { sql, publicUrl } = deps;
  const present = async (order: StandingOrder): Promise<OrderAnswer> =>
    presentOrder(order, await listAttempts(sql, order));
  const acting = async (c: Parameters<typeof requireRole>[0]): Promise<OrderActor> => {
    const { name } = requireRole(c, 'operator');
    return { actor: await deps.actor(), publicUrl, by: name };
  };
  app.openapi(listRoute, async (c) => {
    const { market, limit } = c.req.valid('query');
    const { id: marketId } = await chooseMarket(deps, market);
    const page = await readPage(c, limit, {
      after: z.string(),
      read: (after, count) => listOrders(sql, { marketId, after, limit: count }),
      keyOf: ({ id }) => id,
    });
    return c.json({ ...page, items: await Promise.all(page.items.map(present)) }, 200);
  });
  app.openapi(addRoute, async (c) =>
    c.json(await present(await addOrder(await acting(c), c.req.valid('json'))), 201),
  );
  app.openapi(tryRoute, async (c) => {
    const { from, to, ...body } = c.req.valid('json');
    const actor = { actor: await deps.actor(), publicUrl, by: c.get('credential').name };
    return c.json(await tryNew(actor, body, { from, to }), 200);
  });
  app.openapi(readRoute, async (c) => {
    const order = orNoSuch(await findOrder(sql, c.req.valid('param').id), 'order');
    return c.json(await present(order), 200);
  });
  app.openapi(changeRoute, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await present(await editOrder(await acting(c), id, c.req.valid('json'))), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    await removeOrder(await acting(c), c.req.valid('param').id);
    return c.body(null, 204);
  });
  app.openapi(storedTryRoute, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await tryStored(await acting(c), id, c.req.valid('json')), 200);
  });
  app.openapi(armRoute, async (c) => {
    const order = await armOrder(await acting(c), c.req.valid('param').id);
    await deps.carryOutSoon();
    return c.json(await present(order), 200);
  });
  app.openapi(pauseRoute, async (c) => {
    return c.json(await present(await pauseOrder(await acting(c), c.req.valid('param').id)), 200);
  });
}
