import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  Alerts,
  Instances,
  Market,
  Rankings,
  Spend,
  Trends,
  WaitOrRent,
} from '../../../client/client.js';
import { createClient } from '../../../client/client.js';
import { createToken } from '../../../src/service/sign-in/credentials.sql.ts';
import { startOfferbook } from '../../support/offerbook-server.ts';
import { createTestApp } from '../../support/test-app.ts';
import type { RunningOfferbook } from '../../web/page-fixture.ts';
import { type Agent, connectAgent, connectOverHttp } from './agent-client.ts';

const program = fileURLToPath(new URL('../../../bin/offerbook.mjs', import.meta.url));
const reading = [
  ...['market_overview', 'price_trend', 'find_deals', 'explain_price', 'wait_or_rent'],
  ...['list_instances', 'spend_summary', 'list_alerts'],
];
const maxBytes = 8 * 1024;

let server: RunningOfferbook;
let viewer: string;

beforeAll(async () => {
  server = await startOfferbook();
  viewer = (await createToken(server.sql, { name: 'looks', role: 'viewer' })).token;
});

afterAll(async () => {
  await server.close();
});

const overStdio = async (token = viewer): Promise<Agent> => {
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, OFFERBOOK_URL: server.url, OFFERBOOK_TOKEN: token };
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env });
  return await connectAgent(transport);
};
const overHttp = async () => await connectOverHttp(server.url, viewer);

/** Tools of roles that may act, where actions are on. */
const acting = ['quote', 'rent', 'stop_instance', 'start_instance', 'destroy_instance', 'create_watch'];

