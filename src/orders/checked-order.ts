import { ApiProblem, badField } from '../core/http/problem.ts';
import { readMomentParam } from '../core/http/time-range.ts';
import type { Actor } from '../rentals/actor.ts';
import { hasSecrets, instanceRequestOf, publicRequest } from '../rentals/rent/rent-request.ts';
import { typesOfWatch } from '../watches/watch.ts';
import { requireChannels } from '../watches/watch-changes.ts';
import { findPlacedWatch } from '../watches/watches.sql.ts';
import { requestOfOrder } from './make-attempt.ts';
import {
  type OrderChoice,
  type OrderFields,
  type OrderRequest,
  type PlacedChoice,
  type StandingOrder,
  typeOfChoice,
} from './order.ts';
import type { NewOrder } from './order-body.ts';

/** Returns an order's fields and request from a body. Throws a 400 for what can never be rented. */
export async function checkedOrder(
  actor: Actor,
  { request: given, endsAt: end, choices: wanted, ...body }: NewOrder,
): Promise<{ fields: OrderFields; request: OrderRequest }> {
  // Without the absent fields, so that equal requests are equal when stored.
  const request = plain<OrderRequest>(given);
  const choices = plain<OrderChoice[]>(wanted);
  await requireChannels(actor.sql, body.channelIds);
  await placeChoices(actor, choices);
  if (choices.some(({ bid }) => bid !== undefined) && actor.account.changeBid === null)
    throw badField('choices.bid', `cannot be used: Offerbook cannot change bids on ${actor.market.name}`);
  const endsAt = readMomentParam('endsAt', end, 'UTC');
  if (endsAt === null || endsAt <= actor.now()) throw badField('endsAt', 'must be in the future');
  if (body.budgetUsd !== null && (request.maxHours === undefined || request.endAction !== 'destroy')) {
    throw badField(
      'budgetUsd',
      'needs `request.maxHours` and `request.endAction` `destroy`, so that it is known what a machine costs at most',
    );
  }
  const [problem] = actor.account.rules.findCreateProblems(0, instanceRequestOf(request));
  if (problem !== undefined) throw badField('request', `cannot be rented: ${problem}`);
  return { request, fields: { ...body, channelIds: [...new Set(body.channelIds)], choices, endsAt } };
}

const plain = <T>(value: unknown): T => JSON.parse(JSON.stringify(value)) as T;

/** Returns choices with their watches. Throws a 400 for a watch that cannot be rented by. */
export async function placeChoices(
  { sql, market }: Pick<Actor, 'sql' | 'market'>,
  choices: readonly OrderChoice[],
): Promise<PlacedChoice[]> {
  const placed: PlacedChoice[] = [];
  for (const choice of choices) {
    const field = 'choices.watchId';
    const watch = await findPlacedWatch(sql, choice.watchId);
    if (watch === null) throw badField(field, 'names no watch: `offerbook watch list` shows all');
    if (!watch.places.some(({ marketId }) => marketId === market.id))
      throw badField(field, `names a watch that does not follow ${market.name}, where Offerbook rents`);
    const type = typeOfChoice(choice);
    if (!typesOfWatch(watch.filters).includes(type))
      throw badField(field, `names a watch without ${type === 'bid' ? 'interruptible' : type} offers`);
    if (choice.minIndexFall !== undefined && (watch.filters.gpuName ?? []).length === 0)
      throw badField(field, 'names a watch without GPU models, which `minIndexFall` needs');
    placed.push({ ...choice, watch });
  }
  return placed;
}

/** Returns the columns of a request. Throws a 409 for secrets that cannot be stored here. */
export function storedRequest(
  { sealer }: Pick<Actor, 'sealer'>,
  request: OrderRequest,
): Pick<StandingOrder, 'request' | 'sealedRequest'> {
  const secret = hasSecrets(request);
  if (secret && sealer === undefined)
    throw new ApiProblem(409, 'conflict', 'An environment or script cannot be stored here.');
  return {
    request: publicRequest(request) as StandingOrder['request'],
    sealedRequest: secret ? (sealer?.seal(JSON.stringify(request)) ?? null) : null,
  };
}

/** Returns the body that would make an order as it is. */
export const bodyOfOrder = (actor: Pick<Actor, 'sealer'>, order: StandingOrder): NewOrder => ({
  name: order.name,
  count: order.count,
  endsAt: order.endsAt.toISOString(),
  budgetUsd: order.budgetUsd,
  choices: order.choices.map((choice) => ({ ...choice })) as NewOrder['choices'],
  request: requestOfOrder(actor, order) as NewOrder['request'],
  channelIds: [...order.channelIds],
});
