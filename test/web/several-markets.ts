import { beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Market, PriceIndex, Rankings, Status, Trends } from '../../web/core/api.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { describeComparedFigures } from './compared-figures.ts';
import { type PageFixture, patiently, perturb, settled, widths } from './page-fixture.ts';
import { asRecord, type PlainBook } from './plain-books.ts';
import { readRanking } from './shown-values.ts';

const own = 'simulator';
const both = `market=${own}&market=other`;
const gpu = 'RTX 4090';
const named = `gpuName=${encodeURIComponent(gpu)}`;
const hourMs = 3_600_000;

/** The offers of the other market, as they were made. */
const landed: PlainBook[] = [];

/** Tests of the page with a second market in the database; they run after all tests with only one. */
export function describeSeveralMarkets(pages: PageFixture): void {
  const { open, ask, send, server } = pages;
  describe('several markets', () => {
    beforeAll(async () => {
      const page = await open('/market');
      await settled(page);
      expect(await page.getByRole('group', { name: 'Market' }).count()).toBe(0);
      expect(await page.getByRole('columnheader', { name: 'Market' }).count()).toBe(0);
      const { sql } = server();
      // A recorded market would become the configured one, and next to a live one the service would not start again.
      const { id } = await ensureMarket(sql, 'other', 'simulated');
      const now = Date.now();
      for (const [place, age] of [48, 24, 0].entries()) {
        const at = new Date(now - age * hourMs - 60_000).toISOString();
        const offers = [0, 1, 2, 3].map((n) =>
          makeOffer(n + 1, { baseUsdPerHour: 0.001 + 0.001 * (n + place), dlperf: 100 }),
        );
        await landOffers(sql, id, at, [...offers, makeOffer(9, { gpuName: 'Only there', dlperf: 1 })]);
        landed.push({ at, records: offers.map(asRecord) });
      }
    });

    it('each have their data age and failures under Crawls, and a stale one is named at the top of the page', async () => {
      const page = await open('/crawls', (page) =>
        page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({
            ...status,
            markets: [
              {
                market: own,
                state: 'ready',
                detail: null,
                lastCompleteBook: { observedAt: '2026-07-01T09:00:00Z', ageMinutes: 60 },
                books: [],
                lastEnded: [],
              },
              {
                market: 'other',
                state: 'data-too-old',
                detail: 'too old',
                lastCompleteBook: { observedAt: '2026-07-01T00:00:00Z', ageMinutes: 600 },
                books: [],
                lastEnded: [
                  { type: 'bid', endedAt: '2026-07-01T09:00:00Z', outcome: 'failed', reason: 'it hung' },
                ],
              },
            ],
          })),
        ),
      );
      const rows = page.locator('#crawled-markets tbody tr');
      await rows.nth(1).waitFor();
      const cells = await rows.evaluateAll((all) =>
        all.map((row) => [...row.children].map(({ textContent }) => textContent ?? '')),
      );
      expect(cells.map(([name, , failures]) => [name, failures])).toEqual([
        [own, 'None'],
        ['other', 'bid failed: it hung'],
      ]);
      expect(cells[1]?.[1]).toMatch(/\(\d+ \w+ ago\)/);
      const banner = page.locator('[data-banner=market]');
      expect(await banner.textContent()).toMatch(/^other has no current prices\. .*10 h old/);
      const asked = page.waitForRequest(/\/api\/crawls\?.*market=other/);
      await page.locator('select[name=market]').selectOption('other');
      await asked;
      const ordered = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByRole('button', { name: 'Crawl now' }).click();
      expect((await ordered).postDataJSON()).toEqual({ market: 'other' });
      // The settings of this server do not contain it.
      await page.getByText(/"other" is not crawled here/).waitFor();
    });

    it.each(widths)('are chosen in a view and carried between views, %s wide', async (width) => {
      const page = await open('/market', undefined, width);
      await page.getByRole('checkbox', { name: 'other' }).check();
      const search = () => new URL(page.url()).searchParams.getAll('market');
      await expect.poll(search, patiently).toEqual([own, 'other']);
      for (const view of ['Trends', 'Deals', 'Market']) {
        await page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click();
        await page.getByRole('checkbox', { name: 'other', checked: true }).waitFor();
        expect(search()).toEqual([own, 'other']);
      }
      expect(await page.getByRole('link', { name: 'Watches' }).getAttribute('href')).toBe('/watches');
      await page.getByRole('checkbox', { name: 'other' }).uncheck();
      await expect.poll(search, patiently).toEqual([]);
    });

    it('are requested once per status', async () => {
      const asked: Record<string, number> = {};
      const page = await open('/market', async (page) => {
        page.on('request', (request) => {
          const { pathname } = new URL(request.url());
          asked[pathname] = (asked[pathname] ?? 0) + 1;
        });
      });
      await settled(page);
      await page.getByRole('checkbox', { name: 'other' }).check();
      await page.locator('#models tr[data-market=other]').first().waitFor();
      await page.waitForTimeout(1_000);
      expect(asked['/api/markets']).toBe(asked['/api/status']);
      expect(asked['/api/market']).toBe(2);
    });

    it('each have a row for a model, with links that keep the market', async () => {
      const page = await open(`/market?${both}`);
      await page.locator('#models tr[data-market=other]').first().waitFor();
      const { items } = await ask<Market>(`/api/market?type=on-demand&${both}`);
      const shown = await page.locator('#models tbody tr').evaluateAll((rows) =>
        rows.map((row) => {
          const { market, model } = (row as HTMLElement).dataset;
          const cell = row.querySelector<HTMLElement>('[data-field=median]');
          return `${market} ${model} ${cell?.dataset.value}`;
        }),
      );
      expect(shown.toSorted()).toEqual(
        items.map(({ market, gpuName, median }) => `${market} ${gpuName} ${median}`).toSorted(),
      );
      const row = page.locator(`#models tr[data-market=other][data-model="${gpu}"]`);
      expect(await row.locator('td').first().textContent()).toBe('other');
      const hrefs = await row
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(hrefs.map((href) => new URL(href ?? '', page.url()).searchParams.getAll('market'))).toEqual([
        ['other'],
        ['other'],
      ]);
      await row.locator('[data-explain]').first().click();
      await page
        .getByRole('dialog')
        .getByText(/median/i)
        .first()
        .waitFor();
    });

    it.each(widths)(
      'have their own lines in Trends, each as if its market were the only one, %s wide',
      async (width) => {
        const page = await open(`/trends?${named}&${both}`, undefined, width);
        const rows = page.locator('#trend .quotes tbody tr');
        await expect
          .poll(() => rows.locator('th').allTextContents(), patiently)
          .toEqual([`${gpu} · ${own}`, `${gpu} · other`]);
        const swatches = await rows
          .locator('i')
          .evaluateAll((marks) => marks.map(({ className }) => className));
        expect(swatches).toEqual(['swatch s0', 'swatch s1']);
        await page.locator('#trend details.values summary').click();
        for (const market of [own, 'other']) {
          await page.getByLabel('Series').selectOption(`${gpu} · ${market}`);
          const alone = await ask<Trends>(`/api/trends?${named}&market=${market}`);
          const medians = page.locator('#trend-values [data-field=median]');
          const values = () =>
            medians.evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset.value)));
          const wanted = alone.series[0]?.points.map(({ median }) => median).toReversed();
          await expect.poll(values, patiently).toEqual(wanted);
          expect(wanted?.length).toBeGreaterThan(2);
        }
        const changed = page.locator('#change-table tbody tr');
        const names = await changed.locator('th').allTextContents();
        expect(names).toEqual([`${gpu} · ${own}`, `${gpu} · other`]);
      },
    );

    describeComparedFigures(pages, landed);

    it('leave out the line of a market that never listed a model', async () => {
      const page = await open(`/trends?${named}&gpuName=Only+there&${both}`);
      await expect
        .poll(() => page.locator('#trend .quotes tbody th').allTextContents(), patiently)
        .toEqual([`${gpu} · ${own}`, `${gpu} · other`, 'Only there · other']);
    });

    it('each have their own index', async () => {
      const page = await open(`/trends?${named}&${both}&metric=index`);
      const rows = page.locator('#trend .quotes tbody tr');
      await expect
        .poll(() => rows.locator('th').allTextContents(), patiently)
        .toEqual([`${gpu} · ${own}`, `${gpu} · other`]);
      await settled(page);
      const path = (await page.locator('#trend > .content').getAttribute('data-path')) ?? '';
      const { series } = await ask<PriceIndex>(path);
      expect(series.map(({ market }) => market)).toEqual([own, 'other']);
      const level = (place: number) => series[place]?.points.at(-1)?.rebased;
      const cells = rows.locator('[data-field=rebased]');
      expect(await cells.nth(1).getAttribute('data-value')).toBe(String(level(1)));
    });

    it('have their blocked machines in one list under Settings, each with its market', async () => {
      for (const [market, machineId] of [
        [own, 777_001],
        ['other', 777_002],
      ]) {
        await send('POST', '/api/blocklist', { machineId, market });
      }
      const page = await open('/settings');
      const rows = page.locator('#blocklist tbody tr').filter({ hasText: /machine 77700/ });
      await expect
        .poll(() => rows.locator('th, td:nth-child(2)').allTextContents(), patiently)
        .toEqual(['machine 777001', own, 'machine 777002', 'other']);
      await rows.filter({ hasText: 'other' }).getByRole('button', { name: 'Remove' }).click();
      await expect.poll(() => rows.count(), patiently).toBe(1);
      const { items } = await ask<{ items: { id: string; machineId: number }[] }>(`/api/blocklist?${both}`);
      expect(items.some(({ machineId }) => machineId === 777_002)).toBe(false);
      const mine = items.find(({ machineId }) => machineId === 777_001);
      await send('DELETE', `/api/blocklist/${mine?.id}`);
    });

    it.each(widths)(
      'are ranked in one table, and only offers of the market with an account can be rented, %s wide',
      async (width) => {
        const page = await open(
          `/deals?by=usdPerGpuHour&reliable=off&deverifiedLast=false&outliersLast=false&${both}`,
          undefined,
          width,
        );
        await page.locator('#ranking [data-market=other]').first().waitFor();
        const { items } = await ask<Rankings>(`/api/rankings?by=usdPerGpuHour&limit=50&${both}`);
        const shown = await readRanking(page);
        expect(shown.map(({ key, values }) => [key, values.value])).toEqual(
          items.map(({ offerId, value }) => [String(offerId), value]),
        );
        const markets = await page.locator('#ranking tbody [data-market]').allTextContents();
        expect(markets).toEqual(items.map(({ market }) => market));
        await page.locator('#ranking tr[data-rank="3"] [data-field=value] [data-explain]').click();
        const rank = page.locator('#explanation tr[data-key=rank]');
        await rank.waitFor();
        for (const field of ['shown', 'again'])
          expect(await rank.locator(`[data-field=${field}]`).getAttribute('data-value')).toBe('3');
        await page.keyboard.press('Escape');
        const row = (market: string) =>
          page
            .locator('#ranking tbody tr')
            .filter({ has: page.locator(`[data-market=${market}]`) })
            .first();
        expect(await row(own).getByRole('link', { name: /^Rent/ }).count()).toBe(1);
        expect(await row('other').getByRole('link', { name: /^Rent/ }).count()).toBe(0);
        expect(await row('other').getByText('No account').getAttribute('title')).toContain('other');
        const waits = async () => await page.locator('.waits summary [data-market]').allTextContents();
        await expect
          .poll(async () => (await waits()).map((words) => words.split(':')[0]), patiently)
          .toEqual([own, 'other']);
        await row('other').getByRole('link').first().click();
        await page.locator('#listing').waitFor();
        expect(new URL(page.url()).search).toBe('?market=other');
        await page.getByText('No account').waitFor();
        expect(await page.getByRole('link', { name: 'Rent…' }).count()).toBe(0);
        const trend = page.getByRole('link', { name: /^Trend of/ });
        expect(await trend.getAttribute('href')).toContain('market=other');
      },
    );
  });
}
