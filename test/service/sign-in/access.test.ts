import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { MarketError, UserError } from '../../../src/core/errors.ts';
import type { PricingType } from '../../../src/core/offer.ts';
import { listAudit } from '../../../src/rentals/audit.sql.ts';
import { sessionCookieOf } from '../../../src/service/sign-in/authenticate.ts';
import { createLoginCode, listTokens } from '../../../src/service/sign-in/credentials.sql.ts';
import { sessionMs } from '../../../src/service/sign-in/session-life.ts';
import {
  addToken,
  changeAdminToken,
  endTokens,
  ensureAdminToken,
} from '../../../src/service/sign-in/token-changes.sql.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';

const cookieOf = (response: Response): string =>
  /^([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';

async function logIn(
  { app }: TestApp,
  token: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await app.request('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
}

const change = { by: 'a test', at: new Date('2026-07-31T02:00:00Z') };
const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });

describe('access', () => {
  let test: TestApp;
  const crawled: (PricingType | undefined)[] = [];
  const crawlFailure: { error: Error | null } = { error: null };

  beforeAll(async () => {
    test = await createTestApp({
      crawlNow: async ({ type }) => {
        if (crawlFailure.error !== null) throw crawlFailure.error;
        crawled.push(type);
        return { crawlIds: ['run-1'] };
      },
    });
  });

  const order = async (headers: Record<string, string>, body?: string) =>
    await test.app.request('/api/crawls', {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
    });

  it.each([
    '/api/status',
    '/api/trends',
    '/api/rankings',
    '/api/offers',
    '/api/crawls',
    '/api/crawls/01900000-0000-7000-8000-000000000001',
    '/api/openapi.json',
    '/api/docs',
    '/api/docs/swagger-ui-bundle.js',
    '/api/whatever',
  ])('%s needs a token', async (path) => {
    const response = await test.app.request(path);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    await readProblem(response, 401);
  });

  it.each([
    ['an unknown token', 'Bearer ob_unknown'],
    ['another scheme', 'Basic b2I6b2I='],
    ['nothing', ''],
    ['an injection', "Bearer ' or true --"],
  ])('%s is refused', async (_, authorization) => {
    await readProblem(await test.app.request('/api/status', { headers: { authorization } }), 401);
  });

  it('a session secret is not a token, and a token not a session', async () => {
    const secret = cookieOf(await logIn(test, test.tokens.viewer)).split('=')[1] ?? '';
    await readProblem(await test.app.request('/api/status', { headers: bearerOf(secret) }), 401);
    const cookie = `${sessionCookieOf('http://offerbook.test')}=${test.tokens.viewer}`;
    await readProblem(await test.app.request('/api/status', { headers: { cookie } }), 401);
  });

  it('reading requires viewer, crawling requires operator, and a feed token allows neither', async () => {
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      expect((await test.get('/api/status', role)).status).toBe(200);
    }
    await readProblem(await test.get('/api/status', 'feed'), 403);
    await readProblem(await order(bearerOf(test.tokens.feed)), 403);
    await readProblem(await order(bearerOf(test.tokens.viewer)), 403);
    expect(crawled).toEqual([]);
    for (const role of ['operator', 'admin'] as const) {
      const response = await order(bearerOf(test.tokens[role]));
      expect([response.status, await response.json()]).toEqual([202, { crawlIds: ['run-1'] }]);
    }
    expect(crawled).toEqual([undefined, undefined]);
  });

  it('a crawl can be requested for one type, and a malformed body requests nothing', async () => {
    crawled.length = 0;
    const json = { ...bearerOf(test.tokens.operator), 'content-type': 'application/json' };
    expect((await order(json, '{"type":"bid"}')).status).toBe(202);
    expect(crawled).toEqual(['bid']);
    expect((await readProblem(await order(json, '{"type":"spot"}'), 400)).errors[0]?.name).toBe('type');
    expect((await readProblem(await order(json, '{"kind":"bid"}'), 400)).errors[0]?.name).toBe('kind');
    await readProblem(await order(json, '{"type":'), 400);
    await readProblem(await order(json, '[]'), 400);
    await readProblem(await order({ ...json, 'content-type': 'text/plain' }, '{"type":"bid"}'), 415);
    await readProblem(await order(json, JSON.stringify({ type: 'x'.repeat(70_000) })), 413);
    expect(crawled).toEqual(['bid']);
  });

  it('the reason that prevents a crawl is returned', async () => {
    crawlFailure.error = new UserError('The market is recorded and is never crawled.');
    expect((await readProblem(await order(bearerOf(test.tokens.admin)), 409)).detail).toContain(
      'never crawled',
    );
    crawlFailure.error = new MarketError('the market did not answer', {
      kind: 'timeout',
      endpoint: 'POST /x',
    });
    expect((await readProblem(await order(bearerOf(test.tokens.admin)), 502)).detail).toContain(
      'did not answer',
    );
    crawlFailure.error = null;
  });

  it('a revoked token ends with its sessions and no others', async () => {
    const { id, token } = await addToken(test.sql, { name: 'laptop', role: 'viewer' }, change);
    const cookie = cookieOf(await logIn(test, token));
    const otherCookie = cookieOf(await logIn(test, test.tokens.viewer));
    expect((await test.app.request('/api/status', { headers: bearerOf(token) })).status).toBe(200);
    expect((await test.app.request('/api/status', { headers: { cookie } })).status).toBe(200);
    expect(await endTokens(test.sql, id, change)).toBe(1);
    await readProblem(await test.app.request('/api/status', { headers: bearerOf(token) }), 401);
    await readProblem(await test.app.request('/api/status', { headers: { cookie } }), 401);
    expect((await test.app.request('/api/status', { headers: { cookie: otherCookie } })).status).toBe(200);
    expect(await endTokens(test.sql, id, change)).toBe(0);
    const listed = (await listTokens(test.sql)).find((each) => each.id === id);
    expect(listed).toMatchObject({ name: 'laptop', role: 'viewer', revokedAt: expect.any(Date) });
  });

  it('no secret is stored', async () => {
    const code = await createLoginCode(test.sql, test.clock.now);
    const cookie = cookieOf(await logIn(test, test.tokens.admin)).split('=')[1] ?? '';
    const rows = JSON.stringify(await test.sql`select * from credential`);
    for (const secret of [...Object.values(test.tokens), code, cookie]) {
      expect(secret.length).toBeGreaterThan(30);
      expect(rows).not.toContain(secret);
    }
  });

  describe('the session cookie', () => {
    it('is set for a token, hidden from scripts and other sites', async () => {
      const response = await logIn(test, test.tokens.operator);
      expect([response.status, await response.text()]).toEqual([204, '']);
      const parts = (response.headers.get('set-cookie') ?? '').split('; ');
      expect(parts).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']));
      expect(parts).not.toContain('Secure');
      await readProblem(await logIn(test, 'ob_wrong'), 401);
      expect((await readProblem(await logIn(test, ''), 400)).errors[0]?.name).toBe('token');
    });

    it('lasts as long as the answer says, and no longer', async () => {
      const cookie = cookieOf(await logIn(test, test.tokens.viewer));
      const { now } = test.clock;
      test.clock.now = new Date(now.getTime() + sessionMs - 1);
      expect((await test.app.request('/api/status', { headers: { cookie } })).status).toBe(200);
      test.clock.now = new Date(now.getTime() + sessionMs);
      await readProblem(await test.app.request('/api/status', { headers: { cookie } }), 401);
      test.clock.now = now;
      expect((await test.app.request('/api/status', { headers: { cookie } })).status).toBe(200);
    });

    it('allows changes only from the page itself; a bearer token needs no origin', async () => {
      const cookie = cookieOf(await logIn(test, test.tokens.operator));
      const from = async (origin: string | null) =>
        (await order({ cookie, host: '127.0.0.1:8080', ...(origin === null ? {} : { origin }) })).status;
      expect(await from('http://127.0.0.1:8080')).toBe(202);
      expect(await from('http://offerbook.test')).toBe(202);
      expect(await from('https://evil.test')).toBe(403);
      expect(await from('http://127.0.0.1:9999')).toBe(403);
      expect(await from('null')).toBe(403);
      expect(await from(null)).toBe(403);
      const tokenFromElsewhere = await order({
        ...bearerOf(test.tokens.operator),
        origin: 'https://evil.test',
      });
      expect(tokenFromElsewhere.status).toBe(202);
      const read = await test.app.request('/api/status', {
        headers: { cookie, origin: 'https://evil.test' },
      });
      expect(read.status).toBe(200);
      await readProblem(await logIn(test, test.tokens.viewer, { origin: 'https://evil.test' }), 403);
    });

    it('ends with DELETE /api/session', async () => {
      const cookie = cookieOf(await logIn(test, test.tokens.viewer));
      const headers = { cookie, origin: 'http://offerbook.test' };
      const response = await test.app.request('/api/session', { method: 'DELETE', headers });
      expect(response.status).toBe(204);
      expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
      await readProblem(await test.app.request('/api/status', { headers: { cookie } }), 401);
    });
  });

  describe('a login link', () => {
    const open = async (code: string, method = 'GET') =>
      await test.app.request(`/login?code=${encodeURIComponent(code)}`, { method });

    it('signs in once, as administrator, and goes on to the page', async () => {
      const code = await createLoginCode(test.sql, test.clock.now);
      expect(cookieOf(await open(code, 'HEAD'))).toBe('');
      const response = await open(code);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('content="0;url=/"');
      const cookie = cookieOf(response);
      expect((await order({ cookie, origin: 'http://offerbook.test' })).status).toBe(202);
      const again = await open(code);
      expect([again.status, cookieOf(again)]).toEqual([401, '']);
      const text = await again.text();
      expect(text).toContain('already used');
      expect(text).toContain('npx offerbook token login');
    });

    it('signs in only one of many who open it at once', async () => {
      const code = await createLoginCode(test.sql, test.clock.now);
      const answers = await Promise.all(Array.from({ length: 10 }, () => open(code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('expires after 10 minutes', async () => {
      const code = await createLoginCode(test.sql, new Date(test.clock.now.getTime() - 600_000));
      const late = await open(code);
      expect([late.status, await late.text()]).toEqual([401, expect.stringContaining('has expired')]);
      const fresh = await createLoginCode(test.sql, new Date(test.clock.now.getTime() - 599_000));
      expect((await open(fresh)).status).toBe(200);
    });

    it.each(['', 'x', '<script>'])('is invalid without a code: %j', async (code) => {
      const response = await open(code);
      expect(response.status).toBe(401);
      const text = await response.text();
      expect(text).not.toContain('<script>');
      expect(text).toContain(code === '' ? 'has no code' : 'is not valid');
    });
  });

  it('nothing secret is logged', async () => {
    const code = await createLoginCode(test.sql, test.clock.now);
    await test.app.request(`/login?code=${code}`);
    await test.app.request(`/api/status?token=${test.tokens.admin}`, {
      headers: bearerOf(test.tokens.admin),
    });
    const text = JSON.stringify(test.log);
    expect(text).toContain('/login');
    for (const secret of [...Object.values(test.tokens), code]) expect(text).not.toContain(secret);
  });
});

describe('the administrator token', () => {
  const [first, second] = ['the-first-secret', 'the-second-secret'];

  it('is created once, stays the same across starts, and no start replaces it', async () => {
    const test = await createTestApp();
    const status = async (token: string) =>
      (await test.app.request('/api/status', { headers: bearerOf(token) })).status;
    const states = await Promise.all([
      ensureAdminToken(test.sql, first, change),
      ensureAdminToken(test.sql, first, change),
    ]);
    expect(states.sort()).toEqual(['none', 'same']);
    expect(await ensureAdminToken(test.sql, second, change)).toBe('another');
    expect([await status(first), await status(second)]).toEqual([200, 401]);
  });

  it('is changed by its own command, which ends its sessions and is in the audit log', async () => {
    const test = await createTestApp();
    const status = async (headers: Record<string, string>) =>
      (await test.app.request('/api/status', { headers })).status;
    await ensureAdminToken(test.sql, first, change);
    const cookie = cookieOf(await logIn(test, first));
    await changeAdminToken(test.sql, second, change);
    expect([await status(bearerOf(first)), await status(bearerOf(second)), await status({ cookie })]).toEqual(
      [401, 200, 401],
    );
    expect(await status(bearerOf(test.tokens.admin))).toBe(200);
    await expect(changeAdminToken(test.sql, second, change)).rejects.toThrow(
      /is the administrator's token already/,
    );
    const entries = await listAudit(test.sql, { afterSeq: 0, limit: 10 });
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['set-admin-token', 'a test'],
      ['sign-in', 'administrator'],
      ['set-admin-token', 'a test'],
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  it('is not restored by a start after it was revoked', async () => {
    const test = await createTestApp();
    await ensureAdminToken(test.sql, first, change);
    const [token] = (await listTokens(test.sql)).filter(({ name }) => name === 'administrator');
    await endTokens(test.sql, token?.id ?? '', change);
    expect(await ensureAdminToken(test.sql, first, change)).toBe('used up');
    await expect(changeAdminToken(test.sql, first, change)).rejects.toThrow(/OFFERBOOK_TOKEN/);
    await expect(changeAdminToken(test.sql, test.tokens.viewer, change)).rejects.toThrow(UserError);
  });

  it('has at least 16 characters, unless an earlier version created it', async () => {
    const test = await createTestApp();
    await expect(ensureAdminToken(test.sql, 'fifteen-letters', change)).rejects.toThrow(/15 characters/);
    await test.sql`insert into credential (id, kind, role, name, hash) values (gen_random_uuid(), 'token', 'admin',
      'administrator', ${createHash('sha256').update('fifteen-letters').digest('hex')})`;
    expect(await ensureAdminToken(test.sql, 'fifteen-letters', change)).toBe('same');
  });
});

it('the audit log names who created or revoked a token', async () => {
  const test = await createTestApp();
  const headers = { ...bearerOf(test.tokens.admin), 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'dashboard', role: 'viewer' });
  const made = await test.app.request('/api/tokens', { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };
  await test.app.request(`/api/tokens/${id}`, { method: 'DELETE', headers });
  const entries = await listAudit(test.sql, { afterSeq: 0, limit: 10 });
  const noLimits = {
    maxUsdPerHour: null,
    maxInstances: null,
    maxRentsPerDay: null,
    markets: null,
    label: null,
  };
  expect(entries.map(({ action, actor, detail }) => [action, actor, JSON.parse(detail)])).toEqual([
    ['create-token', 'admin of the test', { id, name: 'dashboard', role: 'viewer', ...noLimits }],
    ['revoke-token', 'admin of the test', { id, name: 'dashboard', role: 'viewer' }],
  ]);
});

describe('a stream ends with its credential', () => {
  const open = async (test: TestApp, path: string, headers: Record<string, string>) => {
    const answer = await test.app.request(path, { headers });
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    if (reader === undefined) throw new Error('the answer has no body');
    await reader.read();
    return reader;
  };
  const untilDone = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
    while (!(await reader.read()).done);
  };

  it('events end with a revoked token, a signed-out session or a changed role', async () => {
    const test = await createTestApp();
    const { id, token } = await addToken(test.sql, { name: 'laptop', role: 'viewer' }, change);
    const cookie = cookieOf(await logIn(test, token));
    const own = cookieOf(await logIn(test, test.tokens.operator));
    const stays = await open(test, '/api/events', bearerOf(test.tokens.admin));
    const ending = [
      await open(test, '/api/events', bearerOf(token)),
      await open(test, '/api/events', { cookie }),
      await open(test, '/api/events', { cookie: own }),
      await open(test, '/api/events', bearerOf(test.tokens.viewer)),
    ];
    await endTokens(test.sql, id, change);
    await test.app.request('/api/session', {
      method: 'DELETE',
      headers: { cookie: own, origin: 'http://offerbook.test' },
    });
    await test.sql`update credential set role = 'feed' where name = 'viewer of the test'`;
    await Promise.all(ending.map(untilDone));
    await test.sql`select pg_notify('offerbook_events', '')`;
    const isOpen = await Promise.race([
      untilDone(stays).then(() => 'ended'),
      new Promise((resolve) => setImmediate(() => resolve('open'))),
    ]);
    expect(isOpen).toBe('open');
    await stays.cancel();
  }, 30_000);

  it('a file is cut off, so that it cannot pass for a complete one', async () => {
    const test = await createTestApp();
    const { id, token } = await addToken(test.sql, { name: 'laptop', role: 'viewer' }, change);
    const reader = await open(test, '/api/exports/spend.csv', bearerOf(token));
    await endTokens(test.sql, id, change);
    await expect(reader.closed).rejects.toThrow(/credential of the request has ended/);
  }, 30_000);
});
