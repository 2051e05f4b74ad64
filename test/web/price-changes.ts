import { describe, expect, it, vi } from 'vitest';
import type { Market, PriceIndex } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, widths } from './page-fixture.ts';

const days = [1, 7, 27];

/** Tests how clear, unclear and unknown changes look. */
const made = {
  clear: {
    percent: -3.25,
    stderrPercent: 0.5,
    medianPercent: 22,
    mixPercent: 25.25,
    status: 'clear',
    words: 'prices fell',
  },
  unclear: {
    percent: 9,
    stderrPercent: 8,
    medianPercent: null,
    mixPercent: null,
    status: 'unclear',
    words: 'no clear change',
  },
  mixed: {
    percent: -1,
    stderrPercent: 1,
    medianPercent: 4,
    mixPercent: 5,
    status: 'unclear',
    words: 'no clear change, cheap ones are taken',
  },
  insufficient: {
    percent: null,
    stderrPercent: null,
    medianPercent: 4,
    mixPercent: null,
    status: 'insufficient',
    words: 'too few to compare',
  },
} as const;
type MadeChange = (typeof made)[keyof typeof made] & { days: number };

/** Tests of price changes in a real browser. */
export function describePriceChanges({ open, ask }: PageFixture): void {
  describe('changes of prices', () => {
    it.each(widths)('on the market are those of the index, like for like, %s wide', async (width) => {
      const page = await open('/market', undefined, width);
      const cell = (model: string, span: number) =>
        page.locator(`#models tr[data-model="${model}"] [data-field=change${span}]`);
      // Asked again where a book landed in between.
      const model = await vi.waitFor(async () => {
        const { items } = await ask<Market>('/api/market');
        const [row] = items.filter(({ changes }) => changes[0]?.percent != null);
        const gpuName = row?.gpuName ?? '';
        const { series } = await ask<PriceIndex>(`/api/index?${new URLSearchParams({ gpuName })}`);
        expect(row?.changes).toEqual(series[0]?.changes);
        await cell(gpuName, 1).waitFor();
        for (const [place, span] of days.entries()) {
          const percent = row?.changes[place]?.percent ?? null;
          // A column without any change is left out.
          if (percent !== null)
            expect(await cell(gpuName, span).getAttribute('data-value')).toBe(String(percent));
        }
        return gpuName;
      }, patiently);
      let changes: MadeChange[] = [made.clear, made.unclear, made.insufficient].map((change, place) => ({
        ...change,
        days: days[place] ?? 0,
      }));
      await page.route('**/api/market?*', (route) =>
        perturb<Market>(route, (market) => ({
          ...market,
          items: market.items.map((item) => ({ ...item, changes })),
        })),
      );
      await page.reload();
      await expect
        .poll(() => cell(model, 1).locator('.change').textContent(), patiently)
        .toMatch(/^[-−]3\.3% ±\u00a00\.5day’s median \+22\.0%$/);
      // The sign says which way, no arrow beside it again.
      expect(await cell(model, 1).locator('.change .fell').count()).toBe(1);
      expect(await cell(model, 1).locator('svg').count()).toBe(0);
      // On a phone the change of 7 days and the age of the book are in sight, too.
      const week = cell(model, 1).locator('.seven-days');
      expect([await week.isVisible(), await week.textContent()]).toEqual([
        width < 640,
        expect.stringMatching(/^7 d: [-+−\d.%]+$/),
      ]);
      expect(await page.locator('#market .caption time').locator('.wide').isVisible()).toBe(true);
      expect(await cell(model, 7).locator('.fell, .rose').count()).toBe(0);
      expect(await cell(model, 27).textContent()).toBe('–day’s median +4.0%');
      expect(await cell(model, 27).locator('.change').getAttribute('title')).toContain(
        'In 27 days: too few to compare.',
      );
      // Words stand at a name only where they say more than the figures.
      const words = page.locator(`#models tr[data-model="${model}"] .words`);
      expect(await words.count()).toBe(0);
      const heads = await page.locator('#models thead').textContent();
      expect(heads).toContain('Minimum bidmedian, $/GPU-hour');
      // What is compared is in the head, the rule and what ± means below the table, all in its explanation.
      const head = page.getByRole('columnheader', { name: /^7-day change/ });
      expect(await head.textContent()).toContain('same machines');
      await page.getByText('in color where they are more than twice that').waitFor();
      await page.locator('#market [data-term="standard error"]').click();
      expect(await page.locator('.meaning:popover-open').textContent()).toContain('in about 2 of 3 cases');
      await page.keyboard.press('Escape');
      // On a phone a name takes two lines at most, below its buttons, so that price, lowest and change are all in sight.
      const heights = await page
        .locator('#models tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThan(width < 640 ? 90 : 60);
      // What the mix did has no room on a phone.
      changes = [{ ...made.mixed, days: 7 }];
      await page.reload();
      await words.waitFor({ state: 'attached' });
      expect(await words.isVisible()).toBe(width >= 640);
      expect(await words.textContent()).toBe('7 days: cheap ones are taken');
      changes = [{ ...made.clear, days: 7 }];
      await page.reload();
      await expect.poll(() => words.textContent()).toBe(`7 days: ${made.clear.words}`);
      expect(await words.isVisible()).toBe(true);
      await cell(model, 7).locator('[data-explain]').click();
      await page.getByText('whether it is a good time to rent goes by the lowest price alone').waitFor();
    });

    it.each(widths)(
      'stand below the chart of trends for each model and type drawn, %s wide',
      async (width) => {
        const { items } = await ask<Market>('/api/market');
        const names = items.slice(0, 2).map(({ gpuName }) => gpuName);
        const query = new URLSearchParams([
          ...names.map((name) => ['gpuName', name]),
          ['type', 'on-demand'],
          ['type', 'bid'],
        ]);
        const page = await open(`/trends?${query}`, undefined, width);
        const { series } = await ask<PriceIndex>(`/api/index?${query}`);
        expect(series).toHaveLength(4);
        for (const { key, changes } of series) {
          for (const { days: span, percent, words } of changes) {
            const cell = page.locator(`#change-table tr[data-key="${key}"] [data-field=change${span}]`);
            await cell.waitFor();
            expect(await cell.getAttribute('data-value')).toBe(percent === null ? null : String(percent));
            expect(await cell.textContent()).toContain(words);
          }
        }
        expect(series.flatMap(({ changes }) => changes).some(({ percent }) => percent !== null)).toBe(true);
      },
    );
  });
}
