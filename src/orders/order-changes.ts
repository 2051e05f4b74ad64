import { isDeepStrictEqual } from 'node:util';
import type { z } from '@hono/zod-openapi';
import { ApiProblem, badField, nameTaken, orNoSuch } from '../core/http/problem.ts';
import type { Db } from '../database/connection.ts';
import type { Actor } from '../rentals/actor.ts';
import { lockAudit } from '../rentals/audit.sql.ts';
import { openStates } from '../rentals/rental.ts';
import { listAttempts } from './attempts.sql.ts';
import { bodyOfOrder, checkedOrder, placeChoices, storedRequest } from './checked-order.ts';
import { requestOfOrder } from './make-attempt.ts';
import type { OrderFields, OrderState, StandingOrder } from './order.ts';
import type { DryRunAnswer } from './order-answers.ts';
import type { NewOrder, OrderChangeSchema } from './order-body.ts';
import { recordStep } from './order-steps.ts';
import {
  deleteOrder,
  findOrder,
  insertOrder,
  isOrderNameTaken,
  lockOrder,
  type OrderRow,
  replaceOrder,
} from './orders.sql.ts';
import { tryOrder } from './try-order.ts';

export interface OrderActor {
  actor: Actor;
  publicUrl: string;
  /** The name of the token. */
  by: string;
}

type Range = { from?: string | undefined; to?: string | undefined };

/** Stores a new order as a draft. Throws a 400 for what cannot be rented, and a 409 for a taken name. */
export async function addOrder({ actor, by }: OrderActor, body: NewOrder): Promise<StandingOrder> {
  const { sql, market, now } = actor;
  const { request, fields } = await checkedOrder(actor, body);
  const id = actor.newId();
  const row: OrderRow = {
    ...fields,
    ...storedRequest(actor, request),
    id,
    marketId: market.id,
    state: 'draft',
    reason: null,
    waitingFor: null,
    waitingReason: null,
    createdBy: by,
    createdAt: now(),
    armedAt: null,
    dryRun: null,
    judgedBooks: null,
  };
  if (!(await insertOrder(sql, row))) throw nameTaken('an order', fields.name);
  return await known(sql, id);
}

/** Changes an order that is not armed. Its dry run is kept only if nothing changes that it depends on. */
export async function editOrder(
  { actor }: OrderActor,
  id: string,
  body: z.output<typeof OrderChangeSchema>,
): Promise<StandingOrder> {
  const before = await known(actor.sql, id);
  const { request, fields } = await checkedOrder(actor, {
    ...bodyOfOrder(actor, before),
    ...(JSON.parse(JSON.stringify(body)) as Partial<NewOrder>),
  });
  const decides = ({ count, endsAt, budgetUsd, choices }: OrderFields) => ({
    count,
    endsAt,
    budgetUsd,
    choices,
  });
  const isSame =
    isDeepStrictEqual(decides(before), decides(fields)) &&
    isDeepStrictEqual(requestOfOrder(actor, before), request);
  return await actor.sql.begin(async (tx) => {
    const order = orNoSuch(await lockOrder(tx, id), 'order');
    if (order.state === 'armed') throw armed('change');
    if (await isOrderNameTaken(tx, { id, marketId: order.marketId, name: fields.name }))
      throw nameTaken('an order', fields.name);
    await replaceOrder(tx, id, {
      ...fields,
      ...storedRequest(actor, request),
      ...(isSame ? {} : { dryRun: null }),
    });
    return await known(tx, id);
  });
}

/** Runs an order over the past and keeps the result, without which it cannot be armed. */
export async function tryStored({ actor }: OrderActor, id: string, range: Range): Promise<DryRunAnswer> {
  const { sql, market } = actor;
  const order = await known(sql, id);
  const choices = await placeChoices(actor, order.choices);
  const answer = await tryOrder(actor, {
    marketId: market.id,
    fields: order,
    choices,
    request: order.request,
    range,
  });
  await sql.begin(async (tx) => {
    const now = await lockOrder(tx, id);
    // What was changed meanwhile has not been tried.
    if (now !== null && isDeepStrictEqual(now, order)) await replaceOrder(tx, id, { dryRun: answer });
  });
  return answer;
}

