import { beforeAll, describe, expect, it } from 'vitest';
import { proxiesAt } from '../../../src/service/http/client-address.ts';
import { createLoginCode, listTokens } from '../../../src/service/sign-in/credentials.sql.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

interface Entry {
  at: string;
  actor: string;
  action: string;
  phase: string;
  detail: Record<string, unknown>;
}

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ trustedProxies: proxiesAt(['10.0.0.0/8']) });
});

const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress }, headers: {} } });
const pass = (ms: number): void => {
  test.clock.now = new Date(test.clock.now.getTime() + ms);
};
const ask = async (token: string, address: string, headers: Record<string, string> = {}) =>
  await test.app.request(
    '/api/status',
    { headers: { authorization: `Bearer ${token}`, ...headers } },
    from(address),
  );
const signIn = async (token: string, address: string) =>
  await test.app.request(
    '/api/session',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) },
    from(address),
  );

/** The newest entries about sign-ins first. */
async function entries(): Promise<Entry[]> {
  const path = '/api/audit?order=desc&limit=1000&action=sign-in&action=sign-out';
  const answer = await test.get(path, 'admin');
  return ((await answer.json()) as { items: Entry[] }).items;
}

const lastUse = async (name: string) => {
  const token = (await listTokens(test.sql)).find((each) => each.name === name);
  return [token?.lastUsedAt?.toISOString() ?? null, token?.lastUsedFrom ?? null];
};

describe('the audit log', () => {
  it('has each sign-in with token, way and address, and the sign-out, the newest first', async () => {
    const answer = await signIn(test.tokens.operator, '203.0.113.7');
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    const code = await createLoginCode(test.sql, test.clock.now);
    await test.app.request(`/login?code=${code}`, {}, from('2001:db8::7'));
    const headers = { cookie, origin: 'http://offerbook.test' };
    await test.app.request('/api/session', { method: 'DELETE', headers }, from('203.0.113.8'));
    const shown = (await entries()).map(({ actor, action, phase, detail }) => ({
      actor,
      action,
      phase,
      ...detail,
    }));
    const phase = 'after';
    expect(shown).toEqual([
      {
        ...{ actor: 'operator of the test', action: 'sign-out', phase },
        ...{ role: 'operator', way: 'session', address: '203.0.113.8' },
      },
      {
        ...{ actor: 'login link', action: 'sign-in', phase },
        ...{ role: 'admin', way: 'login link', address: '2001:db8::7' },
      },
      {
        ...{ actor: 'operator of the test', action: 'sign-in', phase },
        ...{ role: 'operator', way: 'token', address: '203.0.113.7' },
      },
    ]);
    const oldestFirst = await test.get('/api/audit?action=sign-in&limit=1', 'admin');
    const [first] = ((await oldestFirst.json()) as { items: Entry[] }).items;
    expect(first?.detail.way).toBe('token');
  });

  it('counts refused attempts by address: the 1st, 10th and 100th of an hour, and few addresses', async () => {
    const before = (await entries()).length;
    const guess = async (address: string, count: number) => {
      for (let turn = 0; turn < count; turn += 1) await ask(`guess-${address}-${turn}`, address);
    };
    await guess('198.51.100.1', 150);
    const refused = (await entries()).slice(0, -before);
    expect(refused.map(({ phase, detail }) => [phase, detail.address, detail.way, detail.attempts])).toEqual([
      ['refused', '198.51.100.1', 'token', 100],
      ['refused', '198.51.100.1', 'token', 10],
      ['refused', '198.51.100.1', 'token', 1],
    ]);
    for (let host = 10; host < 70; host += 1) await guess(`198.51.100.${host}`, 1);
    const all = (await entries()).slice(0, -before);
    // 19 more addresses with an entry each, and the 1st and 10th of all others.
    expect(all).toHaveLength(3 + 19 + 2);
    expect(all[0]?.detail).toMatchObject({ address: 'other addresses', attempts: 10 });
    pass(3_600_000);
    await guess('198.51.100.99', 1);
    expect((await entries())[0]?.detail).toMatchObject({ address: '198.51.100.99', attempts: 1 });
    expect(JSON.stringify(await entries())).not.toContain('guess-');
  });
});

describe('a token', () => {
  it('shows when and from where it was last used, by itself or a session, to the minute', async () => {
    pass(120_000);
    const at = test.clock.now.toISOString();
    await ask(test.tokens.viewer, '203.0.113.1');
    pass(59_000);
    await ask(test.tokens.viewer, '203.0.113.2');
    expect(await lastUse('viewer of the test')).toEqual([at, '203.0.113.1']);
    pass(1_000);
    await ask(test.tokens.viewer, '203.0.113.3');
    expect(await lastUse('viewer of the test')).toEqual([test.clock.now.toISOString(), '203.0.113.3']);
    pass(60_000);
    const [cookie = ''] = (
      (await signIn(test.tokens.viewer, '203.0.113.4')).headers.get('set-cookie') ?? ''
    ).split(';');
    await test.app.request('/api/status', { headers: { cookie } }, from('203.0.113.4'));
    expect(await lastUse('viewer of the test')).toEqual([test.clock.now.toISOString(), '203.0.113.4']);
    const { items } = (await (await test.get('/api/tokens', 'admin')).json()) as {
      items: { name: string; lastUsedAt: string | null; lastUsedFrom: string | null }[];
    };
    expect(items.find(({ name }) => name === 'viewer of the test')).toMatchObject({
      lastUsedAt: test.clock.now.toISOString(),
      lastUsedFrom: '203.0.113.4',
    });
    expect(await lastUse('feed of the test')).toEqual([null, null]);
    await test.app.request(`/api/feeds/deals.rss?watch=x&token=${test.tokens.feed}`, {}, from('203.0.113.5'));
    expect(await lastUse('feed of the test')).toEqual([test.clock.now.toISOString(), '203.0.113.5']);
  });

  it('is used from the address that a trusted proxy names, and from no other that is claimed', async () => {
    const used = async (peer: string, forwarded: string) => {
      pass(60_000);
      await ask(test.tokens.viewer, peer, { 'x-forwarded-for': forwarded });
      return (await lastUse('viewer of the test'))[1];
    };
    expect(await used('10.1.2.3', '203.0.113.9')).toBe('203.0.113.9');
    expect(await used('::ffff:10.1.2.3', '6.6.6.6, 203.0.113.9, 10.9.9.9')).toBe('203.0.113.9');
    expect(await used('203.0.113.20', '6.6.6.6')).toBe('203.0.113.20');
    expect(await used('10.1.2.3', 'nonsense')).toBe('10.1.2.3');
  });
});
