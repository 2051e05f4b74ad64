import { beforeAll, describe, expect, it } from 'vitest';
import {
  createClient,
  type Explanation,
  type FigureExplanation,
  type Rankings,
} from '../../../client/client.js';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestApp } from '../../support/test-app.ts';
import { connectOverHttp } from './agent-client.ts';

let test: Awaited<ReturnType<typeof createTestApp>>;
beforeAll(async () => {
  test = await createTestApp();
  const { sql, market, clock } = test;
  const offers = Array.from({ length: 12 }, (_, index) =>
    makeOffer(index + 1, { numGpus: 1 + (index % 2), baseUsdPerHour: 0.4 + index / 100 }),
  );
  for (const hours of [48, 24, 0]) {
    const at = new Date(clock.now.getTime() - hours * 3_600_000 - 60_000).toISOString();
    await landOffers(sql, market.id, at, offers);
    const bids = offers.map((offer) => ({ ...offer, baseUsdPerHour: offer.baseUsdPerHour / 2 }));
    await landOffers(sql, market.id, at, bids, { type: 'bid' });
  }
});

async function connect() {
  const request = (async (input: URL | RequestInfo, init?: RequestInit) =>
    await test.app.request(String(input), init)) as typeof fetch;
  const token = test.tokens.viewer;
  const agent = await connectOverHttp('http://localhost', token, request);
  return { agent, api: createClient({ baseUrl: 'http://localhost', token, fetch: request }) };
}

describe('explain_price', () => {
  const ranking = { type: ['bid' as const], by: 'usdPerGpuHour' as const, numGpus: [2], storageGb: 100 };

  /** The third of a ranking of bids. */
  async function findBid() {
    const { agent, api } = await connect();
    const { data } = await agent.call<Rankings>('find_deals', ranking);
    expect(data.items).toHaveLength(5);
    const { listingId = '', type } = data.items[2] ?? {};
    expect(type).toBe('bid');
    return { agent, api, listingId };
  }

  it('explains the verdict of a bid, with and without its type', async () => {
    const { agent, api, listingId } = await findBid();
    const { text } = await api.explainFigure({ of: 'verdict', listingId, type: ['bid'], days: '7' });
    for (const given of [{}, { type: ['bid'] }, { type: ['on-demand', 'bid'], numGpus: [2] }]) {
      const answer = await agent.call<FigureExplanation>('explain_price', { listingId, days: '7', ...given });
      expect([answer.isError, answer.data]).toMatchObject([false, { of: 'verdict', text, agrees: true }]);
    }
  });

  it('explains the place in the ranking that find_deals showed', async () => {
    const { agent, api, listingId } = await findBid();
    const asked = { listingId, of: 'ranking' as const, ...ranking };
    const { text, formula } = await api.explainFigure(asked);
    const { data } = await agent.call<Explanation>('explain_price', asked);
    expect(data).toMatchObject({ of: 'ranking', text, formula, taken: 6, agrees: true });
    expect(data.text[1]).toContain('Rank 3:');
    expect(data.formula).toContain('100');
  });

  it('explains the price of a listing with the disk that was asked for', async () => {
    const { agent, api, listingId } = await findBid();
    const asked = { listingId, of: 'listing' as const, storageGb: 100 };
    const { text, formula } = await api.explainFigure(asked);
    const { data } = await agent.call<FigureExplanation>('explain_price', asked);
    expect(data).toMatchObject({ of: 'listing', text, formula, agrees: true });
    expect(data.formula).toContain('× 100 /');
  });

  it('says that only a ranking has a metric', async () => {
    const { agent, listingId } = await findBid();
    expect(await agent.call('explain_price', { listingId, by: 'usdPerGpuHour' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('`of` = `ranking`'),
    });
  });
});

describe('market_overview', () => {
  it('says what to do if no model has the name', async () => {
    const { agent } = await connect();
    expect((await agent.call('market_overview', { gpuName: ['RTX 4090'] })).text).toMatch(
      /^1 models on-demand/,
    );
    const { text, isError } = await agent.call('market_overview', { gpuName: ['RTX4090'] });
    expect(isError).toBe(false);
    expect(text).toContain('No model of that name is on offer; without gpuName all are listed.');
  });
});

describe('the link of an answer', () => {
  // The page's names: `q` in market-view.tsx, `unit` and `group` in spend-view.tsx, `hours` in wait-or-rent.tsx, `reliable` in
  // reliable-query.ts.
  it.each<[string, object, string]>([
    ['market_overview', { type: 'bid', gpuName: ['RTX 4090'] }, '/market?q=RTX+4090&type=bid'],
    ['market_overview', { gpuName: ['RTX 4090', 'RTX 5090'] }, '/market'],
    ['spend_summary', { from: '2026-02-01', groupBy: 'label' }, '/spend?from=2026-02-01&group=label'],
    ['spend_summary', { groupBy: 'week', timeZone: 'Asia/Tokyo' }, '/spend?unit=week'],
    ['spend_summary', {}, '/spend?unit=month'],
    [
      'find_deals',
      { by: 'usdPerGpuHour', numGpus: [1, 2], limit: 3 },
      '/deals?by=usdPerGpuHour&deverifiedLast=false&numGpus=1&numGpus=2&outliersLast=false&reliable=off',
    ],
    [
      'wait_or_rent',
      { type: 'bid', hours: 12 },
      '/deals?deverifiedLast=false&hours=12&outliersLast=false&reliable=off&type=bid',
    ],
    [
      'explain_price',
      { listingId: '1', of: 'ranking', by: 'usdPerGpuHour' },
      '/deals?by=usdPerGpuHour&deverifiedLast=false&outliersLast=false&reliable=off',
    ],
    ['explain_price', { listingId: '1', of: 'listing', storageGb: 30 }, '/listings/1?storageGb=30'],
    ['list_instances', {}, '/instances'],
  ])('of %s for %j has the parameters that the view reads', async (tool, given, link) => {
    const { agent } = await connect();
    const { data, text } = await agent.call<{ page: string }>(tool, given);
    const { pathname, searchParams } = new URL(data.page);
    searchParams.sort();
    expect(`${pathname}${searchParams.size === 0 ? '' : '?'}${searchParams}`, text).toBe(link);
  });
});
