import { describe, expect, it } from 'vitest';
import type { Crawl, Market, RankingGroups, Status } from '../../web/core/api.ts';
import { shownRows } from '../../web/prices/market/market-rows.ts';
import { type PageFixture, patiently, perturb, shownPath, widths } from './page-fixture.ts';
import { marketDifferences } from './shown-values.ts';

/** Tests of the views of the market and of its crawls in a real browser. */
export function describePriceViews({ open, ask }: PageFixture): void {
  describe('views of prices', () => {
    it.each(widths)(
      "list every model with the API's figures, and can be searched and sorted, %s wide",
      async (width) => {
        const page = await open('/market', undefined, width);
        await page.locator('#models tbody tr').first().waitFor();
        const path = await shownPath(page, 'market');
        const { items } = await ask<Market>(path);
        expect(items.length).toBeGreaterThan(3);
        const basis = page.locator('#market [data-basis]');
        expect(await basis.textContent()).toContain('newest book of the whole market');
        expect(await basis.getAttribute('data-basis')).toBe((await ask<Market>(path)).observedAt);
        const byGpus = shownRows(items, '', { key: 'gpus', turned: false });
        expect(await marketDifferences(page, byGpus)).toEqual([]);
        // The price of reliable offers, which Deals opens with, is below that of all where it is higher.
        const { groups } = await ask<RankingGroups>(
          '/api/rankings/groups?by=usdPerGpuHour&groupBy=gpuName&verification=verified&minReliability=0.98',
        );
        const reliable = new Map(groups.map(({ gpuName, lowest }) => [gpuName, lowest]));
        const higher = items.filter(({ gpuName, lowest }) => lowest !== (reliable.get(gpuName) ?? null));
        await page.locator('#models [data-reliable]').first().waitFor();
        const smalls = page.locator('#models [data-field=lowest] small');
        expect(await smalls.count()).toBe(items.filter(({ lowest }) => lowest !== null).length);
        expect(await smalls.filter({ hasText: /^reliable [\d.]+$/ }).count()).toBe(
          items.filter(({ gpuName }) => reliable.has(gpuName)).length,
        );
        const [one] = higher.filter(({ gpuName }) => reliable.has(gpuName));
        const small = page.locator(`#models tr[data-model="${one?.gpuName}"] [data-reliable]`);
        expect(Number(await small.getAttribute('data-reliable'))).toBe(reliable.get(one?.gpuName ?? ''));
        expect(await small.textContent()).toMatch(/^reliable [\d.]+$/);
        await page.getByRole('columnheader', { name: 'Median $/GPU-hour' }).getByRole('button').click();
        await expect.poll(() => new URL(page.url()).search, patiently).toBe('?sort=median');
        const cheapest = shownRows(items, '', { key: 'median', turned: false });
        expect(await marketDifferences(page, cheapest)).toEqual([]);
        const wanted = items[0]?.gpuName ?? '';
        await page.getByRole('searchbox').fill(wanted.toLowerCase());
        const found = cheapest.filter(({ gpuName }) => gpuName.toLowerCase().includes(wanted.toLowerCase()));
        await expect.poll(() => page.locator('#models tbody tr').count(), patiently).toBe(found.length);
        await page.route('**/api/market?*', (route) =>
          perturb<Market>(route, (market) => ({
            ...market,
            items: market.items.map((row) => ({ ...row, median: (row.median ?? 0) + 1 })),
          })),
        );
        await page.reload();
        await page.locator('#models tbody tr').first().waitFor();
        expect(await marketDifferences(page, found)).not.toEqual([]);
      },
    );

    it.each(widths)('show each crawl with its certificate in words, %s wide', async (width) => {
      const due = (kind: Status['schedule'][number]['kind'], seconds: number) => ({
        ...{ kind, scope: null, type: null, cron: '* * * * *', timeZone: 'UTC', everyMinutes: null },
        ...{ reason: null, nextAt: new Date(Date.now() + seconds * 1000).toISOString() },
      });
      const ofWatch = { ...due('offers', 90), scope: 'models:H100 SXM' };
      const schedule = [due('instances', 20), ofWatch, due('charges', 630), due('offers', 2430)];
      const page = await open(
        '/crawls',
        (page) =>
          page.route('**/api/status', (route) =>
            perturb<Status>(route, (status) => ({ ...status, schedule })),
          ),
        width,
      );
      await page.locator('#crawls tbody tr').first().waitFor();
      expect(await page.locator('[data-tile=next]').textContent()).toMatch(
        /^Next market crawlin 40 min.*\. Also:your instances .+H100 SXM, for a watch, in 1 mincharges in 10 min$/,
      );
      const { items } = await ask<{ items: Crawl[] }>('/api/crawls?limit=25');
      // Bills may be read meanwhile, books not.
      const [newest] = items.filter(({ kind }) => kind === 'offers');
      const row = page.locator(`#crawls tr[data-crawl="${newest?.id}"]`);
      const offers = row.locator('[data-field=offers]');
      expect(await offers.getAttribute('data-value')).toBe(String(newest?.book?.offers));
      await row.getByRole('link').click();
      const { explanation } = await ask<Crawl>(`/api/crawls/${newest?.id}`);
      await page.locator('.sentences').waitFor();
      expect(await page.locator('.sentences li').allTextContents()).toEqual(explanation);
      expect(explanation.length).toBeGreaterThan(0);
      expect(new URL(page.url()).pathname).toBe(`/crawls/${newest?.id}`);
      await page.route('**/api/crawls?*', (route) =>
        perturb<{ items: Crawl[] }>(route, ({ items, ...rest }) => ({
          ...rest,
          items: items.map((crawl) =>
            crawl.book === null ? crawl : { ...crawl, book: { ...crawl.book, offers: 7 } },
          ),
        })),
      );
      await page.reload();
      await expect.poll(() => offers.getAttribute('data-value'), patiently).toBe('7');
    });

    it('show a crawl under its own address, and a message for an unknown one', async () => {
      const { items } = await ask<{ items: Crawl[] }>('/api/crawls?limit=1000');
      const [complete] = items.filter(({ kind, outcome }) => kind === 'offers' && outcome === 'complete');
      const failed = items.filter(({ outcome }) => outcome === 'failed').length;
      const page = await open(`/crawls/${complete?.id}?outcome=failed`);
      await page.locator('.sentences').waitFor();
      expect(await page.locator('.sentences li').allTextContents()).toEqual(complete?.explanation);
      expect(await page.locator('#crawls tr[data-crawl]').count()).toBe(failed + 1);
      await page.goto(new URL(`/crawls/${crypto.randomUUID()}`, page.url()).href);
      await page.getByText('Crawl not found').waitFor();
      // Complete books of the first history are behind one row, until that is opened.
      await page.route('**/api/crawls?*', (route) =>
        perturb<{ items: Crawl[] }>(route, ({ items: listed, ...rest }) => ({
          ...rest,
          items: listed.map((crawl) => ({ ...crawl, cause: 'seed' as const, outcome: 'complete' as const })),
        })),
      );
      await page.goto(new URL('/crawls', page.url()).href);
      const count = Math.min(25, items.length);
      const rows = page.locator('#crawls tr[data-crawl]');
      await page.locator(`#crawls tr[data-seeded="${count}"]`).waitFor();
      expect(await rows.count()).toBe(0);
      // Its sentence wraps on a phone, where rows are blocks: sideways they never scroll.
      await page.setViewportSize({ width: 390, height: 844 });
      await expect.poll(() => page.locator('.scroll[data-wide] #crawls').count()).toBe(0);
      await page.getByRole('button', { name: `Show ${count} books of the first history` }).click();
      expect(await rows.count()).toBe(count);
    });
  });
}
