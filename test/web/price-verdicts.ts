import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Listing, LowestVerdict, Market, Rankings } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, widths } from './page-fixture.ts';

interface Verdicts {
  items: LowestVerdict[];
}

const timing = {
  ...{ grade: 'low' as const, days: 30, books: 700, percentile: 17, text: 'a good time to rent' },
  ...{
    lowerPercent: 17,
    higherPercent: 83,
    medianUsdPerGpuHour: 0.45,
    last: {
      usdPerGpuHour: 0.5,
      since: new Date(Date.now() - 24.1 * 3_600_000).toISOString(),
      until: new Date(Date.now() - 14.1 * 3_600_000).toISOString(),
    },
  },
  claim: 'the lowest price was higher in 83% of the last 30 days',
  sentence: 'a good time to rent: the lowest price was higher in 83% of the last 30 days (700 earlier books)',
};
const verifiedTiming = {
  ...timing,
  ...{
    grade: 'high' as const,
    text: 'a bad time to rent',
    claim: 'the lowest price was lower in 80% of the last 30 days',
  },
  sentence: 'a bad time to rent: the lowest price was lower in 80% of the last 30 days (700 earlier books)',
};

/** Gives the lowest price, and that of verified machines, a month of history. */
export const withMonth = ({ items, ...rest }: Verdicts): Verdicts => ({
  ...rest,
  items: items.map((item) => ({ ...item, timing, verifiedTiming })),
});

/** Opens a page with that history. */
const ofMonth = (page: Page) =>
  page.route('**/api/verdicts?*', (route) => perturb<Verdicts>(route, withMonth));

