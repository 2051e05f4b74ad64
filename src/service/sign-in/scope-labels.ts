import { findOrder } from '../../orders/orders.sql.ts';
import { readInstance } from '../../rentals/instances/ledger.ts';
import { presentInstance } from '../../rentals/instances/ledger-answer.ts';
import type { ApiDeps } from '../http/api-deps.ts';

/** The fields of a body that a scope looks at, as they were sent. */
export type GivenBody = {
  market?: string | string[];
  label?: unknown;
  request?: { label?: unknown };
  volume?: { kind?: unknown };
} | null;

interface Given {
  /** The part of the address behind the collection. */
  id: string;
  body: GivenBody;
}

type Labels = (deps: ApiDeps, given: Given) => Promise<unknown[]>;

// A volume of the account has no label, so it could be somebody else's.
const rented: Labels = async (_, { body }) => [
  body?.label,
  ...(body?.volume?.kind === 'existing' ? [null] : []),
];
const ordered: Labels = async (_, { body }) => [body?.request?.label];

const ofInstance: Labels = async ({ sql, defaultMarket, now }, { id }) => {
  const { id: marketId } = await defaultMarket();
  const found = /^\d{1,15}$/.test(id) ? await readInstance(sql, marketId, Number(id), now()) : null;
  return [found === null ? null : presentInstance(found).label];
};

const ofOrder: Labels = async ({ sql }, { id }) => {
  const found = /^[0-9a-f-]{36}$/.test(id) ? await findOrder(sql, id) : null;
  return [found?.request.label];
};

/** The changes that a token with a label may make, and where each has its labels. */
export const labeled: Readonly<Record<string, Labels>> = {
  createQuote: rented,
  rentInstance: rented,
  stopInstance: ofInstance,
  startInstance: ofInstance,
  destroyInstance: ofInstance,
  extendInstance: ofInstance,
  updateInstance: async (deps, given) => [
    ...(await ofInstance(deps, given)),
    ...(given.body !== null && 'label' in given.body ? [given.body.label] : []),
  ],
  createOrder: ordered,
  updateOrder: async (deps, given) => [
    ...(await ofOrder(deps, given)),
    ...(given.body?.request === undefined ? [] : await ordered(deps, given)),
  ],
  deleteOrder: ofOrder,
  dryRunOrder: ofOrder,
  armOrder: ofOrder,
  pauseOrder: ofOrder,
};

/** Returns the labels of what a request would change; null: a token with a label may not make this change at all. */
export const labelsOf = async (deps: ApiDeps, operationId: string, given: Given): Promise<unknown[] | null> =>
  (await labeled[operationId]?.(deps, given)) ?? null;
