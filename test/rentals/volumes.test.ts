import { expect, it } from 'vitest';
import { switchActions } from '../../src/rentals/instances/change-instance.ts';
import { createTestApp } from '../support/test-app.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

it('volumes are found, created, listed and deleted over the API, but not by a viewer', async () => {
  const held: { account: TestAccount | null } = { account: null };
  const test = await createTestApp({
    actor: async () => {
      if (held.account === null) throw new Error('no account yet');
      return held.account.actor;
    },
  });
  held.account = await createTestAccount(test.sql);
  await held.account.crawl();
  const send = async (
    method: string,
    path: string,
    body?: object,
    role: 'operator' | 'viewer' = 'operator',
  ) =>
    await test.app.request(path, {
      method,
      headers: { authorization: `Bearer ${test.tokens[role]}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const offers = (await (await send('GET', '/api/volumes/offers')).json()) as {
    items: { volumeOfferId: number; machineId: number; gpuName: string; numGpus: number; country: string }[];
  };
  // What the book says of the machines.
  const listed = await test.sql<{ machineId: number; gpuName: string; numGpus: number; country: string }[]>`
    select l.machine_id as "machineId", m.name as "gpuName", max(l.num_gpus) as "numGpus", max(c.name) as country
    from listing l join gpu_model m on m.id = l.gpu_model_id join latest_offer o on o.listing_id = l.id
    left join country c on c.id = o.country_id group by 1, 2`;
  expect(listed.length).toBeGreaterThan(10);
  for (const { machineId, ...kind } of listed) {
    const offered = offers.items.find((offer) => offer.machineId === machineId);
    if (offered !== undefined) expect(offered).toMatchObject(kind);
  }
  expect(offers.items.filter(({ gpuName }) => gpuName !== null).length).toBeGreaterThan(10);
  const [first] = offers.items;
  const there = (await (await send('GET', `/api/volumes/offers?machineId=${first?.machineId}`)).json()) as {
    items: { machineId: number }[];
  };
  expect(new Set(there.items.map(({ machineId }) => machineId))).toEqual(new Set([first?.machineId]));
  expect(offers.items.length).toBeGreaterThan(there.items.length);
  const request = { volumeOfferId: offers.items[0]?.volumeOfferId, sizeGb: 1 };
  expect((await send('POST', '/api/volumes', request, 'viewer')).status).toBe(403);
  const { actor } = held.account;
  await switchActions(actor, { enabled: false, by: 'tester' });
  expect((await send('POST', '/api/volumes', request)).status).toBe(409);
  await switchActions(actor, { enabled: true, by: 'tester' });
  actor.limits.actions = false;
  expect((await send('POST', '/api/volumes', request)).status).toBe(409);
  actor.limits.actions = true;
  expect(await (await send('GET', '/api/volumes')).json()).toMatchObject({ items: [] });
  expect((await send('POST', '/api/volumes', request)).status).toBe(201);
  const { items } = (await (await send('GET', '/api/volumes')).json()) as { items: { volumeId: number }[] };
  expect(items).toMatchObject([
    { gpuName: first?.gpuName, numGpus: first?.numGpus, country: first?.country },
  ]);
  expect((await send('DELETE', `/api/volumes/${items[0]?.volumeId}`, undefined, 'viewer')).status).toBe(403);
  expect((await send('DELETE', `/api/volumes/${items[0]?.volumeId}`)).status).toBe(204);
  expect(await (await send('GET', '/api/volumes')).json()).toMatchObject({ items: [] });
  const log = await test.sql`
    select action, phase, detail::json ->> 'outcome' as outcome from audit_log where action like '%-volume' order by seq`;
  expect(log).toEqual([
    { action: 'create-volume', phase: 'before', outcome: null },
    { action: 'create-volume', phase: 'after', outcome: 'accepted' },
    { action: 'delete-volume', phase: 'before', outcome: null },
    { action: 'delete-volume', phase: 'after', outcome: 'accepted' },
  ]);
});
