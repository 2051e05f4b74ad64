import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../src/core/http/credential.ts';
import type { DryRunAnswer, OrderAnswer } from '../../src/orders/order-answers.ts';
import { createTestAccount, type TestAccount } from '../rentals/test-account.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';
import { carryOut, makeWatch, orderBody } from './test-orders.ts';

let account: TestAccount;
let test: TestApp;
const sealer = {
  seal: (text: string) => Buffer.from(text).toString('base64'),
  open: (text: string) => Buffer.from(text, 'base64').toString(),
};

beforeAll(async () => {
  test = await createTestApp({
    actor: async () => account.actor,
    defaultMarket: async () => account.actor.market,
    now: () => account.clock.now,
  });
});

beforeEach(async () => {
  account = await createTestAccount(test.sql);
  account.actor = { ...account.actor, sealer };
  await account.crawl();
});

async function send(method: string, path: string, body?: object, role: Role = 'operator'): Promise<Response> {
  return await test.app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${test.tokens[role]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const read = async <T>(answer: Response, status = 200): Promise<T> => {
  expect(answer.status).toBe(status);
  return (await answer.json()) as T;
};

describe('standing orders over the API', () => {
  it('are added, tried, armed, carried out, paused, changed and deleted; secrets stay secret', async () => {
    const request = { image: 'ubuntu:24.04', diskGb: 20, env: { HF_TOKEN: 'hf-very-secret' } };
    const body = await orderBody(account, { count: 2, request });
    const made = await read<OrderAnswer>(await send('POST', '/api/orders', body), 201);
    expect(made).toMatchObject({ state: 'draft', machines: 0, dryRun: null, request: { env: ['HF_TOKEN'] } });
    const path = `/api/orders/${made.id}`;
    expect((await readProblem(await send('POST', `${path}/arm`), 409)).type).toContain('dry-run-needed');
    const dry = await read<DryRunAnswer>(await send('POST', `${path}/dry-run`, {}));
    expect(dry).toMatchObject({ books: 1, wouldRent: 2, state: 'filled' });
    expect(await read<OrderAnswer>(await send('POST', `${path}/arm`))).toMatchObject({
      state: 'armed',
      dryRun: dry,
    });
    expect((await readProblem(await send('PATCH', path, { count: 3 }), 409)).detail).toContain('pause it');
    await readProblem(await send('DELETE', path), 409);
    await carryOut(account.actor);
    const text = await (await send('GET', path, undefined, 'viewer')).text();
    expect(text).not.toContain('hf-very-secret');
    const now = JSON.parse(text) as OrderAnswer;
    expect(now).toMatchObject({ state: 'armed', waitingFor: 'rentals', machines: 2, committedUsd: null });
    expect(now.attempts.map(({ outcome, rentalState }) => [outcome, rentalState])).toEqual(
      Array(2).fill(['rented', 'provisioning']),
    );
    expect(account.simulator.instances().map(({ env }) => env)).toEqual(
      Array(2).fill(expect.objectContaining({ HF_TOKEN: 'hf-very-secret' })),
    );
    expect(await read<OrderAnswer>(await send('POST', `${path}/pause`))).toMatchObject({
      state: 'paused',
      waitingFor: null,
    });
    // A name needs no new dry run, a price does.
    expect(await read<OrderAnswer>(await send('PATCH', path, { name: 'renamed' }))).toMatchObject({
      name: 'renamed',
      dryRun: dry,
    });
    expect(await read<OrderAnswer>(await send('PATCH', path, { count: 3 }))).toMatchObject({
      count: 3,
      dryRun: null,
    });
    const { items } = await read<{ items: OrderAnswer[] }>(await send('GET', '/api/orders'));
    expect(items.map(({ id }) => id)).toEqual([made.id]);
    expect((await send('DELETE', path)).status).toBe(204);
    await readProblem(await send('GET', path), 404);
    expect(account.simulator.instances()).toHaveLength(2);
  });

  it('are tried without being stored, and need the role of whoever rents', async () => {
    const body = await orderBody(account, { count: 3 });
    const from = new Date(account.clock.now.getTime() - 3_600_000).toISOString();
    const dry = await read<DryRunAnswer>(
      await send('POST', '/api/orders/dry-run', { ...body, from }, 'viewer'),
    );
    expect(dry).toMatchObject({ wouldRent: 3, medianHoursToRent: 1, from });
    expect(dry.rents[0]?.usdPerGpuHour).toBeGreaterThan(0);
    for (const [method, path] of [
      ['POST', '/api/orders'],
      ['PATCH', '/api/orders/019a2d5c-0000-7000-8000-000000000000'],
    ] as const)
      await readProblem(await send(method, path, method === 'POST' ? body : { count: 1 }, 'viewer'), 403);
    for (const path of ['arm', 'pause', 'dry-run'])
      await readProblem(
        await send(
          'POST',
          `/api/orders/019a2d5c-0000-7000-8000-000000000000/${path}`,
          path === 'dry-run' ? {} : undefined,
          'viewer',
        ),
        403,
      );
  });

  it('are refused with the field that is wrong', async () => {
    const watchId = (await makeWatch(account)).id;
    const bids = (await makeWatch(account, { type: ['bid'] })).id;
    const wrong: [object, string][] = [
      [{ choices: [{ watchId }] }, 'choices.maxUsdPerGpuHour'],
      [
        { choices: [{ watchId: '019a2d5c-0000-7000-8000-000000000000', maxUsdPerGpuHour: 1 }] },
        'choices.watchId',
      ],
      [{ choices: [{ watchId: bids, maxUsdPerGpuHour: 1 }] }, 'choices.watchId'],
      [{ choices: [{ watchId, maxUsdPerGpuHour: 1, bid: {} }] }, 'choices.watchId'],
      [
        { choices: [{ watchId: bids, maxPercentile: { percentile: 5, days: 7 }, bid: {} }] },
        'choices.maxUsdPerGpuHour',
      ],
      [
        { choices: [{ watchId: bids, maxUsdPerGpuHour: 1, bid: { stepPercent: 0 } }] },
        'choices.bid.stepPercent',
      ],
      [{ choices: [{ watchId, minIndexFall: { percent: 5, days: 7 } }] }, 'choices.watchId'],
      [{ choices: [{ watchId, maxPercentile: { percentile: 5, days: 8 } }] }, 'choices.maxPercentile.days'],
      [{ endsAt: '2020-01-01T00:00:00Z' }, 'endsAt'],
      [{ budgetUsd: '5' }, 'budgetUsd'],
      [{ request: { diskGb: 20 } }, 'request'],
      [{ count: 0 }, 'count'],
      [{ channelIds: ['019a2d5c-0000-7000-8000-000000000000'] }, 'channelIds'],
    ];
    for (const [fields, name] of wrong) {
      const body = { ...(await orderBody(account)), ...fields };
      const { errors } = await readProblem(await send('POST', '/api/orders', body), 400);
      expect(errors.map((error) => error.name)).toContain(name);
    }
    const body = await orderBody(account);
    await read(await send('POST', '/api/orders', body), 201);
    expect((await readProblem(await send('POST', '/api/orders', body), 409)).type).toContain('name-taken');
  });
});
