import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { landBills, makeCharge, makeInvoice } from '../../support/made-bills.ts';
import { runOfferbook } from '../../support/offerbook-command.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { createTestApp } from '../../support/test-app.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const patienceMs = 120_000;

describe('offerbook export', () => {
  let folder: string;
  let sql: Sql;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-export-'));
    const database = await createTestDatabase();
    ({ sql } = database);
    env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
    const { id } = await ensureMarket(sql, 'simulator', 'simulated');
    const charge = {
      start: '2026-03-01T00:00:00Z',
      end: '2026-03-03T00:00:00Z',
      amountUsd: '3',
      label: '=tests',
    };
    await landBills(sql, id, 'charge', '2026-03-04T00:00:00Z', [makeCharge(1, charge)]);
    const payment = { start: '2026-03-02T00:00:00Z', amountUsd: '-20.5' };
    await landBills(sql, id, 'invoice', '2026-03-04T00:00:00Z', [makeInvoice(1, payment)]);
    const offers = ['RTX 4090', 'RTX 5090'].map((gpuName, index) => makeOffer(index + 1, { gpuName }));
    await landOffers(sql, id, '2026-07-30T00:00:00Z', offers);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const march = ['--from', '2026-03-01', '--to', '2026-04-01'];

  it('writes the same bytes as the API for the same filters', async () => {
    const market = { id: 1, name: 'simulator', kind: 'simulated' as const };
    const { id } = await ensureMarket(sql, market.name, market.kind);
    const { createApp } = await import('../../../src/service/http/app.ts');
    const { createToken } = await import('../../../src/service/sign-in/credentials.sql.ts');
    const silent = () => {};
    const app = createApp({
      ...{ sql, log: { debug: silent, info: silent, warn: silent, error: silent }, now: () => new Date() },
      ...{
        publicUrl: 'http://offerbook.test',
        version: 'test',
        defaultMarket: async () => ({ ...market, id }),
      },
      ...{
        mode: async () => 'simulated' as const,
        seeding: () => null,
        crawlNow: async () => ({ crawlIds: [] }),
      },
      ...{ maxDataAgeMinutes: 180, actionsEnabled: false, webRoot: null },
    });
    const { token } = await createToken(sql, { name: 'export', role: 'viewer' });
    const cases: [file: string, query: string, args: string[]][] = [
      ['spend.csv', 'from=2026-03-01&to=2026-04-01', march],
      ['spend.csv', 'from=2026-03-01&to=2026-04-01&locale=de', [...march, '--locale', 'de']],
      ['spend.xlsx', 'from=2026-03-01&to=2026-04-01', march],
      ['spend-summary.csv', 'from=2026-03-01&to=2026-04-01&groupBy=day', [...march, '--group-by', 'day']],
      [
        'rankings.csv',
        'gpuName=RTX%204090&by=usdPerGpuHour',
        ['--filter', 'gpuName=RTX 4090', 'by=usdPerGpuHour'],
      ],
      [
        'trends.csv',
        'gpuName=RTX%204090&gpuName=RTX%205090&from=2026-07-30&to=2026-07-31&bucket=book',
        [
          ...['--from', '2026-07-30', '--to', '2026-07-31'],
          ...['--filter', 'gpuName=RTX 4090', 'gpuName=RTX 5090', 'bucket=book'],
        ],
      ],
      ['offers.ndjson', '', []],
      ['spend.json', 'from=2026-03-01&to=2026-04-01', march],
      ['spend.parquet', 'from=2026-03-01&to=2026-04-01', march],
      [
        'focus.csv',
        'from=2026-03-01&to=2026-04-01&timeZone=Europe/Berlin',
        [...march, '--time-zone', 'Europe/Berlin'],
      ],
      ['rentals.csv', 'from=2026-03-01&to=2026-04-01', march],
    ];
    for (const [file, query, args] of cases) {
      const answer = await app.request(`/api/exports/${file}?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const expected = Buffer.from(await answer.arrayBuffer());
      expect(answer.status, file).toBe(200);
      const out = join(folder, file);
      const [name = ''] = file.split('.');
      const { code, notes, stdout } = await runInProcess(
        ['export', name, ...args, '--out', out],
        loadConfig(env),
      );
      expect([code, notes, stdout], file).toEqual([0, [], expect.stringContaining(`Wrote ${out}`)]);
      const got = await readFile(out);
      expect(got.equals(expected), file).toBe(true);
      const [, asOf] = /--as-of (\S+)` repeats it/.exec(stdout) ?? [];
      expect(asOf !== undefined, file).toBe(/^(spend|focus)/.test(file));
      if (asOf !== undefined) {
        const again = ['export', name, ...args, '--out', out, '--as-of', asOf];
        expect((await runInProcess(again, loadConfig(env))).code, file).toBe(0);
        expect((await readFile(out)).equals(expected), file).toBe(true);
      }
      expect(got.length, file).toBeGreaterThan(100);
    }
    const points = parse(await readFile(join(folder, 'trends.csv')), { columns: true }) as object[];
    expect(points).toMatchObject([
      {
        key: 'on-demand|RTX 4090',
        metric: 'usdPerGpuHour',
        unit: 'USD/GPU/hour',
        bucket: 'book',
        offers: '1',
      },
      { key: 'on-demand|RTX 5090', t: '2026-07-30T00:00:00Z', books: '1', gpus: '1', median: '0.401' },
    ]);
    const stdout = await runOfferbook(['export', 'spend', ...march], env);
    expect([stdout.code, stdout.stdout]).toEqual([0, expect.stringContaining("'=tests")]);
  });

  it('exits with 2 for a wrong parameter and leaves no file', async () => {
    const out = join(folder, 'wrong.csv');
    const wrong = await runInProcess(['export', 'spend', '--filter', 'gpu=x', '--out', out], loadConfig(env));
    expect([wrong.code, wrong.notes.join()]).toEqual([2, expect.stringMatching(/gpu/)]);
    await expect(readFile(out)).rejects.toThrow();
    expect((await runInProcess(['export', 'everything'], loadConfig(env))).code).toBe(2);
  });
});

describe('a client that goes away', () => {
  it('ends the query of its export, and a failed query ends the connection', {
    timeout: patienceMs,
  }, async () => {
    const test = await createTestApp({}, 'live');
    // Enough that the answer is never whole in the buffers on its way.
    await test.sql`
      insert into billing_entry (market_id, kind, identity, ordinal, start_at, first_seen_at, last_seen_at)
      select ${test.market.id}, 'charge', n::text, 1, '2026-06-01', '2026-06-02', '2026-06-02' from generate_series(1, 60000) n`;
    await test.sql`
      insert into billing_version (entry_id, seen_from, seen_to, content_hash, start_at, end_at, description, amount_usd, raw)
      select id, '2026-06-02', 'infinity', 'x', start_at, start_at + interval '1 hour',
        (select string_agg(md5(id || ' ' || n), '') from generate_series(1, 31) n), 1, '{}'
      from billing_entry`;
    const server = serve({ fetch: test.app.fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const running = async (): Promise<number> => {
      // Active, or between two groups of rows.
      const [row] = await test.sql<{ count: number }[]>`
        select count(*) as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
          and backend_type = 'client backend'`;
      return row?.count ?? 0;
    };
    for (const format of ['csv', 'ndjson', 'json', 'xlsx', 'parquet']) {
      const client = request({
        ...{ port, host: '127.0.0.1', path: `/api/exports/spend.${format}?from=2026-05-01&to=2026-07-01` },
        headers: { authorization: `Bearer ${test.tokens.viewer}` },
      });
      client.on('error', () => {}).end();
      const [response] = (await once(client, 'response')) as [import('node:http').IncomingMessage];
      response.on('error', () => {});
      await once(response, 'data');
      response.pause();
      await vi.waitFor(async () => expect(await running()).toBe(1), { timeout: patienceMs, interval: 50 });
      client.destroy();
      await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: patienceMs, interval: 50 });
    }
    expect(test.log.filter(({ level }) => level === 'error')).toEqual([]);
    // The other way round: a query that fails cuts the connection, and the server lives on.
    const address = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${test.tokens.viewer}` };
    const answer = await fetch(`${address}/api/exports/spend.csv?from=2026-05-01&to=2026-07-01`, { headers });
    await vi.waitFor(async () => expect(await running()).toBe(1), { timeout: patienceMs, interval: 50 });
    let isBroken = false;
    const broken = expect(answer.text())
      .rejects.toThrow()
      .finally(() => {
        isBroken = true;
      });
    // Between two groups of rows there is nothing to cancel.
    while (!isBroken) {
      await test.sql`select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'copy (select%' and state = 'active'`;
    }
    await broken;
    expect(test.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      'an export broke off',
    ]);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    server.close();
  });
});
