import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type Client, createClient, type Offers } from 'offerbook/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

interface Operation {
  operationId: string;
  parameters?: ({ $ref: string } | { name: string; in: string; required: boolean; example: unknown })[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
}
const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as {
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, { name: string; in: string; required: boolean; example: unknown }>;
  };
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

let test: TestApp;
let requests: { method: string; path: string }[];

/** A client of the app; with `requests` of it. */
const clientOf = (token: string | null): Client =>
  createClient({
    baseUrl: 'http://localhost/',
    token,
    fetch: async (address, init) => {
      requests.push({ method: init.method ?? '', path: new URL(address).pathname });
      return await test.app.request(address, init);
    },
  });
beforeAll(async () => {
  test = await createTestApp();
  requests = [];
  await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', [
    makeOffer(1, { gpuName: 'RTX 4090' }),
    makeOffer(2, { gpuName: 'H100 SXM' }),
  ]);
});

describe('the client', () => {
  it('reads with parameters, of which undefined ones are left out and lists are repeated', async () => {
    const client = clientOf(test.tokens.viewer);
    const { items }: Offers = await client.listOffers({ gpuName: ['RTX 4090'], limit: 5, cursor: undefined });
    expect(items.map(({ offerId, gpuName }) => [offerId, gpuName])).toEqual([[1, 'RTX 4090']]);
    const both = await client.listOffers({ gpuName: ['RTX 4090', 'H100 SXM'] });
    expect(both.items).toHaveLength(2);
  });

  it('changes with a body and a path, and resolves to null without content', async () => {
    const client = clientOf(test.tokens.operator);
    const made = await client.createWatch({ body: { name: 'cheap', filters: { gpuName: ['RTX 4090'] } } });
    const changed = await client.updateWatch({ id: made.id, body: { top: 5 } });
    expect([changed.name, changed.top]).toEqual(['cheap', 5]);
    expect(await client.deleteWatch({ id: made.id })).toBeNull();
    expect((await client.listWatches()).items).toEqual([]);
  });

  it('rejects with the problem, its name and its fields', async () => {
    const failing = clientOf(test.tokens.viewer).listOffers({ minReliability: 2 });
    const error = await failing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: 'ApiError', status: 400, kind: 'invalid-request' });
    expect((error as ApiError).problem?.errors?.map(({ name }) => name)).toEqual(['minReliability']);
    await expect(clientOf(null).getStatus()).rejects.toMatchObject({
      status: 401,
      kind: 'not-authenticated',
    });
    await expect(clientOf(test.tokens.viewer).startCrawl()).rejects.toMatchObject({ kind: 'role-too-low' });
  });

  it('sends an idempotency key as its header', async () => {
    const body = { offerId: 1, image: 'ubuntu:24.04', diskGb: 10 };
    const sent: unknown[] = [];
    const client = createClient({
      fetch: async (_, { headers }) => {
        sent.push(headers);
        return new Response('{}', { headers: { 'content-type': 'application/json' } });
      },
    });
    await client.rentInstance({ body, idempotencyKey: 'night-7' });
    expect(sent).toEqual([
      { accept: expect.any(String), 'content-type': 'application/json', 'idempotency-key': 'night-7' },
    ]);
  });

  it('resolves to the response itself where that is a file, and to text in other formats', async () => {
    const client = clientOf(test.tokens.operator);
    const file = await client.exportTable({ file: 'offers.csv' });
    expect(await file.text()).toContain('RTX 4090');
    const { id } = await client.createWatch({ body: { name: 'text' } });
    expect(await client.createWatchReport({ id, body: { format: 'md' } })).toContain('RTX 4090');
    await client.deleteWatch({ id });
  });

  it('stops with its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const fetching = createClient({ baseUrl: 'http://127.0.0.1:1' }).getStatus({}, { signal });
    await expect(fetching).rejects.toThrow('enough');
  });
});

describe('every operation', () => {
  it('has a function, and no function is left over', () => {
    const { open: _, ...functions } = clientOf(null);
    expect(Object.keys(functions).sort()).toEqual(
      operations.map(({ operation }) => operation.operationId).sort(),
    );
  });

  it.each(
    operations.map(
      ({ method, path, operation }) => [operation.operationId, method, path, operation] as const,
    ),
  )('%s sends its example to %s %s', async (name, method, path, operation) => {
    const parameters = (operation.parameters ?? []).map((each) =>
      '$ref' in each ? document.components.parameters[each.$ref.split('/').at(-1) ?? ''] : each,
    );
    const required = parameters.filter((each) => each?.required === true);
    const params = Object.fromEntries(required.map((each) => [each?.name, each?.example]));
    const body = operation.requestBody?.content['application/json'].example;
    const call = clientOf(test.tokens.feed)[name as 'getStatus'] as (params: object) => Promise<unknown>;
    requests = [];
    // The role reaches no handler that changes something; the route has answered, whatever it said.
    const error = await call({ ...params, ...(body === undefined ? {} : { body }) }).catch(
      (reason) => reason,
    );
    if (error instanceof ApiError) expect(error.problem?.detail).not.toContain('No such address');
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    expect(requests.map((request) => request.method)).toEqual([method]);
    expect(requests[0]?.path).toMatch(pattern);
  });
});
