import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/core/http/credential.ts';
import type { BlocklistEntryAnswer } from '../../src/prices/rankings/blocklist.routes.ts';
import { readBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await createTestApp();
});

const path = '/api/blocklist';

const send = async (method: string, address: string, body?: object, role: Role = 'operator') =>
  await test.app.request(address, {
    method,
    headers: { authorization: `Bearer ${test.tokens[role]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const add = async (body: object): Promise<BlocklistEntryAnswer> => {
  const response = await send('POST', path, body);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as BlocklistEntryAnswer;
};

const list = async (query = '') =>
  await test.json<{ items: BlocklistEntryAnswer[]; nextCursor: string | null }>(`${path}${query}`);

describe('/api/blocklist', () => {
  it('lists entries by kind and in pages, and no longer lists removed ones', async () => {
    const machine = await add({ machineId: 12, note: ' drops connections ' });
    const host = await add({ hostId: 7, kind: 'prefer' });
    const other = await add({ hostId: 9 });
    expect(machine).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      market: 'test-market',
      kind: 'block',
      machineId: 12,
      hostId: null,
      note: 'drops connections',
      addedAt: '2026-07-31T02:00:00.000Z',
    });
    expect(host).toMatchObject({ kind: 'prefer', machineId: null, hostId: 7, note: null });
    expect((await list()).items).toEqual([machine, host, other]);
    expect((await list('?kind=block')).items).toEqual([machine, other]);
    const first = await list('?limit=2');
    expect((await list(`?limit=2&cursor=${first.nextCursor}`)).items).toEqual([other]);
    expect(await readBlocklist(test.sql, test.market.id)).toEqual({
      block: { machineIds: new Set([12]), hostIds: new Set([9]) },
      prefer: { machineIds: new Set(), hostIds: new Set([7]) },
    });
    expect((await send('DELETE', `${path}/${machine.id}`)).status).toBe(204);
    expect((await send('DELETE', `${path}/${machine.id}`)).status).toBe(404);
    expect((await list()).items).toEqual([host, other]);
  });

  it('keeps one entry per machine or host, with its latest note', async () => {
    const before = await add({ machineId: 55 });
    const after = await add({ machineId: 55, kind: 'prefer', note: 'fast' });
    expect(after).toEqual({ ...before, kind: 'prefer', note: 'fast' });
  });

  it('refuses a body with neither or both of machine and host, and tokens that may only read', async () => {
    for (const body of [{}, { machineId: 1, hostId: 1 }]) {
      const { errors } = await readProblem(await send('POST', path, body), 400);
      expect(errors.map(({ name }) => name)).toEqual(['machineId']);
    }
    await readProblem(await send('POST', path, { machineId: 1 }, 'viewer'), 403);
  });
});
