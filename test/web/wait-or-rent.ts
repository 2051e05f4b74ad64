import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import type { LowestVerdicts, Quote, Rankings, WaitOrRent } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, widths } from './page-fixture.ts';
import { withMonth } from './price-verdicts.ts';

const drop = (percent: number, chance: number, medianHours: number | null) => ({
  percent,
  chance,
  medianHours,
});

/** A history in which waiting often paid off and bids lasted. */
const often = (answer: WaitOrRent): WaitOrRent => ({
  ...answer,
  overall: {
    ...{ status: 'ok', books: 900, cases: 42, neededCases: 30 },
    drops: [drop(5, 0.71, 3), drop(10, 0.04, 0.5), drop(20, 0, null)],
  },
  similar: {
    ...{ status: 'ok', books: 90, cases: 12, neededCases: 10 },
    drops: [drop(5, 0.5, 3), drop(10, 0.25, 1), drop(20, 0, null)],
  },
  bidSurvival: {
    observedAt: answer.observedAt,
    bids: [1, 6, 24].flatMap((hours) =>
      [0, 10, 25].map((raisePercent) => ({
        ...{ hours, raisePercent, status: 'ok' as const, share: (raisePercent + 50) / 100 },
        ...{ bids: 500, cases: 60, unknown: 3 },
      })),
    ),
  },
});

const sentenceOf = (page: Page) => page.locator('.waits summary');

