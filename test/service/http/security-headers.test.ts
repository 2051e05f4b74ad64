import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLoginCode } from '../../../src/service/sign-in/credentials.sql.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'offerbook-headers-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><p>the page</p>');
writeFileSync(join(folder, 'assets/index-abc123.js'), 'export {};');
afterAll(() => rmSync(folder, { recursive: true }));

interface Kind {
  path: string;
  status: number;
  method?: string;
  body?: object;
  /** @default a viewer's token */
  headers?: Record<string, string>;
}

/** One of each kind of response. */
const kinds: Record<string, Kind> = {
  'the page': { path: '/', status: 200, headers: {} },
  'a view of it': { path: '/trends', status: 200, headers: {} },
  'a script of it': { path: '/assets/index-abc123.js', status: 200, headers: {} },
  'an unknown page': { path: '/nowhere', status: 404, headers: { accept: 'text/html' } },
  'a file outside of it': { path: '/..%2fsecret.txt', status: 404, headers: {} },
  health: { path: '/healthz', status: 200, headers: {} },
  metrics: { path: '/metrics', status: 200 },
  'a login link that is of no use': { path: '/login?code=x', status: 401, headers: {} },
  JSON: { path: '/api/status', status: 200 },
  'nothing to say': { path: '/api/session', status: 204, method: 'DELETE' },
  'the reference': { path: '/api/docs', status: 200 },
  'an event stream': { path: '/api/events', status: 200 },
  'a file of data': { path: '/api/exports/spend.csv', status: 200 },
  'a sheet without its link': { path: '/sheets/x/spend.csv', status: 404, headers: {} },
  'a feed without its token': { path: '/api/feeds/deals.rss?watch=x', status: 401, headers: {} },
  MCP: { path: '/mcp', status: 405 },
  'a wrong parameter': { path: '/api/status?nonsense=1', status: 400 },
  'no token': { path: '/api/status', status: 401, headers: {} },
  'a role that is too low': { path: '/api/tokens', status: 403 },
  'an unknown address': { path: '/api/nothing', status: 404 },
  'a body that is too large': {
    path: '/api/crawls',
    status: 413,
    method: 'POST',
    body: { x: 'x'.repeat(70_000) },
  },
  'a foreign host': { path: '/', status: 421, headers: { host: 'evil.example' } },
};

describe.each([
  ['http://offerbook.test', null],
  ['https://offerbook.test', 'max-age=31536000'],
])('with PUBLIC_URL=%s', (publicUrl, strictTransport) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp({ publicUrl, webRoot: folder });
  });

  it.each(Object.entries(kinds))('%s has the headers that protect the page', async (name, kind) => {
    const {
      path,
      status,
      method = 'GET',
      body,
      headers = { authorization: `Bearer ${test.tokens.viewer}` },
    } = kind;
    const response = await test.app.request(path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect({
      status: response.status,
      parts: policy.split('; ').slice(0, 5),
      ...Object.fromEntries(
        [
          'x-content-type-options',
          'x-frame-options',
          'referrer-policy',
          'cross-origin-opener-policy',
          'cross-origin-resource-policy',
          'strict-transport-security',
          'access-control-allow-origin',
          'x-powered-by',
        ].map((header) => [header, response.headers.get(header)]),
      ),
    }).toEqual({
      status,
      parts: [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ],
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': strictTransport,
      'access-control-allow-origin': null,
      'x-powered-by': null,
    });
    expect(policy.includes('unsafe')).toBe(name === 'the reference');
    expect(response.headers.get('permissions-policy')).toMatch(
      /camera=\(\), display-capture=\(\), geolocation=\(\)/,
    );
    // What needs a token is in no cache that others share.
    if (path.startsWith('/api'))
      expect(response.headers.get('cache-control')).toMatch(/private|no-store|no-cache/);
    await response.body?.cancel();
  });

  it('its cookie is for this host, hidden from scripts and other sites, from setting to deleting', async () => {
    const secure = publicUrl.startsWith('https:');
    const code = await createLoginCode(test.sql, test.clock.now);
    const byToken = await test.app.request('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: test.tokens.viewer }),
    });
    const byLink = await test.app.request(`/login?code=${code}`);
    for (const response of [byToken, byLink]) {
      const [pair = '', ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ');
      expect(pair).toMatch(secure ? /^__Host-offerbook_session=session_/ : /^offerbook_session=session_/);
      expect(attributes.sort()).toEqual(
        ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict', ...(secure ? ['Secure'] : [])].sort(),
      );
      const signedIn = await test.app.request('/api/status', { headers: { cookie: pair } });
      expect(signedIn.status).toBe(200);
      const out = await test.app.request('/api/session', {
        method: 'DELETE',
        headers: { cookie: pair, origin: publicUrl },
      });
      expect(out.headers.get('set-cookie')).toMatch(
        secure
          ? /^__Host-offerbook_session=; Max-Age=0; Path=\/; Secure$/
          : /^offerbook_session=; Max-Age=0; Path=\/$/,
      );
      expect((await test.app.request('/api/status', { headers: { cookie: pair } })).status).toBe(401);
    }
    // A cookie that another name of the domain could plant is not read.
    if (secure) {
      const planted = await test.app.request('/api/status', {
        headers: { cookie: 'offerbook_session=session_x' },
      });
      expect(planted.status).toBe(401);
    }
  });
});