describe.each([
  ['stdio', () => overStdio()],
  ['HTTP', overHttp],
] as const)('over %s', (_, connect) => {
  it('a viewer sees the reading tools only, and each answers with the figures of the API', async () => {
    const agent = await connect();
    const api = createClient({ baseUrl: server.url, token: viewer });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(reading);
    expect(tools.every(({ annotations, outputSchema }) => annotations?.readOnlyHint && outputSchema)).toBe(
      true,
    );

    const market = await agent.call<Market>('market_overview');
    const wholeMarket = await api.getMarketOverview();
    const [model] = market.data.items;
    expect(model).toMatchObject({
      median: wholeMarket.items[0]?.median,
      lowest: wholeMarket.items[0]?.lowest,
    });
    expect(market.data.items.length + Number((market.data as { leftOut?: number }).leftOut)).toBe(
      wholeMarket.items.length,
    );
    expect(market.text).toContain(`${server.url}/market`);
    const gpuName = model?.gpuName ?? '';

    const range = { bucket: '1d' as const };
    const trend = await agent.call<Trends['series'][number]>('price_trend', { ...range, gpuName });
    const [series] = (await api.getTrends({ ...range, gpuName: [gpuName] })).series;
    expect(trend.data.points.length).toBeGreaterThan(1);
    expect(trend.data.points.map(({ t, median }) => [t, median])).toEqual(
      series?.points.map(({ t, median }) => [t, median]),
    );

    const wanted = { minReliability: 0.5, limit: 20 };
    const deals = await agent.call<Rankings>('find_deals', wanted);
    const ranked = (await api.getRankings(wanted)).items;
    expect(ranked.length).toBeGreaterThan(3);
    expect(deals.data.items).toEqual(
      ranked
        .slice(0, deals.data.items.length)
        .map(({ offerId, usdPerHour, listingId }) =>
          expect.objectContaining({ offerId, usdPerHour, listingId }),
        ),
    );

    const listingId = deals.data.items[0]?.listingId ?? '';
    const explained = await agent.call<{ text: string[]; agrees: boolean }>('explain_price', { listingId });
    const { text } = await api.explainFigure({ of: 'verdict', listingId, days: '30' });
    expect(explained.data).toMatchObject({ text, agrees: true });

    const wait = await agent.call<WaitOrRent>('wait_or_rent', { gpuName: [gpuName], hours: 12 });
    const { priceNow, hours } = await api.getWaitOrRent({ gpuName: [gpuName], hours: 12 });
    expect(wait.data).toMatchObject({ priceNow, hours });
    expect(priceNow).toBeGreaterThan(0);

    const instances = await agent.call<Instances>('list_instances');
    expect(instances.data.totalUsdPerHour).toBe((await api.listInstances()).totalUsdPerHour);
    const spend = await agent.call<Spend>('spend_summary', { groupBy: 'month' });
    const { totals, from } = await api.getSpend({ groupBy: 'month' });
    expect(spend.data).toMatchObject({ totals, from });
    const alerts = await agent.call<Alerts>('list_alerts');
    expect(alerts.data.items).toEqual((await api.listAlerts()).items);
    for (const answer of [market, trend, deals, explained, wait, instances, spend, alerts]) {
      expect(answer.isError, answer.text).toBe(false);
      expect(answer.bytes).toBeLessThan(maxBytes);
    }
  });

  it('what is wrong with a call is answered in words', async () => {
    const agent = await connect();
    const unknown = await agent.call('price_trend', { gpuName: 'RTX 4090', timezone: 'UTC' });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('timezone') });
    const none = await agent.call('explain_price', { listingId: '999999999' });
    expect(none).toMatchObject({ isError: true, text: expect.stringMatching(/listing/i) });
    expect(await agent.call('rent', { quoteId: 'x' })).toMatchObject({ isError: true });
  });

  it('the meaning of every figure is a resource', async () => {
    const { client } = await connect();
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(40);
    const { contents } = await client.readResource({ uri: 'offerbook://meaning/wait-or-rent' });
    expect(contents[0]).toMatchObject({ text: expect.stringMatching(/^## Wait or rent\n[\s\S]+168/) });
  });
});

describe('/mcp', () => {
  it('needs a token, and answers other methods than POST with what to do', async () => {
    const send = async (method: string, token: string) =>
      await fetch(`${server.url}/mcp`, { method, headers: { authorization: `Bearer ${token}` } });
    expect((await send('POST', 'no-token-of-this-service')).status).toBe(401);
    const refused = await send('GET', viewer);
    expect([refused.status, await refused.text()]).toEqual([405, expect.stringContaining('POST')]);
    expect(refused.headers.get('allow')).toBe('POST');
  });

  it('shows a role its tools only, and those that act only where actions are on', async () => {
    const names = async (actionsEnabled: boolean, role: 'viewer' | 'operator') => {
      const { app, tokens } = await createTestApp({ actionsEnabled });
      const fetchFromApp = async (input: URL | RequestInfo, init?: RequestInit) =>
        await app.request(String(input), init);
      return await (
        await connectOverHttp('http://localhost', tokens[role], fetchFromApp as typeof fetch)
      ).names();
    };
    expect(await names(true, 'viewer')).toEqual(reading);
    const operator = await names(false, 'operator');
    expect(operator.filter((name) => !reading.includes(name))).toEqual(['quote', 'create_watch']);
  });

  it('an operator has the acting tools over stdio too, where actions are on', async () => {
    const { token } = await createToken(server.sql, { name: 'acts', role: 'operator' });
    const agent = await overStdio(token);
    expect((await agent.names()).sort()).toEqual([...reading, ...acting].sort());
    const refused = await agent.call('destroy_instance', { instanceId: 7, confirmInstanceId: 8 });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('nothing was destroyed') });
  });

  it('an operator saves a watch with create_watch', async () => {
    const { token } = await createToken(server.sql, { name: 'saves', role: 'operator' });
    const agent = await connectOverHttp(server.url, token);
    const saved = await agent.call<{ id: string }>('create_watch', {
      ...{ name: 'of an agent', filters: { minVramGb: 24, country: ['DE', 'NO'] }, top: 3 },
    });
    expect(saved.text).toContain('of an agent');
    const stored = await createClient({ baseUrl: server.url, token }).getWatch({ id: saved.data.id });
    expect(stored).toMatchObject({ filters: { minVramGb: 24, country: ['DE', 'NO'] }, top: 3 });
  });
});
