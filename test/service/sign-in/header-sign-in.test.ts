import { describe, expect, it } from 'vitest';
import { listAudit } from '../../../src/rentals/audit.sql.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { proxiesAt } from '../../../src/service/http/client-address.ts';
import { createTestApp } from '../../support/test-app.ts';

const env = {
  TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8 fd00::/8',
  AUTH_HEADER: 'X-Forwarded-User',
  AUTH_ROLES: 'Ada@example.org=admin *@example.org=operator *=viewer',
};

async function createProxied(roles = env.AUTH_ROLES) {
  const { trustedProxies, headerSignIn } = loadConfig({ ...env, AUTH_ROLES: roles });
  if (headerSignIn === null) throw new Error('nobody signs in by a header');
  const test = await createTestApp({
    trustedProxies: proxiesAt(trustedProxies),
    headerSignIn,
    cacheAnswersMs: 60_000,
  });
  const ask = async (
    peer: string | null,
    headers: Record<string, string>,
    path = '/api/status',
    method = 'GET',
  ) =>
    await test.app.request(
      path,
      { method, headers },
      peer === null ? {} : { incoming: { socket: { remoteAddress: peer }, headers } },
    );
  const roleOf = async (peer: string | null, name: string, headers: Record<string, string> = {}) => {
    const answer = await ask(peer, { 'x-forwarded-user': name, ...headers });
    return answer.status === 200 ? ((await answer.json()) as { role: string }).role : answer.status;
  };
  return { ...test, ask, roleOf };
}

describe('sign-in by a header', () => {
  it('gives each name its role, from a trusted proxy only', async () => {
    const { roleOf, ask, tokens } = await createProxied();
    expect(await roleOf('127.0.0.1', 'ada@example.org')).toBe('admin');
    expect(await roleOf('10.200.0.1', 'ADA@example.org')).toBe('admin');
    expect(await roleOf('::ffff:10.0.0.1', 'bob@example.org')).toBe('operator');
    expect(await roleOf('fd00::1', 'eve@elsewhere.example')).toBe('viewer');
    // A stranger who sends the header, also with what a proxy would add.
    const forged = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' };
    for (const peer of ['203.0.113.7', '11.0.0.1', '127.0.0.2', '::1', '::ffff:203.0.113.7', null]) {
      expect(await roleOf(peer, 'ada@example.org', forged), String(peer)).toBe(401);
    }
    // A token says more than the proxy; what the proxy itself asked for does not matter.
    expect(await roleOf('127.0.0.1', 'ada@example.org', { authorization: `Bearer ${tokens.viewer}` })).toBe(
      'viewer',
    );
    expect(await roleOf('127.0.0.1', 'ada@example.org', { authorization: 'Bearer wrong' })).toBe(401);
    expect(await roleOf('127.0.0.1', 'ada@example.org', { authorization: 'Basic YWRhOng=' })).toBe('admin');
    expect((await ask('127.0.0.1', {})).status).toBe(401);
  });

  it('refuses what is not one name, and a name without a role', async () => {
    const { roleOf } = await createProxied('ada@example.org=admin');
    for (const name of [
      'bob@example.org, ada@example.org',
      'ada@example.org,',
      'bob@example.org',
      'ada',
      '*',
    ]) {
      expect(await roleOf('127.0.0.1', name), name).toBe(403);
    }
    expect(await roleOf('127.0.0.1', ' ')).toBe(401);
    expect(await roleOf('127.0.0.1', 'ada@example.org')).toBe('admin');
  });

  it('changes nothing for a page elsewhere, and repeats no answer to somebody else', async () => {
    const { ask } = await createProxied();
    const user = { 'x-forwarded-user': 'bob@example.org' };
    const crawl = async (headers: Record<string, string>) =>
      (await ask('127.0.0.1', { ...user, ...headers }, '/api/crawls', 'POST')).status;
    expect(await crawl({ origin: 'https://evil.test' })).toBe(403);
    expect(await crawl({})).toBe(403);
    expect(await crawl({ origin: 'http://offerbook.test' })).toBe(202);
    const trends = async (peer: string, headers: Record<string, string>) =>
      (await ask(peer, headers, '/api/trends')).status;
    expect(await trends('127.0.0.1', user)).toBe(200);
    expect([await trends('203.0.113.7', user), await trends('127.0.0.1', {})]).toEqual([401, 401]);
  });

  it('is in the audit log once, until somebody was away, and a new role ends open streams', async () => {
    const { ask, sql, clock } = await createProxied();
    const user = { 'x-forwarded-user': 'bob@example.org', 'x-forwarded-for': '203.0.113.7' };
    const signIns = async () =>
      (await listAudit(sql, { afterSeq: null, limit: 100, actions: ['sign-in'] })).map(
        ({ actor, detail }) => [actor, JSON.parse(detail) as unknown],
      );
    const pass = async (hours: number) => {
      clock.now = new Date(clock.now.getTime() + hours * 3_600_000);
      expect((await ask('127.0.0.1', user)).status).toBe(200);
    };
    const entry = ['bob@example.org', { role: 'operator', way: 'proxy', address: '203.0.113.7' }];
    for (const hours of [0, 1, 11, 11.9]) await pass(hours);
    expect(await signIns()).toEqual([entry]);
    await pass(12);
    expect(await signIns()).toEqual([entry, entry]);
    const stored =
      await sql`select kind, role, last_used_from from credential where name = 'bob@example.org'`;
    expect([...stored]).toEqual([{ kind: 'person', role: 'operator', last_used_from: '203.0.113.7' }]);
    const stream = (await ask('127.0.0.1', user, '/api/events')).body?.getReader();
    await stream?.read();
    await sql`update credential set role = 'viewer' where name = 'bob@example.org'`;
    while ((await stream?.read())?.done === false);
  }, 30_000);
});

describe('the settings', () => {
  it.each([
    [{ AUTH_HEADER: undefined }, /AUTH_HEADER: is missing/],
    [{ TRUSTED_PROXIES: undefined }, /TRUSTED_PROXIES: is missing/],
    [{ AUTH_ROLES: undefined }, /AUTH_ROLES: is missing/],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /never every address/],
    [{ TRUSTED_PROXIES: '::/0' }, /never every address/],
    [{ TRUSTED_PROXIES: 'proxy.example' }, /expected addresses or networks/],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /expected addresses or networks/],
    [{ AUTH_HEADER: 'Authorization' }, /AUTH_HEADER/],
    [{ AUTH_HEADER: 'X Forwarded' }, /AUTH_HEADER/],
    [{ AUTH_ROLES: 'ada@example.org=king' }, /expected names with roles/],
    [{ AUTH_ROLES: 'ada@example.org' }, /expected names with roles/],
    [{ AUTH_ROLES: '*=feed' }, /expected names with roles/],
  ])('are refused: %j', (change, problem) => {
    expect(() => loadConfig({ ...env, ...change })).toThrow(problem);
  });

  it('may name proxies alone, for the addresses of clients', () => {
    const config = loadConfig({ TRUSTED_PROXIES: '127.0.0.1' });
    expect([config.trustedProxies, config.headerSignIn]).toEqual([['127.0.0.1'], null]);
  });
});
