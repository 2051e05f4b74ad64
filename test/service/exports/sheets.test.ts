import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startService } from '../../../src/main.ts';
import { loadConfig } from '../../../src/service/config.ts';
import type { NewSheetLinkAnswer, SheetLinksAnswer } from '../../../src/service/exports/sheets.routes.ts';
import { isReachable } from '../../../src/service/http/reachable.ts';
import { landBills, makeCharge } from '../../support/made-bills.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const charge = (amountUsd: string) =>
  makeCharge(1, { start: '2026-07-01T00:00:00Z', end: '2026-07-02T00:00:00Z', amountUsd });

async function make(app: TestApp, body: object, role: 'viewer' | 'operator' = 'operator'): Promise<Response> {
  return await app.app.request('/api/sheets', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${app.tokens[role]}`, 'content-type': 'application/json' },
  });
}

describe('a live sheet', () => {
  it('returns its CSV to anyone with the link, with conditional requests, until it is revoked', async () => {
    const app = await createTestApp({ sheetsUrl: 'https://sheets.example.org' }, 'live');
    await landBills(app.sql, app.market.id, 'charge', '2026-07-03T00:00:00Z', [charge('3')]);
    expect((await make(app, { export: 'spend' }, 'viewer')).status).toBe(403);
    await readProblem(await make(app, { export: 'spend', query: { gpu: 'x' } }), 400);
    const made = (await (
      await make(app, { export: 'spend', query: { locale: 'de' } })
    ).json()) as NewSheetLinkAnswer;
    const { pathname, origin } = new URL(made.url);
    expect([origin, made.reachable, made.hint]).toEqual(['https://sheets.example.org', true, null]);
    expect(made.formulas.googleSheets).toBe(`=IMPORTDATA("${made.url}")`);
    const first = await app.app.request(pathname);
    const text = await first.text();
    expect([first.status, first.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/csv/),
    ]);
    expect(text).toMatch(/^\uFEFF?kind;entryId;.*\r\nconsumption;1;2026-07-01 00:00:00;.*;3;charged;/);
    const etag = first.headers.get('etag') ?? '';
    const again = await app.app.request(pathname, { headers: { 'if-none-match': etag } });
    expect([etag, again.status, await again.text()]).toEqual([expect.stringMatching(/\w/), 304, '']);
    await landBills(app.sql, app.market.id, 'charge', '2026-07-04T00:00:00Z', [
      { ...charge('4'), contentHash: 'new' },
    ]);
    const changed = await app.app.request(pathname, { headers: { 'if-none-match': etag } });
    expect([changed.status, await changed.text()]).toEqual([200, expect.stringMatching(/;4;charged;/)]);
    const { items } = (await (await app.get('/api/sheets', 'operator')).json()) as SheetLinksAnswer;
    expect(items).toMatchObject([
      { id: made.id, export: 'spend', lastReadAt: expect.any(String), revokedAt: null },
    ]);
    const token = pathname.split('/')[2] ?? '';
    expect(JSON.stringify(items)).not.toContain(token);
    // Nothing else is open to it, and it is in no log.
    for (const path of [
      `/sheets/${token}/focus.csv`,
      `/sheets/${token}x/spend.csv`,
      `/sheets/${made.id}/spend.csv`,
    ]) {
      await readProblem(await app.app.request(path), 404);
    }
    const bearer = await app.app.request('/api/status', { headers: { authorization: `Bearer ${token}` } });
    expect(bearer.status).toBe(401);
    const revoked = await app.app.request(`/api/sheets/${made.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${app.tokens.operator}` },
    });
    expect([revoked.status, (await app.app.request(pathname)).status]).toEqual([204, 404]);
    expect(JSON.stringify(app.log)).not.toContain(token);
    expect(JSON.stringify(app.log)).toContain('/sheets/-/spend.csv');
  });

  it('ends its query when its reader leaves', { timeout: 240_000 }, async () => {
    const app = await createTestApp({}, 'live');
    const made = (await (await make(app, { export: 'spend' })).json()) as NewSheetLinkAnswer;
    const waiting = async (): Promise<number> => {
      const [row] = await app.sql<{ count: number }[]>`
        select count(*) as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'copy%'`;
      return row?.count ?? 0;
    };
    const patience = { timeout: 60_000, interval: 20 };
    const holder = await app.sql.reserve();
    await holder`begin`;
    await holder`lock table billing_version in access exclusive mode`;
    const reader = new AbortController();
    const reading = Promise.allSettled([
      app.app.request(new URL(made.url).pathname, { signal: reader.signal }),
    ]);
    await vi.waitFor(async () => expect(await waiting()).toBe(1), patience);
    reader.abort();
    // The lock that it waits for is still held, so only closing it ends the wait.
    await vi.waitFor(async () => expect(await waiting()).toBe(0), patience);
    await holder`rollback`;
    holder.release();
    await reading;
    expect((await app.app.request(new URL(made.url).pathname)).status).toBe(200);
  });

  it('warns if others cannot reach its address', async () => {
    const app = await createTestApp({ publicUrl: 'http://127.0.0.1:8080' }, 'live');
    const made = (await (await make(app, { export: 'spend-summary' })).json()) as NewSheetLinkAnswer;
    expect([made.reachable, made.hint]).toEqual([
      false,
      expect.stringMatching(/cannot reach it.*PUBLIC_URL/s),
    ]);
    const hosts = ['sheets.example.org', '8.8.8.8', '[2606:4700::1111]'];
    const inside = [
      'nas',
      'nas.local',
      'host.docker.internal',
      '10.0.0.7',
      '100.64.0.1',
      '[::1]',
      '[fd00::1]',
    ];
    const named = (host: string): string => new URL(`http://${host}:8080`).hostname;
    expect(hosts.map((host) => isReachable(named(host)))).toEqual(hosts.map(() => true));
    expect(inside.map((host) => isReachable(named(host)))).toEqual(inside.map(() => false));
  });

  it('has a port of its own that only serves sheets and feeds', { timeout: 120_000 }, async () => {
    const { target } = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-sheets-'));
    const token = 'a-token-of-the-tests';
    const service = await startService(
      loadConfig({
        ...{ DATABASE_URL: databaseUrl(target), DATA_DIR: dataDir, PORT: '0', SHEETS_PORT: '0', ROLE: 'api' },
        OFFERBOOK_TOKEN: token,
      }),
      silentLog,
    );
    try {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ export: 'spend-summary' });
      const answer = await fetch(`${service.url}/api/sheets`, { method: 'POST', headers, body });
      const { pathname } = new URL(((await answer.json()) as NewSheetLinkAnswer).url);
      const sheets = `http://127.0.0.1:${service.sheetsPort}`;
      const sheet = await fetch(`${sheets}${pathname}`);
      expect([sheet.status, await sheet.text()]).toEqual([200, expect.stringMatching(/^groupBy,key,/)]);
      for (const path of [
        '/',
        '/api/status',
        '/healthz',
        '/metrics',
        '/api/sheets',
        '/api/exports/spend.csv',
      ]) {
        expect((await fetch(`${sheets}${path}`, { headers })).status, path).toBe(404);
      }
      expect((await fetch(`${sheets}/api/feeds/../status`, { headers })).status).toBe(404);
      expect((await fetch(`${sheets}${pathname}`, { method: 'POST', headers, body })).status).toBe(404);
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
