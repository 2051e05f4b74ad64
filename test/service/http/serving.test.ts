import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeClient } from '../../../scripts/describe-client.ts';
import { connect } from '../../../src/database/connection.ts';
import { createApp } from '../../../src/service/http/app.ts';
import { describeApi } from '../../../src/service/http/describe-api.ts';
import { describeDefinitions, documentTables } from '../../../src/service/http/describe-definitions.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'offerbook-page-'));
const webRoot = join(folder, 'dist');
mkdirSync(join(webRoot, 'assets'), { recursive: true });
writeFileSync(join(webRoot, 'index.html'), '<!doctype html><p>the page</p>');
writeFileSync(join(webRoot, 'assets/index-abc123.js'), `export const text = '${'x'.repeat(5000)}';`);
writeFileSync(join(folder, 'secret.txt'), 'not below the page');
afterAll(() => rmSync(folder, { recursive: true }));

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ webRoot });
});

describe('the page', () => {
  it('is served at / without a token and revalidated each time', async () => {
    const response = await test.app.request('/?gpu=RTX+4090');
    expect([response.status, await response.text()]).toEqual([200, '<!doctype html><p>the page</p>']);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  it('caches files whose name changes with their content', async () => {
    const response = await test.app.request('/assets/index-abc123.js');
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets',
    '/none.js',
    '/%',
    '/a%00b',
  ])('%s does not exist', async (path) => {
    const response = await test.app.request(`http://localhost${path}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('not below the page');
  });

  it('an unknown path is a 404 with the page for a reader, and with a problem for a script', async () => {
    for (const [path, accept, type] of [
      ['/nowhere', 'text/html,*/*;q=0.8', 'text/html; charset=UTF-8'],
      ['/nowhere/deeper?x=1', 'text/html', 'text/html; charset=UTF-8'],
      ['/nowhere', '*/*', 'application/problem+json'],
      ['/assets/none.js', 'text/html', 'application/problem+json'],
      ['/api/nowhere', 'text/html', 'application/problem+json'],
    ] as const) {
      const headers = { accept, authorization: `Bearer ${test.tokens.viewer}` };
      const response = await test.app.request(path, { headers });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 404, type]);
      if (type.startsWith('text')) expect(await response.text()).toBe('<!doctype html><p>the page</p>');
    }
  });

  it('says how to build it if it was not built', async () => {
    const { app } = await createTestApp({ webRoot: null });
    const response = await app.request('/');
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm start');
  });
});

describe('every response', () => {
  it('is compressed for clients that accept it', async () => {
    const { tokens, app } = test;
    const headers = { authorization: `Bearer ${tokens.viewer}`, 'accept-encoding': 'gzip' };
    const response = await app.request('/api/openapi.json', { headers });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const text = gunzipSync(await response.arrayBuffer()).toString('utf8');
    expect(JSON.parse(text)).toHaveProperty('openapi', '3.1.0');
  });

  it('is not sent again while it has not changed', async () => {
    const first = await test.get('/api/status');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const ask = async (tag: string) =>
      await test.app.request('/api/status', {
        headers: { authorization: `Bearer ${test.tokens.viewer}`, 'if-none-match': tag },
      });
    const same = await ask(etag);
    expect([same.status, await same.text()]).toEqual([304, '']);
    expect((await ask('"other"')).status).toBe(200);
    await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', [makeOffer(1)]);
    const changed = await ask(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });
});

describe('the reference', () => {
  it('loads nothing from another server', async () => {
    const page = await (await test.get('/api/docs')).text();
    const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toMatch(/^\/api\/docs\//);
      expect((await test.get(link)).status, link).toBe(200);
    }
    const { headers } = await test.get('/api/docs');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("style-src 'self' 'unsafe-inline'");
    expect(policy).not.toMatch(/https?:/);
    await readProblem(await test.get('/api/docs/package.json'), 404);
  });
});

describe('docs/openapi.json', () => {
  const committed = readFileSync(join(root, 'docs/openapi.json'), 'utf8');

  it('matches the routes; npm run openapi writes it', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(committed).toBe(describeApi(version));
  });

  it('matches the client; npm run openapi writes it', async () => {
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    const files = Object.entries(await describeClient(committed));
    expect(files).toHaveLength(3);
    for (const [name, text] of files) expect(read(`client/${name}`), name).toBe(text);
  });

  it('and its companions match the tables; npm run openapi writes them', () => {
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    expect(read('web/core/definitions.json')).toBe(describeDefinitions());
    expect(read('docs/api.md')).toBe(documentTables(read('docs/api.md')));
  });

  it('is what the app serves', async () => {
    const served = await test.json<{ info: { version: string } }>('/api/openapi.json');
    // Served without a port here, which the cookie's name would have.
    const described = committed.replace('"offerbook_session_8080"', '"offerbook_session"');
    const { info, ...others } = JSON.parse(described) as { info: object };
    expect(served).toEqual({ ...others, info: { ...info, version: '0.0.0-test' } });
  });
});

describe('problems', () => {
  it('report an unknown address or method', async () => {
    await test.problem('/api/nothing', 404);
    const headers = { authorization: `Bearer ${test.tokens.admin}` };
    await readProblem(await test.app.request('/api/status', { method: 'PUT', headers }), 404);
    await readProblem(await test.app.request('/nothing'), 404);
  });

  it('reveal nothing about internal errors, which are logged', async () => {
    const broken = await createTestApp({
      mode: async () => {
        throw new Error('password hunter2 in /srv/secret.ts');
      },
    });
    const { detail, type } = await broken.problem('/api/status', 500);
    expect(type).toContain('internal-error');
    expect(detail).not.toMatch(/hunter2|secret/);
    expect(broken.log.filter(({ level }) => level === 'error')).toHaveLength(1);
    const failing = await createTestApp();
    await failing.sql`drop table book cascade`;
    const problem = await failing.problem('/api/status', 500);
    expect(JSON.stringify(problem)).not.toMatch(/book|relation|select/);
  });

  it('report that the database cannot be reached, and end by themselves', async () => {
    const sql = connect({ url: 'postgres://someone:hunter2@127.0.0.1:1/offerbook' });
    const { log } = test;
    const app = createApp({
      sql,
      log: {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: (fields, message) => log.push({ level: 'error', fields, message }),
      },
      now: () => new Date(),
      publicUrl: 'http://offerbook.test',
      version: '1',
      defaultMarket: async () => test.market,
      mode: async () => 'live',
      seeding: () => null,
      crawlNow: async () => ({ crawlIds: [] }),
      maxDataAgeMinutes: 180,
      actionsEnabled: false,
      webRoot: null,
    });
    const headers = { authorization: `Bearer ${test.tokens.viewer}` };
    for (const path of ['/api/status', '/api/trends', '/readyz', '/login?code=x']) {
      const { type, detail } = await readProblem(await app.request(path, { headers }), 503);
      expect(type).toContain('database-unreachable');
      expect(detail).not.toContain('hunter2');
    }
    expect(JSON.stringify(log)).not.toContain('hunter2');
    expect((await app.request('/healthz')).status).toBe(200);
    await sql.end({ timeout: 0 });
  });

  it.each([
    '/healthz',
    '/readyz',
    '/api/status',
    '/api/crawls',
    '/api/crawls/01900000-0000-7000-8000-000000000001',
  ])('name an unknown parameter of %s', async (path) => {
    const { errors } = await test.problem(`${path}?nonsense=1`, 400);
    expect(errors.map(({ name }) => name)).toEqual(['nonsense']);
  });
});
