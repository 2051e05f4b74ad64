import { describe, expect, it } from 'vitest';
import type { BlockEntry, Listing, ListingHistory, Rankings } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, settled, shownPath, widths } from './page-fixture.ts';
import { rawValues } from './shown-values.ts';

/** Returns a history with one price, listed throughout but for a book in between that lacks the listing. */
function withGap(history: ListingHistory): ListingHistory {
  const { from, to, priceIntervals, episodes } = history;
  const third = (Date.parse(to) - Date.parse(from)) / 3;
  const at = (thirds: number): string => new Date(Date.parse(from) + thirds * third).toISOString();
  return {
    ...history,
    priceIntervals: priceIntervals.slice(0, 1).map((run) => ({ ...run, from, to: null, usdPerGpuHour: 7 })),
    episodes: episodes
      .slice(0, 1)
      .map((each) => ({ ...each, startedAt: from, endedAt: null, endedBy: null })),
    presence: [
      { from, to: at(1), open: false },
      { from: at(2), to, open: true },
    ],
  };
}

/** Tests of the view of a listing in a real browser. */
export function describeListingViews({ server, open, ask }: PageFixture): void {
  describe('the view of a listing', () => {
    const firstListing = async () => {
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      return items[0]?.listingId ?? '';
    };

    it.each(widths)("leads from a deal to its listing with the API's episodes, %s wide", async (width) => {
      const page = await open(
        '/deals?reliable=off&deverifiedLast=false&outliersLast=false',
        undefined,
        width,
      );
      await page.locator('#ranking tbody th a').first().click();
      await settled(page);
      const id = await firstListing();
      expect(new URL(page.url()).pathname).toBe(`/listings/${id}`);
      const { gpuName, numGpus } = await ask<Listing>(`/api/listings/${id}`);
      await page.getByRole('heading', { name: `${gpuName} × ${numGpus}` }).waitFor();
      const actions = page.locator('.view-head').locator('a.button, button, .choice');
      const rent = actions.first();
      expect([await rent.textContent(), await rent.getAttribute('class')]).toEqual([
        'Rent…',
        'button primary',
      ]);
      if (width === 390) {
        const places = await Promise.all((await actions.all()).map((each) => each.boundingBox()));
        expect(new Set(places.slice(-3).map((place) => place?.y)).size).toBe(1);
      }
      const { episodes } = await ask<ListingHistory>(await shownPath(page, 'listing'));
      const shown = () =>
        page
          .locator('#episodes [data-field=listedForSeconds]')
          .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset.value)));
      expect(episodes.length).toBeGreaterThan(0);
      expect(await page.locator('#episodes thead').textContent()).toContain('Listed foruntil first missed');
      await page.getByText('If only one book lacks it, the period does not end.').waitFor();
      expect(await shown()).toEqual(episodes.toReversed().map(({ listedForSeconds }) => listedForSeconds));
      await page.route('**/api/listings/*/history*', (route) =>
        perturb<ListingHistory>(route, (history) => ({
          ...history,
          episodes: history.episodes.map((episode) => ({ ...episode, listedForSeconds: 1 })),
        })),
      );
      await page.reload();
      await expect.poll(shown, patiently).toEqual(episodes.map(() => 1));
      await page.route('**/api/listings/*/history*', (route) =>
        perturb<ListingHistory>(route, (history) => {
          const newest = new Date(Date.parse(history.to) - 1).toISOString();
          const since = { startedAt: newest, lastSeenAt: newest, listedForSeconds: 0 };
          const price = { ...history.priceIntervals.at(-1), from: newest, to: null };
          const episodes = history.episodes
            .slice(-1)
            .map((each) => ({ ...each, ...since, endedAt: null, endedBy: null }));
          return {
            ...history,
            episodes,
            priceIntervals: [price as ListingHistory['priceIntervals'][number]],
          };
        }),
      );
      await page.reload();
      // What the newest book shows at first has lasted no time yet: no `0 ms`, and a point in the chart.
      await page.locator('#episodes').getByText('in one book so far').waitFor();
      expect(await page.locator('[data-listed-seconds]').textContent()).toBe('in one book so far');
      await page.locator('.steps-chart .point').waitFor({ state: 'attached' });
    });

    it.each(widths)("draws a listing's asking prices as the API has them, %s wide", async (width) => {
      const id = await firstListing();
      const page = await open(`/listings/${id}?range=all`, undefined, width);
      await page.locator('#listing details.values > summary').click();
      const cells = page.locator('#listing-values [data-field=usdPerGpuHour]');
      const shown = async () => new Set((await cells.evaluateAll(rawValues)).map(Number));
      await cells.first().waitFor();
      const facts = page.locator('#listing [data-fact]');
      await page
        .locator('#listing [data-fact=usdPerHour]')
        .getByText(/^\$[\d.]+\/hour$/)
        .waitFor();
      expect((await facts.allTextContents()).join(' ')).toMatch(
        /%.*verified.*(h|min|days|not stated).* GB for this offer .*[\d,]+ Mbit\/s, (free|\$[\d.]+ per GB) [\d,]+ Mbit\/s/,
      );
      const { priceIntervals, episodes } = await ask<ListingHistory>(await shownPath(page, 'listing'));
      const listed = await page.locator('[data-listed-seconds]').getAttribute('data-listed-seconds');
      const ofEpisodes = episodes.reduce((sum, { listedForSeconds }) => sum + listedForSeconds, 0);
      expect(Math.abs(Number(listed) - ofEpisodes)).toBeLessThan(1);
      const asked = new Set(priceIntervals.map(({ usdPerGpuHour }) => usdPerGpuHour));
      expect(asked.size).toBeGreaterThan(0);
      expect(await shown()).toEqual(asked);
      // All time is named by what is known of it.
      expect(await page.locator('#listing .figures').last().textContent()).toMatch(
        /Its own prices in the [\d.]+ (min|h|days?)[\d\w ]* known/,
      );
      // The axis has round prices.
      const ticks = await page.locator('.steps-chart .tick').allTextContents();
      const [first = 0, second = 0] = ticks.map((tick) => Number(tick.slice(1)));
      expect((second - first).toExponential(3)).toMatch(/^[125]\.000e/);
      for (const tick of ticks)
        expect(Number(tick.slice(1)) / (second - first)).toBeCloseTo(
          Math.round(Number(tick.slice(1)) / (second - first)),
          6,
        );
      await page.locator('.steps-chart').hover();
      await page.locator('#listing .pointed-at').getByText('per GPU-hour').waitFor();
      await page.route('**/api/listings/*/history*', (route) => perturb<ListingHistory>(route, withGap));
      await page.reload();
      await page.locator('#listing details.values > summary').click();
      await expect.poll(shown, patiently).toEqual(new Set([7]));
      // One price is no range.
      expect(await page.locator('#listing .figures').last().textContent()).toContain('always $7.0000Listed');
      await page.setViewportSize({ width: 390, height: 900 });
      const missed = page.locator('#listing-values').getByText('Yes, but a book in between lacks it');
      const right = await missed.first().evaluate((each) => each.getBoundingClientRect().right);
      expect(right).toBeLessThanOrEqual(390);
    });

    it('blocks a machine, which rankings then leave out, and unblocks it', async () => {
      const id = await firstListing();
      const { machineId } = await ask<Listing>(`/api/listings/${id}`);
      const page = await open(`/listings/${id}`);
      await page.getByRole('button', { name: 'Block machine' }).click();
      await page.getByRole('button', { name: 'Unblock machine' }).waitFor();
      const blocked = async () =>
        (await ask<{ items: BlockEntry[] }>('/api/blocklist')).items.map((entry) => entry.machineId);
      expect(await blocked()).toEqual([machineId]);
      await page.goto(`${server().url}/settings`);
      await page.getByText(`machine ${machineId}`).waitFor();
      await page.getByRole('button', { name: 'Remove' }).click();
      await expect.poll(blocked, patiently).toEqual([]);
    });
  });
}
