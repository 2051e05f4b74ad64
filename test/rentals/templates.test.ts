import { expect, it } from 'vitest';
import { createTestApp } from '../support/test-app.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

interface Found {
  items: { templateId: number; hashId: string; name: string; image: string; tag: string | null }[];
}

it('templates are created, found, changed and deleted over the API, and the audit log names who did it', async () => {
  const held: { account: TestAccount | null } = { account: null };
  const test = await createTestApp({
    actor: async () => {
      if (held.account === null) throw new Error('no account yet');
      return held.account.actor;
    },
  });
  held.account = await createTestAccount(test.sql);
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
  const find = async (): Promise<Found> =>
    (await (await send('GET', '/api/templates?name=mine')).json()) as Found;
  const draft = { name: 'mine', image: 'ubuntu', tag: '24.04', env: '-e WORD=not-for-the-log' };
  expect((await send('POST', '/api/templates', draft, 'viewer')).status).toBe(403);
  expect((await send('GET', '/api/templates', undefined, 'viewer')).status).toBe(403);
  expect((await send('POST', '/api/templates', { name: 'mine' })).status).toBe(400);
  expect((await send('POST', '/api/templates', { ...draft, onstart: 'x'.repeat(5_000) })).status).toBe(400);
  const made = await send('POST', '/api/templates', draft);
  expect(made.status).toBe(201);
  const { templateId, hashId } = (await made.json()) as { templateId: number; hashId: string };
  expect((await find()).items).toMatchObject([
    { templateId, hashId, name: 'mine', image: 'ubuntu', tag: '24.04' },
  ]);
  const changed = await send('PATCH', `/api/templates/${hashId}`, { tag: '22.04' });
  const { hashId: newHash } = (await changed.json()) as { hashId: string };
  expect(newHash).not.toBe(hashId);
  expect((await find()).items).toMatchObject([{ templateId, hashId: newHash, tag: '22.04' }]);
  expect((await send('GET', '/api/templates?filters=no')).status).toBe(400);
  const search = async (query: string) => {
    const found = await send('GET', `/api/templates?${query}`);
    expect(found.status, query).toBe(200);
    return ((await found.json()) as { items: { recommendedDiskGb: number }[] }).items.map(
      ({ recommendedDiskGb }) => recommendedDiskGb,
    );
  };
  const all = await search('');
  expect(new Set(all).size).toBeGreaterThan(2);
  const operators: Record<string, [value: unknown, keeps: (gb: number) => boolean]> = {
    ...{ eq: [16, (gb) => gb === 16], neq: [16, (gb) => gb !== 16] },
    ...{ lt: [16, (gb) => gb < 16], lte: [16, (gb) => gb <= 16] },
    ...{ gt: [16, (gb) => gb > 16], gte: [16, (gb) => gb >= 16] },
    ...{ in: [[16, 64], (gb) => gb === 16 || gb === 64], notin: [[16, 64], (gb) => gb !== 16 && gb !== 64] },
  };
  for (const [operator, [value, keeps]] of Object.entries(operators)) {
    const filters = JSON.stringify({ recommended_disk_space: { [operator]: value } });
    const found = await search(`filters=${encodeURIComponent(filters)}`);
    expect([operator, found.sort()]).toEqual([operator, all.filter(keeps).sort()]);
    expect(found.length, operator).toBeGreaterThan(0);
  }
  expect(await search('orderBy=recommended_disk_space')).toEqual([...all].sort((a, b) => a - b));
  expect((await send('DELETE', `/api/templates/${templateId}`)).status).toBe(204);
  expect((await find()).items).toEqual([]);
  const entries = await test.sql<{ entry: string }[]>`select a::text as entry from audit_log a`;
  const log = entries.map(({ entry }) => entry).join('\n');
  for (const action of ['create-template', 'edit-template', 'delete-template']) expect(log).toContain(action);
  expect(log).not.toContain('not-for-the-log');
});
