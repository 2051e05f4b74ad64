import { describe, expect, it } from 'vitest';
import type { Rankings } from '../../web/core/api.ts';
import { startRecordedOfferbook } from '../support/offerbook-server.ts';
import { settled, usePages } from './page-fixture.ts';
import { actingControls, shownReasons } from './viewing-only.ts';

const newestAt = new Date('2026-03-02T06:00:00Z');

describe('the page of a recorded market', () => {
  const { server, open, ask } = usePages(() => startRecordedOfferbook(newestAt));

  it('offers nothing that acts on the market, says why, and counts ages from the newest book', async () => {
    const page = await open('/deals');
    await page.locator('#ranking tbody tr').first().waitFor();
    const names = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(names).toEqual(['Today', 'Market', 'Trends', 'Deals', 'Watches', 'Crawls', 'Settings']);
    const banner = page.locator('[data-banner=replay]');
    expect(await banner.textContent()).toContain('2 Mar 2026, 01:00');
    // No alarm, whatever the age of the books.
    expect(await page.locator('.alarm').count()).toBe(0);
    const { items } = await ask<Rankings>('/api/rankings?limit=1');
    const acting = /^(Rent|Crawl|Sync|New order|Order|Arm|New template)/;
    const expected: Record<string, string | null> = {
      '/today': null,
      '/market': null,
      '/trends': null,
      '/deals': 'Recorded market: nothing can be rented.',
      [`/listings/${items[0]?.listingId}`]: 'Recorded market: nothing can be rented.',
      '/watches': 'Recorded market: it has no account to alert you about.',
      '/crawls': 'Recorded market: nothing can be crawled.',
      '/settings': null,
    };
    const flaws: string[] = [];
    for (const [path, reason] of Object.entries(expected)) {
      await page.goto(server().url + path);
      await settled(page);
      const offered = (await actingControls(page)).filter((name) => acting.test(name));
      flaws.push(...offered.map((name) => `${path} offers ${name}`));
      const reasons = await shownReasons(page);
      if (reasons.join() !== (reason ?? '')) flaws.push(`${path} says ${reasons.join()}`);
      if ((await page.locator('.alarm').count()) > 0) flaws.push(`${path} has an alarm`);
      // The newest book is now: nothing that the record holds is "months ago".
      const ages = await page
        .locator('main time')
        .evaluateAll(
          (times, newest) =>
            times.flatMap((time) =>
              new Date((time as HTMLTimeElement).dateTime) <= new Date(newest)
                ? [(time as HTMLTimeElement).title]
                : [],
            ),
          newestAt.toISOString(),
        );
      flaws.push(...ages.filter((age) => /( ago|just now)$/.test(age)).map((age) => `${path} has ${age}`));
      if (path === '/deals' && !ages.some((age) => age.endsWith('newest book')))
        flaws.push('no age of the book');
    }
    expect(flaws).toEqual([]);
    for (const path of ['/instances', '/templates', '/volumes', '/orders', '/spend', '/rent/1', '/rent']) {
      await page.goto(server().url + path);
      await settled(page);
      await page.getByText('Recorded market: it has no account').waitFor();
      expect([path, await actingControls(page)]).toEqual([path, []]);
    }
    // Also if the status comes after the view.
    await page.route('**/api/status', async (route) => {
      await page.waitForTimeout(1_500);
      await route.continue();
    });
    await page.goto(`${server().url}/rent`);
    await page.getByText('Recorded market: it has no account').waitFor();
    expect(new URL(page.url()).pathname).toBe('/rent');
    await page.locator('main a[href="/deals"]').waitFor();
  });
});
