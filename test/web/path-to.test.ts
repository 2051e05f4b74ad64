import { describe, expect, expectTypeOf, it } from 'vitest';
import type { StandingOrders, Status } from '../../client/client.js';
import { getOrder, getStatus, listOrders, listWatches } from '../../client/operations.js';
import { pathTo, type TypedPath, valuesOf } from '../../web/core/path-to.ts';

const query = new URLSearchParams('market=vast&market=a+b&limit=5&other=1');

describe('the path of a read', () => {
  it('has the parameters in its path or query: lists repeated, those without a value left out', () => {
    expect(pathTo(getStatus, {})).toBe('/api/status');
    expect(pathTo(listOrders, { limit: 100, cursor: undefined })).toBe('/api/orders?limit=100');
    expect(pathTo(getOrder, { id: 'a/b' })).toBe('/api/orders/a%2Fb');
    const path = pathTo(listWatches, valuesOf(query, ['market', 'limit', 'cursor']));
    expect(path).toBe('/api/watches?market=vast&market=a+b&limit=5');
  });

  it('has the type of the answer', () => {
    expectTypeOf(pathTo(listOrders, {})).toEqualTypeOf<TypedPath<StandingOrders>>();
    expectTypeOf(pathTo(listOrders, {})).not.toExtend<TypedPath<Status>>();
    expectTypeOf('/api/orders').not.toExtend<TypedPath<StandingOrders>>();
  });

  it('takes no parameter that the operation does not have', () => {
    type Accepted<Params extends { limit: number }> = Parameters<typeof pathTo<typeof listOrders, Params>>[1];
    type Right = { limit: number };
    type Wrong = { limit: number; limt: number };
    expectTypeOf<Right>().toExtend<Accepted<Right>>();
    expectTypeOf<Wrong>().not.toExtend<Accepted<Wrong>>();
  });
});
