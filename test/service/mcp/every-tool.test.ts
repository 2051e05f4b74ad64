import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Quote, Rankings, Rented } from '../../../client/client.js';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { createToken } from '../../../src/service/sign-in/credentials.sql.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { startOfferbook } from '../../support/offerbook-server.ts';
import { createTestApp } from '../../support/test-app.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';
import type { RunningOfferbook } from '../../web/page-fixture.ts';
import { type Agent, connectAgent, connectOverHttp, crawlNow } from './agent-client.ts';

const program = fileURLToPath(new URL('../../../bin/offerbook.mjs', import.meta.url));
const maxBytes = 8 * 1024;
const acting = ['rent', 'stop_instance', 'start_instance', 'destroy_instance'];

/** `offerbook mcp` as a process with these settings. */
const overStdio = async (settings: Record<string, string>): Promise<Agent> => {
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, ...settings };
  return await connectAgent(
    new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }),
  );
};

/** An agent that remembers which tools it has called, each of whose answers has to be one, and short. */
function recording(agent: Agent) {
  const called = new Set<string>();
  const call: Agent['call'] = async <Data>(name: string, given: object = {}) => {
    const answer = await agent.call<Data>(name, given);
    expect([name, answer.isError, answer.text]).toEqual([name, false, expect.stringMatching(/\w/)]);
    expect(answer.bytes, name).toBeLessThan(maxBytes);
    called.add(name);
    return answer;
  };
  return { called, call };
}

describe('every tool that an operator sees', () => {
  let server: RunningOfferbook;
  let token: string;
  beforeAll(async () => {
    server = await startOfferbook();
    await crawlNow(server);
    ({ token } = await createToken(server.sql, { name: 'agent', role: 'operator' }));
  });
  afterAll(async () => await server.close());

  it.each<[string, number, () => Promise<Agent>]>([
    ['HTTP', 0, async () => await connectOverHttp(server.url, token)],
    ['stdio', 1, async () => await overStdio({ OFFERBOOK_URL: server.url, OFFERBOOK_TOKEN: token })],
  ])(
    'can be called over %s, from looking to destroying what was rented',
    async (transport, place, connect) => {
      const agent = await connect();
      const { called, call } = recording(agent);
      await call('market_overview');
      await call('price_trend', { gpuName: 'RTX 4090', bucket: '1h' });
      const { data: deals } = await call<Rankings>('find_deals', { limit: 20, numGpus: [1] });
      const machines = new Map(deals.items.map((item) => [item.machineId, item]));
      const deal = [...machines.values()][place];
      await call('explain_price', { listingId: deal?.listingId });
      await call('wait_or_rent', { hours: 24 });
      await call('spend_summary');
      await call('list_alerts');
      await call('create_watch', { name: `over ${transport}`, filters: { minVramGb: 24 } });
      const wanted = { offerId: deal?.offerId, image: 'ubuntu:24.04', diskGb: 8 };
      const { data: quote } = await call<Quote>('quote', wanted);
      const key = { quoteId: quote.quoteId, idempotencyKey: `over-${transport}` };
      const { data: rented } = await call<Rented>('rent', { ...wanted, ...key });
      const { instanceId } = rented;
      expect(instanceId).not.toBeNull();
      const listed = async () =>
        (await call<{ items: { instanceId: number }[] }>('list_instances')).data.items.map(
          (one) => one.instanceId,
        );
      await expect.poll(listed, { timeout: 60_000 }).toContain(instanceId);
      await call('stop_instance', { instanceId });
      await call('start_instance', { instanceId });
      await call('destroy_instance', { instanceId, confirmInstanceId: instanceId });
      expect([...called].sort()).toEqual((await agent.names()).sort());
      expect(called.size).toBe(14);
    },
    180_000,
  );
});

describe('`offerbook mcp` without a server', () => {
  it('reads the database itself, and shows tools that act only where they may', async () => {
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'offerbook-mcp-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { id } = await ensureMarket(database.sql, 'simulator', 'simulated');
    const at = new Date().toISOString();
    await landOffers(database.sql, id, at, [makeOffer(1), makeOffer(2, { gpuName: 'RTX 5090' })]);
    const settings = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
    const agent = await overStdio(settings);
    const { data } = await recording(agent).call<{ observedAt: string; items: { gpuName: string }[] }>(
      'market_overview',
    );
    expect(data.observedAt).toBe(at);
    expect(data.items.map(({ gpuName }) => gpuName).sort()).toEqual(['RTX 4090', 'RTX 5090']);
    const { data: deals } = await recording(agent).call<Rankings>('find_deals');
    expect(deals.items.map(({ offerId }) => offerId).sort()).toEqual([1, 2]);
    expect(await agent.names()).toEqual(expect.arrayContaining(acting));
    const reading = await overStdio({ ...settings, ACTIONS: 'off' });
    expect((await reading.names()).filter((name) => acting.includes(name))).toEqual([]);
    expect(await reading.names()).toContain('find_deals');
  });
});

describe('the answers of tools on a large market', () => {
  it('are below 8 KB, say how much is left out, and count the rest', async () => {
    const { sql, app, tokens, market, clock } = await createTestApp();
    // Long names, and text that takes several bytes a character.
    const nameOf = (model: number) => `GPU ${model} ${'名'.repeat(30)}`;
    const offers = Array.from({ length: 3_000 }, (_, index) =>
      makeOffer(index + 1, { gpuName: nameOf(index % 300), baseUsdPerHour: 0.1 + index / 10_000 }),
    );
    for (const hours of [2, 1, 0]) {
      const at = new Date(clock.now.getTime() - hours * 3_600_000 - 60_000).toISOString();
      await landOffers(sql, market.id, at, offers);
    }
    const fetchFromApp = (async (input: URL | RequestInfo, init?: RequestInit) =>
      await app.request(String(input), init)) as typeof fetch;
    const agent = await connectOverHttp('http://localhost', tokens.viewer, fetchFromApp);
    const { call, called } = recording(agent);
    const overview = await call<{ items: object[]; leftOut: number }>('market_overview');
    expect(overview.data.items.length).toBeGreaterThan(3);
    expect(overview.data.items.length + overview.data.leftOut).toBe(300);
    expect(overview.text).toContain(`${overview.data.leftOut} more are left out`);
    const deals = await call<{ items: { listingId: string }[]; leftOut: number }>('find_deals', {
      limit: 20,
    });
    expect(deals.data.items.length + deals.data.leftOut).toBe(20);
    await call('price_trend', { gpuName: nameOf(7), bucket: 'book' });
    await call('explain_price', { listingId: deals.data.items[0]?.listingId });
    await call('wait_or_rent', { gpuName: Array.from({ length: 50 }, (_, model) => nameOf(model)) });
    for (const name of (await agent.names()).filter((each) => !called.has(each))) await call(name);
    expect(called.size).toBe(8);
  });
});