/** Tests of waiting or renting in a real browser. */
export function describeWaitOrRent({ open, ask, send, crawled }: PageFixture): void {
  describe('wait or rent', () => {
    it.each(widths)(
      'is answered in Deals after the ranking, for hours in the address, %s wide',
      async (width) => {
        const asked: string[] = [];
        const page = await open(
          '/deals?minReliability=0.9&type=bid',
          async (opened) => {
            opened.on('requestfinished', (request) => asked.push(new URL(request.url()).pathname));
          },
          width,
        );
        await expect.poll(() => sentenceOf(page).textContent(), patiently).toMatch(/not enough history/i);
        // Its reason is not cut, whatever follows it.
        const isCut = (reason: Element) => {
          const [own, line] = [reason, reason.closest('summary')].map((each) =>
            each?.getBoundingClientRect(),
          );
          return !own || !line || own.bottom > line.bottom + 1 || own.right > line.right + 1;
        };
        expect(await page.locator('.waits [data-ready]').evaluate(isCut)).toBe(false);
        expect(asked.indexOf('/api/rankings')).toBeLessThan(asked.indexOf('/api/wait-or-rent'));
        const path = await page.locator('.waits').getAttribute('data-path');
        expect(path).toBe('/api/wait-or-rent?type=bid&minReliability=0.9&hours=24');
        const { overall, observedAt } = await ask<WaitOrRent>(path ?? '');
        expect(overall.status).toBe('insufficient');
        const ready = await page.locator('.waits [data-ready]').getAttribute('data-ready');
        const missingMs = (30 - overall.cases) * 24 * 3_600_000;
        expect(Date.parse(ready ?? '')).toBe(Date.parse(observedAt ?? '') + missingMs);
        expect(await page.locator('.waits section > .caption').first().textContent()).toContain(
          `30 past periods of 24 hours. So far there ${overall.cases === 1 ? 'is' : 'are'} ${overall.cases}. Only times count in which there is a book (snapshot of the market) at least every 3 hours`,
        );

        await page.route('**/api/wait-or-rent?*', (route) => perturb(route, often));
        await sentenceOf(page).click();
        await page.locator('.waits input[value="72"]').click();
        await expect
          .poll(() => sentenceOf(page).textContent(), patiently)
          .toContain(
            'Waiting has paid off about as often as not at prices like now’s: in 5 of 10 past periods of 3 days an offer at least 5% below the lowest price appeared, usually after 3 hours (12 periods); at any price in 7 of 10. 5 of 10 past bids at the minimum were not outbid for 24 hours (60 bids).',
          );
        expect(page.url()).toContain('hours=72');
        const isOpen = () => page.locator('.waits').evaluate((waits) => waits.hasAttribute('open'));
        expect(await isOpen()).toBe(true);
        const value = (row: string) => page.locator(`.waits [${row}]`).getAttribute('data-value');
        expect([await value('data-drop="10"] [data-value'), await value('data-bid="6 25"')]).toEqual([
          '0.04',
          '0.75',
        ]);
        await page.reload();
        await expect
          .poll(() => sentenceOf(page).textContent(), patiently)
          .toContain('past periods of 3 days');
        // Open, it would push the list away when it is answered.
        expect(await isOpen()).toBe(false);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      },
    );

    it('of all models has the room that its sentence takes on a phone, no empty line', async () => {
      const page = await open('/deals', undefined, 390);
      await expect
        .poll(() => sentenceOf(page).textContent(), patiently)
        .toContain('Choose one model to see whether its price is low now.');
      // When there is enough history, it says when it is opened.
      expect(await page.locator('.waits section').textContent()).toMatch(/there is not enough history/);
      const [lines, overflow] = await sentenceOf(page).evaluate((element) => {
        const style = getComputedStyle(element);
        const content =
          element.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
        return [content / Number.parseFloat(style.lineHeight), element.scrollHeight - element.clientHeight];
      });
      expect([Math.round(lines ?? 0), overflow]).toEqual([2, 0]);
    });

    it('says nothing before it knows whether the lowest price is low now', async () => {
      const held = Promise.withResolvers<void>();
      const page = await open('/deals?gpuName=RTX+4090', async (opened) => {
        await opened.route('**/api/verdicts?*', async (route) => {
          await held.promise;
          await perturb<unknown>(route, (answer) => answer);
        });
      });
      const said = page.locator('.waits summary [data-ready]');
      await expect.poll(() => said.textContent(), patiently).toBe('Checking past prices…');
      held.resolve();
      await expect
        .poll(() => said.textContent(), patiently)
        .toMatch(/^An? .*time to rent|not enough history/);
      // Nor are the figures of any number of GPUs shown as those of one.
      const again = {
        verdicts: Promise.withResolvers<void>(),
        'wait-or-rent': Promise.withResolvers<void>(),
      };
      for (const path of ['verdicts', 'wait-or-rent'] as const)
        await page.route(`**/api/${path}?*numGpus=1*`, async (route) => {
          await again[path].promise;
          await perturb<unknown>(route, (answer) => answer);
        });
      await page.locator('select[name="numGpus"]').selectOption('1');
      await expect
        .poll(() => page.locator('.waits summary').textContent(), patiently)
        .toContain('Checking past prices…');
      expect(await page.locator('.waits section.stale').count()).toBe(1);
      again['wait-or-rent'].resolve();
      await expect.poll(() => page.locator('.waits section.stale').count(), patiently).toBe(0);
      expect(await said.textContent()).toBe('Checking past prices…');
      again.verdicts.resolve();
      await expect
        .poll(() => said.textContent(), patiently)
        .toMatch(/time to rent 1 GPU:|not enough history/);
    });

    it('say that the lowest offer is gone, as soon as the page knows it', async () => {
      const path = '/api/verdicts?gpuName=RTX+4090&verification=verified&minReliability=0.98';
      const lowest = (await ask<LowestVerdicts>(path)).items.find(({ type }) => type === 'on-demand')?.lowest;
      const page = await open(
        `/rent/${lowest?.offerId}?gpuName=RTX+4090&listing=${lowest?.listingId}`,
        async (opened) => {
          await opened.route('**/api/verdicts?*', (route) => perturb(route, withMonth));
          await opened.route('**/api/quotes', (route) =>
            route.fulfill({ status: 410, json: { title: 'Gone', status: 410 } }),
          );
        },
      );
      await page.locator('#gone').getByText('RTX 4090').first().waitFor();
      expect(await page.locator('h1').textContent()).toBe('Renton-demand');
      await page.getByRole('link', { name: 'Back to Deals' }).click();
      await expect
        .poll(() => page.locator('.waits summary').textContent(), patiently)
        .toMatch(
          /The lowest offer is gone; with it, an? .* in the newest book; .* The next book judges again\./,
        );
    });

    it.each(widths)('of an offer that ends soon prices one that lasts, %s wide', async (width) => {
      const endingSoon = (answer: Parameters<typeof withMonth>[0]) => ({
        ...withMonth(answer),
        items: withMonth(answer).items.map((item) => ({
          ...item,
          lowest: item.lowest && { ...item.lowest, maxDurationHours: 25 },
        })),
      });
      const page = await open(
        '/deals?gpuName=RTX+4090&runningHours=60',
        async (opened) => {
          await opened.route('**/api/verdicts?*', (route) => perturb(route, endingSoon));
        },
        width,
      );
      const waits = page.locator('.waits');
      const ends = 'The host ends the cheapest offer in \\d+ (h|min)( \\d+ min)?';
      await expect
        .poll(() => waits.textContent(), patiently)
        .toMatch(
          new RegExp(
            `${ends}, before the 60 h of the usage profile; the list below can have such offers last\\.`,
          ),
        );
      await page.goto(`${page.url()}&endingLast=true`);
      const { items } = await ask<Rankings>(
        '/api/rankings?gpuName=RTX%204090&verification=verified&minReliability=0.98&by=usdPerGpuHour&outliersLast=true&limit=200',
      );
      const lasting = items.find(({ maxDurationHours: hours }) => hours === null || hours >= 60);
      const price = waits.locator('summary [data-lasting]');
      await expect
        .poll(() => price.textContent(), patiently)
        .toMatch(
          /^The lowest that lasts 60 h costs \$[\d.]+, (as much as|\d+% (more|less) than) the usual lowest price of any offer; earlier prices of such offers are not known\. $/,
        );
      expect(await price.getAttribute('data-lasting')).toBe(String(lasting?.usdPerGpuHour));
      // Said once, and not cut.
      expect(await waits.textContent()).not.toContain('before the 60 h');
      const overflow = await waits
        .locator('summary')
        .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
      expect(overflow).toBeLessThanOrEqual(1);
      // An outlier price is no answer.
      await page.route(/\/api\/rankings\?.*limit=1$/, (route) =>
        perturb<Rankings>(route, (answer) => ({
          ...answer,
          items: answer.items.map((item) => ({ ...item, isOutlier: true })),
        })),
      );
      await page.reload();
      await expect.poll(() => price.textContent(), patiently).toContain('No offer lasts 60 h.');
    });

    it('is answered on a quote for comparable offers of the search that led there', async () => {
      // The books so far come from a market with other machines.
      await crawled();
      const request = { image: 'ubuntu:24.04', diskGb: 16 };
      const quote = await vi.waitFor(async () => {
        const { items } = await ask<Rankings>('/api/rankings?minReliability=0.5&outliersLast=true&limit=1');
        return await send<Quote>('POST', '/api/quotes', { ...request, offerId: items[0]?.offerId });
      }, patiently);
      const page = await open('/deals?minReliability=0.5&deverifiedLast=false');
      const link = page.locator(`#ranking a[href^="/rent/${quote.offerId}?minReliability=0.5"]`);
      const verdicts: string[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/api/verdicts') verdicts.push(searchParams.toString());
      });
      await link.click();
      await page.locator('#quote').waitFor();
      await expect.poll(() => sentenceOf(page).textContent(), patiently).toMatch(/not enough history/i);
      const path = new URL((await page.locator('.waits').getAttribute('data-path')) ?? '', page.url());
      const { gpuName, numGpus, verification } = quote.offer;
      expect(Object.fromEntries(path.searchParams)).toEqual({
        ...{ gpuName, numGpus: `${numGpus}`, ...(verification === null ? {} : { verification }) },
        ...{ type: 'on-demand', minReliability: '0.5', storageGb: '8', hours: '24' },
      });
      // The time is judged by the lowest price of offers with as many GPUs, whichever way led here.
      await expect.poll(() => verdicts, patiently).not.toEqual([]);
      expect(Object.fromEntries(new URLSearchParams(verdicts[0]))).toEqual({
        ...{ gpuName, numGpus: `${numGpus}`, type: 'on-demand', minReliability: '0.5' },
      });
      // It is read before the form.
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const [said, form] = [
          await sentenceOf(page).boundingBox(),
          await page.locator('#rent').boundingBox(),
        ];
        expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThan(form?.y ?? 0);
        // However long it is, it is not cut; its usual length has room before it is known.
        const [cut, lines] = await sentenceOf(page).evaluate((element) => {
          const { overflow, minHeight, lineHeight } = getComputedStyle(element);
          return [overflow, Number.parseFloat(minHeight) / Number.parseFloat(lineHeight)];
        });
        expect([cut, lines]).toEqual(['visible', width === 390 ? 6 : 2]);
      }
      // The button is within two screens of a phone.
      const button = await page.locator('#quote button.primary').boundingBox();
      expect(button?.y).toBeLessThan(2 * 844);
      // This view lists no offers below.
      await page.route('**/api/verdicts?*', (route) =>
        perturb<LowestVerdicts>(route, (answer) => ({
          ...answer,
          items: withMonth(answer).items.map((item) => ({
            ...item,
            lowest: item.lowest && { ...item.lowest, maxDurationHours: 10 },
          })),
        })),
      );
      await page.reload();
      await expect
        .poll(() => page.locator('.waits [data-meanwhile]').textContent(), patiently)
        .toMatch(
          /^Until then it only says how the lowest price now compares with those of 700 earlier books, and whether it is a good time.*; Deals can have such offers last\.$/,
        );
    });
  });
}