/** Runs an order that is not stored over the past. */
export async function tryNew({ actor }: OrderActor, body: NewOrder, range: Range): Promise<DryRunAnswer> {
  const { request, fields } = await checkedOrder(actor, body);
  const choices = await placeChoices(actor, fields.choices);
  return await tryOrder(actor, { marketId: actor.market.id, fields, choices, request, range });
}

const armable: readonly OrderState[] = ['draft', 'paused', 'filled', 'expired', 'out-of-budget', 'failed'];

/** Arms an order. Throws a 409 if its dry run is missing, its time over, or it has all of its machines. */
export async function armOrder({ actor, by, publicUrl }: OrderActor, id: string): Promise<StandingOrder> {
  const at = actor.now();
  return await actor.sql.begin(async (tx) => {
    const order = await held(tx, id);
    if (order.state === 'armed') return order;
    if (order.dryRun === null) {
      throw new ApiProblem(
        409,
        'dry-run-needed',
        'It has no dry run with its present fields: run one, see what it would have rented, and arm it then.',
      );
    }
    if (order.endsAt <= at) throw badField('endsAt', 'is over: change it first');
    const words = `it is armed for ${order.count} ${order.count === 1 ? 'machine' : 'machines'}`;
    const set = { state: 'armed' as const, reason: null, waitingFor: null, waitingReason: null };
    const change = { from: armable, set: { ...set, armedAt: at, judgedBooks: null } };
    await recordStep(tx, order, { step: 'armed', words, by, at, change }, publicUrl);
    return await known(tx, id);
  });
}

/** Pauses an armed order: nothing more is begun for it. */
export async function pauseOrder({ actor, by, publicUrl }: OrderActor, id: string): Promise<StandingOrder> {
  return await actor.sql.begin(async (tx) => {
    const order = await held(tx, id);
    if (order.state !== 'armed' && order.state !== 'paused')
      throw new ApiProblem(409, 'conflict', `It is ${order.state}: only an armed order can be paused.`);
    const set = { state: 'paused' as const, reason: null, waitingFor: null, waitingReason: null };
    const step = { step: 'paused', words: 'it is paused', by, at: actor.now() };
    await recordStep(tx, order, { ...step, change: { from: ['armed'], set } }, publicUrl);
    return await known(tx, id);
  });
}

/** Deletes an order; its rentals stay. Throws a 409 while it is armed or a rental of it is unclear. */
export async function removeOrder({ actor, by, publicUrl }: OrderActor, id: string): Promise<void> {
  await actor.sql.begin(async (tx) => {
    const order = await held(tx, id);
    if (order.state === 'armed') throw armed('delete');
    const unclear = (await listAttempts(tx, order)).some(
      ({ outcome, rental }) => outcome === 'open' || (rental !== null && openStates.includes(rental.state)),
    );
    if (unclear)
      throw new ApiProblem(409, 'conflict', 'A rental of it is not settled yet: delete it afterwards.');
    const store = async (): Promise<void> => void (await deleteOrder(tx, id));
    const step = { step: 'deleted', words: 'it was deleted', by, at: actor.now(), notifies: false, store };
    await recordStep(tx, order, step, publicUrl);
  });
}

const known = async (db: Db, id: string): Promise<StandingOrder> =>
  orNoSuch(await findOrder(db, id), 'order');

/** Locks an order for a step: audit log first, as everywhere, so that two transactions never deadlock. */
async function held(tx: Db, id: string): Promise<StandingOrder> {
  await lockAudit(tx);
  return orNoSuch(await lockOrder(tx, id), 'order');
}

const armed = (what: string): ApiProblem =>
  new ApiProblem(409, 'conflict', `It is armed: pause it, then ${what} it.`);
