import { beforeAll, describe, expect, it } from 'vitest';
import type { TokenAnswer } from '../../../src/service/sign-in/tokens.routes.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});

const send = async (method: string, path: string, body?: object, role: 'viewer' | 'admin' = 'admin') =>
  await test.app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${test.tokens[role]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const status = async (token: string): Promise<number> =>
  (await test.app.request('/api/status', { headers: { authorization: `Bearer ${token}` } })).status;

describe('/api/tokens', () => {
  it('creates a token that works until it is revoked, and shows its secret only once', async () => {
    const limits = { maxUsdPerHour: 2.5, maxInstances: 2, maxRentsPerDay: null };
    const made = await send('POST', '/api/tokens', { name: 'dashboard', ...limits });
    expect(made.status).toBe(201);
    const { id, token } = (await made.json()) as { id: string; token: string };
    expect(await status(token)).toBe(200);
    const listed = await send('GET', '/api/tokens');
    const text = await listed.text();
    expect(text).not.toContain(token);
    const { items } = JSON.parse(text) as { items: TokenAnswer[] };
    expect(items.find((item) => item.id === id)).toMatchObject({
      name: 'dashboard',
      role: 'viewer',
      revokedAt: null,
      ...limits,
    });
    expect((await send('DELETE', `/api/tokens/${id}`)).status).toBe(204);
    expect(await status(token)).toBe(401);
    expect((await send('DELETE', `/api/tokens/${id}`)).status).toBe(404);
  });

  it('is limited to administrators and refuses invalid tokens', async () => {
    for (const [method, path, body] of [
      ['GET', '/api/tokens', undefined],
      ['POST', '/api/tokens', { name: 'mine', role: 'admin' }],
      ['DELETE', '/api/tokens/0199c0de-0000-7000-8000-000000000000', undefined],
    ] as const) {
      expect((await send(method, path, body, 'viewer')).status).toBe(403);
    }
    for (const body of [{}, { name: '' }, { name: 'x', role: 'king' }, { name: 'administrator' }]) {
      expect((await send('POST', '/api/tokens', body)).status).toBe(400);
    }
  });
});
