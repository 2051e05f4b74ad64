import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openMarket, rent, type TestMarket } from './market-account.ts';

/** An endpoint's request that a right key gets past the gate with, and the permission it takes. */
const requests: readonly (readonly [method: string, path: string, permission: string])[] = [
  ['POST', '/api/v0/bundles/', 'misc'],
  ['PUT', '/api/v0/asks/99/', 'instance_write'],
  ['GET', '/api/v0/instances/', 'instance_read'],
  ['GET', '/api/v0/instances/99/', 'instance_read'],
  ['PUT', '/api/v0/instances/99/', 'instance_write'],
  ['PUT', '/api/v0/instances/bid_price/99/', 'instance_write'],
  ['DELETE', '/api/v0/instances/99/', 'instance_write'],
  ['GET', '/api/v0/template/', 'user_read'],
  ['POST', '/api/v0/template/', 'user_write'],
  ['PUT', '/api/v0/template/', 'user_write'],
  ['DELETE', '/api/v0/template/', 'user_write'],
  ['PUT', '/api/v0/volumes/', 'instance_write'],
  ['POST', '/api/v0/volumes/search/', 'misc'],
  ['GET', '/api/v0/volumes/', 'instance_read'],
  ['DELETE', '/api/v0/volumes/', 'instance_write'],
  ['GET', '/api/v1/invoices/', 'billing_read'],
  ['GET', '/api/v0/charges/', 'billing_read'],
];
const permissions = [
  'instance_read',
  'instance_write',
  'user_read',
  'user_write',
  'billing_read',
  'billing_write',
  'misc',
];
const send = (market: TestMarket, method: string, path: string, key: string | null) =>
  market.call(method, path, method === 'GET' ? undefined : {}, key);
const isRefused = ({ status, body }: Awaited<ReturnType<TestMarket['call']>>) =>
  status === 403 && body.error === 'auth_error';

describe('a key', () => {
  it('is required everywhere, with and without a trailing slash, and a wrong one is reported', async () => {
    const market = await openMarket();
    const wrong = { success: false, error: 'auth_error', msg: 'Invalid user key' };
    for (const [method, path] of requests) {
      for (const spelling of [path, path.slice(0, -1)]) {
        expect(await send(market, method, spelling, null)).toEqual({ status: 403, body: wrong });
        expect(await send(market, method, spelling, 'wrong')).toEqual({ status: 401, body: wrong });
      }
    }
    const seen = await openMarket({ wrongKey: 'public' });
    expect((await send(seen, 'GET', '/api/v1/invoices/', 'wrong')).status).toBe(404);
    expect((await send(seen, 'GET', '/api/v0/instances/', 'wrong')).status).toBe(401);
  });

  it.each(permissions)('with %s alone reaches what needs it and nothing else', async (permission) => {
    const market = await openMarket();
    const key = market.simulator.addKey('some', [permission]);
    const reached: string[] = [];
    for (const [method, path] of requests) {
      if (!isRefused(await send(market, method, path, key))) reached.push(`${method} ${path}`);
    }
    const meant = requests.filter((request) => request[2] === permission);
    expect(reached).toEqual(meant.map(([method, path]) => `${method} ${path}`));
  });

  it('of an instance only starts, stops and destroys that instance', async () => {
    const market = await openMarket();
    const { body } = await market.call('PUT', '/api/v0/asks/1/', { image: 'ubuntu' });
    const [id, key] = [body.new_contract, String(body.instance_api_key)];
    const other = await rent(market, 2);
    for (const [method, path] of requests) {
      const answer = await send(market, method, path.replace('99', String(other)), key);
      expect([method, path, isRefused(answer)]).toEqual([method, path, true]);
    }
    const own = `/api/v0/instances/${id}/`;
    expect(isRefused(await market.call('GET', own, undefined, key))).toBe(true);
    expect(isRefused(await market.call('PUT', own, { label: 'x' }, key))).toBe(true);
    for (const state of ['stopped', 'running']) {
      expect((await market.call('PUT', own, { state }, key)).body).toEqual({ success: true });
    }
    expect(market.simulator.instances()[0]?.env.CONTAINER_API_KEY).toBe(
      createHash('sha256').update(key).digest('hex'),
    );
    expect((await market.call('DELETE', own, undefined, key)).body).toEqual({ success: true });
    expect(market.simulator.instances().map(({ phase }) => phase)).toEqual(['destroyed', 'created']);
  });

  it('from the options is known by its name in the list of requests', async () => {
    const market = await openMarket({ scopedKeys: { reader: { key: 'r', permissions: ['billing_read'] } } });
    await market.call('GET', '/api/v1/invoices?limit=5', undefined, 'r');
    expect(market.simulator.requests()).toMatchObject([
      { path: '/api/v1/invoices', query: 'limit=5', identity: 'reader', status: 200 },
    ]);
    expect(JSON.stringify(market.simulator.requests())).not.toContain('"r"');
  });
});

describe('throttling', () => {
  it('is off by default', async () => {
    const market = await openMarket();
    for (let time = 0; time < 30; time += 1)
      expect((await send(market, 'POST', '/api/v0/bundles/', 'account-key')).status).toBe(200);
  });

  it("refuses requests within an endpoint's interval, by the real clock and for each key", async () => {
    let realMs = Date.parse('2026-03-02T00:00:00Z');
    const market = await openMarket({ throttle: 'public', now: () => new Date(realMs), speed: 3600 });
    const other = market.simulator.addKey('other', ['user_read']);
    const ask = async (key = 'account-key') => await market.call('GET', '/api/v0/template/', undefined, key);
    expect((await ask()).status).toBe(200);
    realMs += 2999;
    expect(await ask()).toEqual({
      status: 429,
      body: { detail: 'API requests too frequent: endpoint threshold=3.0' },
    });
    expect((await ask(other)).status).toBe(200);
    realMs += 1;
    expect((await ask()).status).toBe(200);
    expect((await market.call('GET', '/api/v0/instances/')).status).toBe(200);
  });

  it('lets ten searches a minute through, and refuses others in plain text if configured', async () => {
    let realMs = 0;
    const market = await openMarket({
      throttle: { searchesPerMinute: 10, body: 'text' },
      now: () => new Date(realMs),
    });
    const search = () =>
      fetch(`${market.url}/api/v0/bundles/`, {
        method: 'POST',
        headers: { authorization: 'Bearer account-key' },
        body: '{}',
      });
    for (let time = 0; time < 10; time += 1) expect((await search()).status).toBe(200);
    const refused = await search();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toContain('text/plain');
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(await refused.text()).toBe('API requests too frequent: endpoint 10 requests a minute');
    realMs += 60_000;
    expect((await search()).status).toBe(200);
  });
});
