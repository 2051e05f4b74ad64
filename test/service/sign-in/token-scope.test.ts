import { beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { labeled } from '../../../src/service/sign-in/scope-labels.ts';
import { addToken } from '../../../src/service/sign-in/token-changes.sql.ts';
import { readScopedRoutes } from '../../../src/service/sign-in/token-scope.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let test: TestApp;
const tokens = { ofMarket: '', elsewhere: '', ofLabel: '' };
const change = { by: 'a test', at: new Date('2026-07-31T02:00:00Z') };

beforeAll(async () => {
  test = await createTestApp();
  await ensureMarket(test.sql, 'elsewhere', 'recorded');
  const make = async (fields: { markets?: string[]; label?: string }) =>
    (await addToken(test.sql, { name: JSON.stringify(fields), role: 'operator', ...fields }, change)).token;
  tokens.ofMarket = await make({ markets: ['test-market'] });
  tokens.elsewhere = await make({ markets: ['elsewhere'] });
  tokens.ofLabel = await make({ label: 'team-a' });
});

/** Returns the kind of problem that a request gets; null: it is none. */
async function problemOf(
  token: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
): Promise<string | null> {
  const answer = await test.app.request(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status < 400) {
    await answer.body?.cancel();
    return null;
  }
  return ((await answer.json()) as { type: string }).type.split('#')[1] ?? '';
}

/** Every route that needs a token, with an address of it. */
const routes = () =>
  [...readScopedRoutes(test.app)]
    .map(([key, route]) => {
      const [method = '', pattern = ''] = key.split(' ');
      return { ...route, method, path: pattern.replaceAll(/:\w+/g, '1') };
    })
    .filter(
      ({ path, operationId }) => /^\/api\/(?!feeds)/.test(path) && !/^(create|end)Session$/.test(operationId),
    );

describe('a token of one market', () => {
  it('is refused at every route that names another market', async () => {
    const named = routes().filter(({ market }) => market !== null);
    expect(named.length).toBeGreaterThan(40);
    expect(new Set(named.map(({ market }) => market))).toEqual(new Set(['query', 'body']));
    const passed: string[] = [];
    for (const { method, path, market } of named) {
      const at = (name: string) => (market === 'query' ? `${path}?market=${name}` : path);
      const body = (name: string) => (market === 'body' ? { market: name } : undefined);
      const other = await problemOf(tokens.ofMarket, method, at('elsewhere'), body('elsewhere'));
      const own = await problemOf(tokens.ofMarket, method, at('test-market'), body('test-market'));
      const unnamed = await problemOf(tokens.elsewhere, method, path, market === 'body' ? {} : undefined);
      if (other !== 'outside-scope' || own === 'outside-scope' || unnamed !== 'outside-scope') {
        passed.push(`${method} ${path}: ${other}, ${own}, ${unnamed}`);
      }
    }
    expect(passed).toEqual([]);
    const both = '/api/trends?market=test-market&market=elsewhere';
    expect(await problemOf(tokens.ofMarket, 'GET', both)).toBe('outside-scope');
    expect(await problemOf(tokens.ofMarket, 'HEAD', '/api/trends?market=test-market')).toBe(null);
  });

  it('changes nothing on the account of another one', async () => {
    const changes = routes().filter(({ isChange, market }) => isChange && market === null);
    expect(changes.length).toBeGreaterThan(30);
    for (const { method, path } of changes) {
      expect(await problemOf(tokens.elsewhere, method, path), `${method} ${path}`).toBe('outside-scope');
    }
  });

  it('is as limited in a session of the page and through MCP, and opens no feed', async () => {
    const signedIn = await test.app.request('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: tokens.ofMarket }),
    });
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
    const inSession = async (market: string) =>
      await problemOf('', 'GET', `/api/trends?market=${market}`, undefined, { cookie });
    expect([await inSession('elsewhere'), await inSession('test-market')]).toEqual(['outside-scope', null]);
    const ask = await test.app.request('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.elsewhere}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'list_instances', arguments: {} },
      }),
    });
    expect(await ask.text()).toContain('its markets are elsewhere');
    expect(await problemOf(tokens.ofMarket, 'GET', '/api/feeds/deals.rss?watch=x')).toBe('not-authenticated');
  });
});

describe('a token with a label', () => {
  const rental = { offerId: 1, image: 'x', diskGb: 10 };

  it('is refused every change but those of what has its label', async () => {
    const changes = routes().filter(({ isChange }) => isChange);
    expect(
      Object.keys(labeled).filter((name) => !changes.some(({ operationId }) => operationId === name)),
    ).toEqual([]);
    for (const { method, path } of changes) {
      expect(await problemOf(tokens.ofLabel, method, path, { label: 'team-b' }), `${method} ${path}`).toBe(
        'outside-scope',
      );
    }
    for (const { method, path } of routes().filter(({ isChange }) => !isChange)) {
      expect(await problemOf(tokens.ofLabel, method, path), `${method} ${path}`).not.toBe('outside-scope');
    }
  });

  it('may quote, rent and order with its label, and without a volume of the account', async () => {
    const sent = async (path: string, body: object) => await problemOf(tokens.ofLabel, 'POST', path, body);
    for (const path of ['/api/instances', '/api/quotes']) {
      expect(await sent(path, { ...rental, label: 'team-a' })).not.toBe('outside-scope');
      expect(await sent(path, rental)).toBe('outside-scope');
      const volume = { kind: 'existing', volumeId: 1, mountPath: '/data' };
      expect(await sent(path, { ...rental, label: 'team-a', volume })).toBe('outside-scope');
    }
    expect(await sent('/api/orders', { request: { label: 'team-a' } })).toBe('invalid-request');
    expect(await sent('/api/orders', { request: {} })).toBe('outside-scope');
  });

  it('manages the instances that have its label, and gives no other', async () => {
    const made = async (label: string, instanceId: number) =>
      await test.sql`insert into instance (market_id, instance_id, first_seen_at, last_seen_at, label, raw)
        values (${test.market.id}, ${instanceId}, now(), now(), ${label}, '{}')`;
    await made('team-a', 7);
    await made('team-b', 8);
    const sent = async (method: string, path: string, body?: object) =>
      await problemOf(tokens.ofLabel, method, `/api/instances/${path}`, body);
    for (const [method, action] of [
      ['POST', '/stop'],
      ['POST', '/start'],
      ['POST', '/extend'],
      ['DELETE', ''],
    ] as const) {
      expect(await sent(method, `7${action}`), action).not.toBe('outside-scope');
      expect(await sent(method, `8${action}`), action).toBe('outside-scope');
    }
    expect(await sent('PATCH', '7', { costCenter: 'x' })).not.toBe('outside-scope');
    expect(await sent('PATCH', '7', { label: 'team-b' })).toBe('outside-scope');
    expect(await sent('PATCH', '8', { label: 'team-a' })).toBe('outside-scope');
  });
});

it('administrators and feeds have no such limits', async () => {
  for (const role of ['admin', 'feed']) {
    const body = { name: 'x', role, markets: ['test-market'] };
    expect(await problemOf(test.tokens.admin, 'POST', '/api/tokens', body)).toBe('invalid-request');
  }
});
