import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFetchText } from '../../../src/prices/catalogs/fetch-text.ts';
import { importCatalog } from '../../../src/prices/catalogs/import-catalog.ts';
import { catalogSchedules, createCatalogHandler } from '../../../src/service/catalog-work.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { card, makeCatalog } from './made-catalog.ts';

const signal = new AbortController().signal;
const now = () => new Date('2026-07-30T12:00:00Z');

/** The address of a server that answers so. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a byte at a time for as long as somebody listens. */
const dripping: RequestListener = (_, response) => {
  const timer = setInterval(() => response.write('x'), 50);
  response.on('close', () => clearInterval(timer));
};

describe('a catalog from an address', () => {
  const limits = { maxBytes: 1024 * 1024, signal };

  it('is read whole if private addresses are allowed, and otherwise refused', async () => {
    const url = await serve((_, response) => response.end('a,b\n'));
    expect(await createFetchText({ allowPrivate: true })(`${url}/x.csv`, limits)).toBe('a,b\n');
    await expect(createFetchText({ allowPrivate: false })(`${url}/x.csv`, limits)).rejects.toThrow(
      `${url}/x.csv cannot be fetched: the address 127.0.0.1 is not on the public internet`,
    );
  });

  it.each<[string, RequestListener, string, number?]>([
    [
      'moved',
      (_, response) => void response.writeHead(302, { location: '/y' }).end(),
      'redirects are not followed',
    ],
    ['not there', (_, response) => void response.writeHead(404).end(), 'HTTP 404'],
    [
      'too large',
      (_, response) => void response.end('x'.repeat(2 * 1024 * 1024)),
      'it has more than 1 MB; download it, keep the rows with GPUs, and import the file',
    ],
    ['silent', () => {}, 'no answer within 0.5 s (UND_ERR_HEADERS_TIMEOUT); try again later', 30_000],
    ['endless', dripping, 'it did not end within 1 s; try again later, or download it'],
  ])('that is %s is refused in words, without its secret query', async (_, answer, reason, maxMs = 1_000) => {
    const url = await serve(answer);
    const fetched = createFetchText({ allowPrivate: true, timeoutMs: 500, maxMs })(
      `${url}/x.csv?key=secret`,
      limits,
    );
    const { message } = (await fetched.catch((error: unknown) => error)) as Error;
    expect(message).toContain(`${url}/x.csv cannot be fetched: `);
    expect(message).toContain(reason);
    expect(message).not.toContain('secret');
  });

  it('stores nothing if it is broken or has an impossible date', async () => {
    const { sql } = await createTestDatabase();
    const url = await serve((_, response) => response.end(`${makeCatalog([card()])}cut,off`));
    const fetchText = createFetchText({ allowPrivate: true });
    const request = { source: `${url}/a.csv`, provider: 'a', asOf: null, replace: false, signal };
    await expect(importCatalog({ sql, now, fetchText }, request)).rejects.toThrow('line 3 has 2 fields');
    const ahead = { ...request, asOf: new Date('2026-08-01T00:00:00Z') };
    await expect(importCatalog({ sql, now, fetchText }, ahead)).rejects.toThrow('--as-of');
    const [rows] = await sql`select (select count(*)::int from catalog_price) + (select count(*)::int
      from catalog_snapshot) as count`;
    expect(rows?.count).toBe(0);
  });
});

describe('catalogs of the settings', () => {
  it('are read at the ticks of their schedule, which is off by default', async () => {
    const { sql } = await createTestDatabase();
    let text = makeCatalog([card()]);
    const url = await serve((_, response) => response.end(text));
    const settings = { CATALOGS: `a=${url}/a.csv  b=/nowhere/b.csv`, WEBHOOK_ALLOW_PRIVATE: 'on' };
    expect(catalogSchedules({ sql, config: loadConfig(settings) })).toEqual([]);
    const config = loadConfig({ ...settings, FETCH_CATALOGS: '40 5 * * *' });
    const schedules = catalogSchedules({ sql, config });
    expect(schedules).toMatchObject([
      { key: 'catalog|a', queue: 'fetch-catalogs', cron: '40 5 * * *' },
      { key: 'catalog|b' },
    ]);
    expect(await schedules[0]?.newestCrawl()).toBeNull();
    let at = now();
    const handle = createCatalogHandler({ sql, config, log: silentLog, now: () => at });
    const job = (provider: string) => ({
      ...{ id: provider, queue: 'fetch-catalogs' as const, key: provider, retries: 0, priority: 0 },
      ...{ data: { provider }, traceId: null },
    });
    expect(await handle([job('a'), job('b'), job('gone')], signal)).toEqual(
      new Map<string, object>([
        ['a', { kind: 'done' }],
        ['b', { kind: 'again', reason: '/nowhere/b.csv cannot be read (ENOENT): check the path.' }],
        ['gone', { kind: 'done' }],
      ]),
    );
    expect(await schedules[0]?.newestCrawl()).toEqual(at);
    text = makeCatalog([card({ Price: 1 })]);
    at = new Date('2026-07-31T12:00:00Z');
    await handle([job('a')], signal);
    const prices = await sql`select usd_per_hour::text as usd from catalog_price order by valid_from`;
    expect(prices.map(({ usd }) => usd)).toEqual(['0.5', '1']);
  });

  it('are refused with a sentence if they are invalid', () => {
    expect(() => loadConfig({ CATALOGS: 'https://host.example/vms.csv' })).toThrow('expected NAME=ADDRESS');
    expect(() => loadConfig({ FETCH_CATALOGS: '0 * * * *' })).toThrow('CATALOGS: is missing');
  });
});