/** Tests in a real browser of the sentence that says whether a price is low now. */
export function describePriceVerdicts({ open, ask, server, crawled }: PageFixture): void {
  describe('whether the price is low now', () => {
    it.each(widths)('stands above the chart when Trends opens, without a click, %s wide', async (width) => {
      const page = await open('/trends', ofMonth, width);
      const sentence = page.locator('#trend .judgement').first();
      await sentence.waitFor();
      const text = ((await sentence.locator('p').first().textContent()) ?? '').replace(/\s+/g, ' ');
      expect(text).toMatch(/ lowest reliable \$[\d.]+ per GPU-hour with 8 GB of disk, a good time/);
      expect(text).toContain(
        'it was higher than now in 83% of the last 30 days, usually $0.4500; it was $0.5000 for 10 h until 14 h ago.',
      );
      // A lower price of another machine is said, with what it is compared with, when it is asked for.
      const others = sentence.locator('details');
      if ((await others.count()) > 0) {
        await others.getByText('All offers', { exact: true }).click();
        expect(await others.locator('p').textContent()).toMatch(
          /^Lowest of all offers \$[\d.]+, on an? (\w+|verified, but less reliable) machine: a good time to rent: it was higher than now in .* it was \$0\.5000 for 10 h/,
        );
      }
      const chart = await page.locator('.chart').boundingBox();
      expect((await sentence.boundingBox())?.y).toBeLessThan(chart?.y ?? 0);
    });

    it('takes one line for each of several lines, with the unit said once', async () => {
      const page = await open('/trends?gpuName=RTX+4090&type=on-demand&type=bid', ofMonth, 1440);
      const sentences = page.locator('#trend .judgement > p');
      await expect.poll(() => sentences.count(), patiently).toBe(2);
      const lines = await sentences.evaluateAll((each) =>
        each.map((one) => Math.round(one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight))),
      );
      expect(lines).toEqual([1, 1]);
      expect((await sentences.allTextContents()).join()).not.toContain('per GPU-hour');
      expect(await page.locator('#verdicts > .caption').textContent()).toMatch(
        /^Prices are per GPU-hour with 8 GB of disk\. The chart is of all offers: draw only the reliable ones\. Whether it is a good time.* to rent goes by the lowest price alone, not by the median\.$/,
      );
    });

    it('is about the lowest price of the market, which its explanation recomputes', async () => {
      const page = await open('/trends?gpuName=RTX+4090');
      const sentence = page.locator('#trend .judgement');
      const { items } = await ask<Market>('/api/market');
      const lowest = items.find(({ gpuName }) => gpuName === 'RTX 4090')?.lowest;
      expect(lowest).toBeGreaterThan(0);
      const best = await sentence.locator('[data-price=best]').getAttribute('data-value');
      const { items: reliable } = await ask<Rankings>(
        '/api/rankings?gpuName=RTX+4090&by=usdPerGpuHour&minReliability=0.98&verification=verified&limit=1',
      );
      expect(Number(best)).toBe(reliable[0]?.usdPerGpuHour);
      const isLowest = Number(best) === lowest;
      if (!isLowest) await sentence.getByText('All offers', { exact: true }).click();
      const price = sentence.locator(`[data-price=${isLowest ? 'best' : 'lowest'}]`);
      expect(Number(await price.getAttribute('data-value'))).toBe(lowest);
      await price.locator('[data-explain]').click();
      const shown = page.locator(
        `#explanation tr[data-key=${isLowest ? 'usdPerGpuHour' : 'lowest'}] [data-field=shown]`,
      );
      expect(Number(await shown.getAttribute('data-value', patiently))).toBe(lowest);
    });

    it('says in plain words what is missing to tell', async () => {
      const page = await open('/trends?gpuName=RTX+4090', undefined, 390);
      expect(await page.locator('#trend .judgement p').first().textContent()).toContain(
        'not enough history yet: a good time to rent is told by 30 books on 5 of 7 days',
      );
    });

    it('opens its explanation at a tap, of reliable machines too', async () => {
      const page = await open('/trends?gpuName=RTX+4090', ofMonth, 390);
      const claims = page.locator('#trend .judgement .claim [data-explain]');
      await claims.first().waitFor(patiently);
      const queries = await claims.evaluateAll((each) => each.map((one) => one.getAttribute('data-explain')));
      const [ofReliable, of] = queries.map((query) => Object.fromEntries(new URLSearchParams(query ?? '')));
      const asked = { of: 'timing', gpuName: 'RTX 4090', type: 'on-demand' };
      expect(ofReliable).toEqual({ ...asked, verification: 'verified', minReliability: '0.98' });
      if (of !== undefined) expect(of).toEqual(asked);
      await claims.first().click();
      await page.getByRole('dialog').getByText('too little history').waitFor();
    });

    it('says which offers are drawn, and draws those that it is about at a click', async () => {
      const page = await open('/trends?gpuName=RTX+4090&range=7d', ofMonth);
      const words = async () =>
        `${await page.locator('.quotes thead').textContent()} ${await page.locator('#trend .caption', { hasText: 'one per' }).textContent()}`;
      await page.locator('.quotes tbody tr').first().waitFor();
      expect(await words()).toMatch(/Lowest of all offers, outliers too.*All offers.*lowest of all offers/s);
      await page.locator('[data-draw=reliable]').click();
      await expect
        .poll(words, patiently)
        .toMatch(/Lowest of reliable offers.*Reliable offers.*lowest of reliable/s);
      const { searchParams } = new URL(page.url());
      expect([searchParams.get('verification'), searchParams.get('minReliability')]).toEqual([
        'verified',
        '0.98',
      ]);
      expect(await page.locator('[data-draw=reliable]').count()).toBe(0);
      // What is drawn is said: the filters stay closed, and the chart where it was.
      const filters = page.locator('.fold:has([aria-label=Filters])');
      const isOpen = () => filters.evaluate((fold) => (fold as HTMLDetailsElement).open);
      expect(await isOpen()).toBe(false);
      await page.locator('[data-draw=all]').click();
      await expect.poll(words, patiently).toMatch(/lowest of all offers/);
      expect(new URL(page.url()).searchParams.has('verification')).toBe(false);
      await page.locator('[data-draw=reliable]').click();
      await page.locator('[data-draw=all]').waitFor();
      expect(await page.locator('#trend .judgement p').first().textContent()).toContain('lowest reliable $');
      // Of all verified ones it says that their reliability is any; nothing is left of what it said before.
      await filters.locator('summary').click();
      const least = page.locator('input[name=minReliability]');
      await least.fill('');
      await least.press('Enter');
      await expect
        .poll(words, patiently)
        .toMatch(/Lowest of verified offers.*Verified offers.*lowest of verified/s);
      await expect
        .poll(() => page.locator('#trend .judgement p').first().textContent(), patiently)
        .toContain('lowest verified, any reliability, $');
      // A filter that completes them closes nothing.
      await least.fill('98');
      await least.press('Enter');
      await page.locator('[data-draw=all]').waitFor();
      expect(await isOpen()).toBe(true);
      await page.locator('.picker summary').click();
      await page.locator('.picker').getByRole('button', { name: 'All models' }).click();
      await page
        .locator('#trend')
        .getByText('Choose one model to see whether its price is low now')
        .waitFor();
    });

    it('is asked with the filters, and says so where nothing is listed', async () => {
      const page = await open('/trends?gpuName=RTX+4090&minVramGb=900');
      const sentence = page.locator('#trend .judgement');
      expect(await sentence.textContent()).toContain('not listed in the newest book');
    });

    it('keeps the chart while the verdict cannot be read', async () => {
      const page = await open('/trends?gpuName=RTX+4090', (page) =>
        page.route('**/api/verdicts?*', (route) =>
          route.fulfill({ status: 403, json: { title: 'Not for you', detail: null } }),
        ),
      );
      await page.locator('.quotes tbody tr').first().waitFor();
      expect(await page.locator('#trend .problem').textContent()).toContain('Not for you');
    });
  });

  describe('whether a machine is cheap now', () => {
    it.each(widths)('stands above the prices of its listing, %s wide', async (width) => {
      // One that is not the cheapest of the verified machines itself.
      const { items } = await ask<Rankings>('/api/rankings?gpuName=RTX+4090&by=usdPerGpuHour&limit=20');
      const { listingId, usdPerGpuHour } = items.at(-1) ?? {};
      const listing = await ask<Listing>(`/api/listings/${listingId}`);
      const page = await open(`/listings/${listingId}`, undefined, width);
      const sentence = page.locator('#listing .judgement');
      expect(Number(await sentence.getAttribute('data-value'))).toBe(usdPerGpuHour);
      expect(await sentence.textContent()).toMatch(
        /no verdict yet: [34] of 5 needed days with a complete book/,
      );
      await sentence.getByText('This offer beside all others').click();
      const lines = await sentence.locator('li').allTextContents();
      for (const days of [7, 30, 90]) expect(lines.join('\n')).toContain(`${days} days: `);
      const verified = Number(await sentence.locator('[data-verified]').getAttribute('data-verified'));
      expect(verified).toBeGreaterThan(0);
      expect(verified).toBe(listing.lowestVerified?.usdPerGpuHour);
    });

    it('is not green, which says that it is a good time to rent', async () => {
      const { items } = await ask<Rankings>('/api/rankings?gpuName=RTX+4090&limit=1');
      const veryLow = ({ newest, ...listing }: Listing): Listing => {
        const verdict = newest?.verdict ?? null;
        if (newest === null || verdict === null) throw new Error('the newest offer has no verdict');
        const summary = { ...verdict.summary, grade: 'very_low' as const };
        return { ...listing, newest: { ...newest, verdict: { ...verdict, summary } } };
      };
      const page = await open(`/listings/${items[0]?.listingId}`, (page) =>
        page.route(/\/api\/listings\/\d+$/, (route) => perturb<Listing>(route, veryLow)),
      );
      const claim = page.locator('#listing .judgement .claim.great');
      const colors = await claim.evaluate((each) =>
        [each, each.parentElement ?? each].map((part) => getComputedStyle(part).color),
      );
      expect(colors[0]).toBe(colors[1]);
    });

    it('is said of a listing that is not listed now', async () => {
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      const page = await open(`/listings/${items[0]?.listingId}`, (page) =>
        page.route(/\/api\/listings\/\d+$/, (route) =>
          perturb<Listing>(route, (listing) => ({ ...listing, newest: null })),
        ),
      );
      await page.getByText('Not in the newest complete book, so there is no verdict.').waitFor();
    });

    it('stands in a quote, with what it lacks', async () => {
      await crawled();
      const { items } = await ask<Rankings>('/api/rankings?gpuName=RTX+4090&limit=1');
      const page = await open(`/rent/${items[0]?.offerId}`);
      const sentence = page.locator('#machine .judgement');
      expect(Number(await sentence.getAttribute('data-value'))).toBeGreaterThan(0);
      expect(await sentence.textContent()).toContain('no verdict yet: ');
      // That it is cheap beside other machines does not say when to rent.
      await sentence.getByText('This offer beside all others').click();
      const note = sentence.getByText('This says which machine is cheap');
      await note.getByRole('button', { name: 'good time' }).click();
      await note.locator(':popover-open').waitFor();
    });
  });

  describe('Trends without a model in its address', () => {
    const names = (page: Page) => page.locator('.quotes tbody th').allTextContents();
    const address = (page: Page) => new URL(page.url()).searchParams.getAll('gpuName');

    it('opens on the model with the most GPUs listed, in its address, without a step back', async () => {
      const { items } = await ask<Market>('/api/market');
      const [most] = items.toSorted((a, b) => b.gpus - a.gpus);
      const page = await open('/market');
      await page.locator('#models').waitFor();
      await page.getByRole('navigation').getByText('Trends').click();
      await page.locator('.quotes tbody tr').first().waitFor();
      expect([await names(page), address(page)]).toEqual([[most?.gpuName], [most?.gpuName]]);
      await page.goBack();
      expect(new URL(page.url()).pathname).toBe('/market');
    });

    it('opens on the model that was looked at last, if none is pinned', async () => {
      const page = await open('/deals?gpuName=H100+SXM');
      await page.locator('#ranking').waitFor();
      await page.goto(`${server().url}/market`);
      await page.getByRole('navigation').getByText('Trends').click();
      await page.locator('.quotes tbody tr').first().waitFor();
      expect([await names(page), address(page)]).toEqual([['H100 SXM'], ['H100 SXM']]);
    });

    it('opens on pinned models, and keeps them while pins change', async () => {
      const page = await open('/market');
      for (const name of ['RTX 5090', 'RTX 4090']) {
        await page.getByRole('button', { name: `Pin ${name}`, exact: true }).click();
      }
      await page.getByRole('navigation').getByText('Trends').click();
      await page.locator('.quotes tbody tr').first().waitFor();
      expect([await names(page), address(page)]).toEqual(Array(2).fill(['RTX 5090', 'RTX 4090']));
      const pin = page.locator('.judgement').first().locator('button.pin');
      expect(await pin.getAttribute('aria-pressed')).toBe('true');
      await pin.click();
      expect(await pin.getAttribute('aria-pressed')).toBe('false');
      expect(address(page)).toEqual(['RTX 5090', 'RTX 4090']);
    });

    it('draws all models together where they are chosen', async () => {
      const page = await open('/trends?gpuName=RTX+4090');
      await page.locator('.picker summary').click();
      await page.getByRole('button', { name: 'All models' }).click();
      await expect.poll(() => new URL(page.url()).search, patiently).toBe('?models=all');
      await expect.poll(() => names(page), patiently).toEqual(['All models']);
      await page.goto(`${server().url}/trends?models=all&range=all`);
      await page.locator('.quotes tbody tr').first().waitFor();
      expect(await names(page)).toEqual(['All models']);
    });
  });
}
