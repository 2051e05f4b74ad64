import { describe, expect, it } from 'vitest';
import { type CloreSimulator, createCloreSimulator } from '../../src/simulator/clore/clore-simulator.ts';
import type { Status } from '../../web/core/api.ts';
import { startEmptyOfferbook } from '../support/offerbook-server.ts';
import { patiently, type RunningOfferbook, settled, usePages } from './page-fixture.ts';
import { actingControls } from './viewing-only.ts';

/** A service that follows one market, whose kind has no account here. */
async function startOnOffersAlone(): Promise<RunningOfferbook> {
  const simulator: CloreSimulator = createCloreSimulator({ servers: 60 });
  const { url } = await simulator.listen();
  const server = await startEmptyOfferbook({
    ...{ MARKETS: 'clore', MARKET_CLORE_URL: url, ACTIONS: 'on', MAX_USD_PER_HOUR: '50' },
    ...{ MAX_TOTAL_USD_PER_HOUR: '50', MAX_INSTANCES: '2' },
  });
  return {
    ...server,
    close: async () => {
      await server.close();
      await simulator.close();
    },
  };
}

describe('the page for a market that is only tracked', () => {
  const { open, ask, send } = usePages(startOnOffersAlone);

  it('leaves out what the market cannot do, and says why at its address and where one would rent', async () => {
    await send('POST', '/api/crawls');
    const books = async () => (await ask<Status>('/api/status')).newestBooks.length;
    await expect.poll(books, patiently).toBeGreaterThan(0);
    const page = await open('/deals?by=usdPerGpuHour');
    await page.locator('#ranking tbody tr').first().waitFor();
    const names = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(names).toEqual(['Today', 'Market', 'Trends', 'Deals', 'Watches', 'Crawls', 'Settings']);
    expect(await page.getByRole('link', { name: /^Rent/ }).count()).toBe(0);
    const reason = 'Offerbook does not rent at Clore.ai: rent there yourself.';
    expect(await page.locator('#deals [data-reason]').textContent()).toBe(reason);
    for (const path of ['/instances', '/templates', '/volumes', '/rent/1', '/orders', '/spend']) {
      const view = await open(path);
      await settled(view);
      await view.getByText('Not available for Clore.ai').waitFor();
      expect(await view.locator('main').getByRole('button').count()).toBe(0);
    }
    for (const path of ['/market', '/trends', '/deals', '/watches', '/crawls', '/settings']) {
      const view = await open(path);
      await settled(view);
      const acting = (await actingControls(view)).filter((name) => /rent|instance|order|bill/i.test(name));
      expect([path, acting]).toEqual([path, []]);
    }
    await page.locator('#ranking tbody a').first().click();
    await page.locator('#listing').waitFor();
    expect(await page.getByRole('link', { name: 'Rent…' }).count()).toBe(0);
    await page.getByText(reason).waitFor();
  });
});
