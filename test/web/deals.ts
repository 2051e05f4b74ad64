import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Rankings } from '../../web/core/api.ts';
import { twoFrames } from './layout-shifts.ts';
import { type PageFixture, patiently, settled, shownPath, widths } from './page-fixture.ts';
import { rankingDifferences, readRanking } from './shown-values.ts';

const query = (page: Page) => new URL(page.url()).searchParams;
const sorted = (params: URLSearchParams) => {
  params.sort();
  return params;
};
const heads = (page: Page) => page.locator('#ranking thead th').allTextContents();

/** Tests of choosing, sorting, remembering and comparing deals in a real browser. */
export function describeDeals({ open, ask }: PageFixture): void {
  describe('deals', () => {
    it.each(widths)(
      'show the cheapest reliable offers of a model at one click, and say how many others there are, %s wide',
      async (width) => {
        const pins = JSON.stringify({ simulator: ['RTX 4090'] });
        const pin = (opened: Page) =>
          opened.addInitScript((kept) => localStorage.setItem('offerbook-pinned-models', kept), pins);
        const page = await open('/deals', pin, width);
        await page.locator('.chip[data-model="RTX 4090"]').click();
        await expect.poll(() => query(page).get('gpuName'), patiently).toBe('RTX 4090');
        await expect.poll(() => shownPath(page, 'deals'), patiently).toContain('gpuName=RTX+4090');
        // Its link is whole, before the end of the row that fades.
        const rest = () =>
          page.locator('.chip[aria-current]').evaluate((chip) => {
            const row = chip.closest('ul')?.getBoundingClientRect().right ?? 0;
            return row - 31 - chip.getBoundingClientRect().right;
          });
        await expect.poll(rest, patiently).toBeGreaterThanOrEqual(0);
        const path = await shownPath(page, 'deals');
        const shown = await ask<Rankings>(path);
        expect(shown.items.length).toBeGreaterThan(0);
        expect(rankingDifferences(await readRanking(page), shown)).toEqual([]);
        for (const { gpuName, verification, reliability } of shown.items) {
          expect([gpuName, verification]).toEqual(['RTX 4090', 'verified']);
          expect(reliability).toBeGreaterThanOrEqual(0.98);
        }
        const prices = shown.items.map(({ usdPerGpuHour }) => usdPerGpuHour);
        expect(prices).toEqual(prices.toSorted((a, b) => a - b));
        const all = await ask<Rankings>('/api/rankings?gpuName=RTX+4090&by=usdPerGpuHour&limit=1000');
        const hides = page.locator('.hides');
        await expect
          .poll(() => hides.getAttribute('data-hidden'), patiently)
          .toBe(`${all.total - shown.total}`);
        expect(all.total).toBeGreaterThan(shown.total);
        expect(await hides.textContent()).toContain('hidden: not verified or under 98% reliability.');
        await hides.getByRole('button', { name: /^Show/ }).click();
        await expect.poll(() => shownPath(page, 'deals'), patiently).not.toContain('verification');
        expect(query(page).get('reliable')).toBe('off');
        expect(await page.getByLabel('Reliable', { exact: true }).isChecked()).toBe(false);
        const listed = await ask<Rankings>(
          (await shownPath(page, 'deals')).replace('limit=50', 'limit=1000'),
        );
        expect(listed.total).toBe(all.total);
        // Deverified offers and outlier prices come after all others.
        const areLast = listed.items.map(
          ({ verification, isOutlier }) => verification === 'deverified' || isOutlier === true,
        );
        expect(areLast).toContain(true);
        expect(areLast.indexOf(true)).toBe(areLast.filter((is) => !is).length);
        await page.getByLabel('Reliable', { exact: true }).check();
        await expect.poll(() => shownPath(page, 'deals'), patiently).toBe(path);
        expect(query(page).has('reliable')).toBe(false);
      },
    );

    it('have the columns and the order that were chosen, in the address and after a reload, and presets of them', async () => {
      const page = await open('/deals', undefined, 1440);
      await page.locator('#ranking').waitFor();
      // A collapsed line would lie below the buttons that stay in view.
      const lines = page.locator('#ranking').evaluate((table) => getComputedStyle(table).borderCollapse);
      expect(await lines).toBe('separate');
      await page.getByText('Columns', { exact: true }).click();
      await page.getByLabel('CPU cores').check();
      await page.getByLabel('DLPerf', { exact: true }).uncheck();
      await page.keyboard.press('Escape');
      const cores = page.locator('#ranking th', { hasText: 'CPU cores' });
      await cores.getByRole('button').click();
      await expect.poll(() => cores.getAttribute('aria-sort'), patiently).toBe('descending');
      await expect.poll(() => shownPath(page, 'deals'), patiently).toContain('sort=cpuCores&order=desc');
      const shown = await ask<Rankings>(await shownPath(page, 'deals'));
      expect(rankingDifferences(await readRanking(page), shown)).toEqual([]);
      const values = shown.items.flatMap(({ cpuCores }) => cpuCores ?? []);
      expect(values.length).toBeGreaterThan(1);
      expect(values).toEqual(values.toSorted((a, b) => b - a));
      // The next page goes on where this one ends.
      await page.getByRole('button', { name: 'Show more' }).click();
      const more = page.locator('#ranking tbody tr:nth-child(51) [data-field=cpuCores]');
      expect(Number((await more.getAttribute('data-value')) ?? 0)).toBeLessThanOrEqual(values.at(-1) ?? 0);
      // In whatever order, rows are numbered as they are shown.
      const places = await page.locator('#ranking tbody .rank').allTextContents();
      expect(places.length).toBeGreaterThan(50);
      expect(places).toEqual(places.map((_, place) => String(place + 1)));

      await page.getByRole('button', { name: 'Save as preset' }).click();
      await page.getByLabel('Name of the preset').fill('Many cores');
      await page.keyboard.press('Enter');
      const preset = page.getByRole('list', { name: 'Presets' }).getByRole('link');
      expect(await preset.getAttribute('aria-current')).toBe('true');
      const chosen = await heads(page);
      expect(chosen.join()).toContain('CPU cores');
      expect(chosen.join()).not.toContain('DLPerf,');
      const saved = sorted(query(page));
      await page.goto(new URL('/deals', page.url()).href);
      await page.locator('#ranking').waitFor();
      // The columns are remembered, the order only by the preset.
      expect(await heads(page)).toEqual(chosen);
      expect(await page.locator('#ranking th[aria-sort]').textContent()).not.toContain('CPU cores');
      await preset.click();
      await expect.poll(() => String(sorted(query(page))), patiently).toBe(String(saved));

      await page.getByRole('button', { name: 'Edit presets' }).click();
      await page.getByLabel('New name of Many cores').fill('Big');
      await page.getByRole('button', { name: 'Rename Many cores' }).click();
      await page.reload();
      await expect.poll(() => preset.allTextContents(), patiently).toEqual(['Big']);
      await page.getByRole('button', { name: 'Edit presets' }).click();
      await page.getByRole('button', { name: 'Delete Big' }).click();
      await page.getByText('No preset is left').waitFor();
      await page.keyboard.press('Escape');
      await page.reload();
      await settled(page);
      expect(await preset.count()).toBe(0);
    });

    it.each(widths)(
      'are compared side by side, at most four, with the best marked, %s wide',
      async (width) => {
        const page = await open('/deals?by=usdPerGpuHour', undefined, width);
        await page.locator('#ranking').waitFor();
        const compare = page.getByRole('button', { name: /^Compare/ });
        expect(await compare.isDisabled()).toBe(true);
        const ticks = page.locator('#ranking input[name=compare]');
        for (const place of [0, 2, 3, 5]) await ticks.nth(place).check();
        expect(await ticks.nth(1).isDisabled()).toBe(true);
        await ticks.nth(5).uncheck();
        await page.getByRole('button', { name: 'Compare 3' }).click();
        const table = page.locator('#compared');
        await table.waitFor();
        const { items } = await ask<Rankings>(await shownPath(page, 'deals'));
        const three = [0, 2, 3].flatMap((place) => items[place] ?? []);
        expect(await table.locator('thead th').count()).toBe(3);
        expect(await table.locator('[data-row=value] td.best').count()).toBe(1);
        const best = await table
          .locator('[data-row=cpuRamMb] td')
          .evaluateAll((cells) => cells.map((cell) => cell.classList.contains('best')));
        const ram = three.map(({ cpuRamMb }) => cpuRamMb ?? 0);
        const most = Math.max(...ram);
        expect(best).toEqual(ram.map((value) => value === most && new Set(ram).size > 1));
        const links = await table.getByRole('link', { name: /^Rent/ }).evaluateAll((all) => all.map(String));
        expect(links.map((link) => new URL(link).pathname)).toEqual(
          three.map(({ offerId }) => `/rent/${offerId}`),
        );
        const inside = await page.locator('dialog').evaluate((box) => {
          const { left, right } = box.getBoundingClientRect();
          return left >= 0 && right <= window.innerWidth;
        });
        expect(inside).toBe(true);
      },
    );

    it.each(widths)(
      'understand filters as people write them, and list nothing for one that they do not, %s wide',
      async (width) => {
        const page = await open('/deals?by=usdPerGpuHour', undefined, width);
        if (width === 390) await page.getByText('GPUs, type, filters, usage profile, columns').click();
        await page.getByText('Filters', { exact: true }).click();
        const field = (name: string) => page.locator(`form[aria-label=Filters] input[name=${name}]`);
        const set = async (name: string, text: string) => {
          await field(name).fill(text);
          await field(name).press('Enter');
        };
        await set('minReliability', '99 %');
        await expect.poll(() => query(page).get('minReliability'), patiently).toBe('0.99');
        expect(await field('minReliability').inputValue()).toBe('99');
        await set('country', 'Germany, united states');
        await expect.poll(() => query(page).getAll('country'), patiently).toEqual(['DE', 'US']);
        await expect.poll(() => shownPath(page, 'deals'), patiently).toContain('country=DE&country=US');
        const { items } = await ask<Rankings>(await shownPath(page, 'deals'));
        expect(items.length).toBeGreaterThan(0);
        for (const { reliability, country } of items) {
          expect(reliability).toBeGreaterThanOrEqual(0.99);
          expect(['DE', 'US']).toContain(country);
        }
        await set('country', 'Atlantis');
        const error = page.locator('.field:has([name=country]) .failure');
        await error.getByText('Must be a country, such as DE or Germany').waitFor();
        expect(await field('country').getAttribute('aria-invalid')).toBe('true');
        expect(await field('country').inputValue()).toBe('Atlantis');
        await page.getByText('Check the filters').waitFor();
        expect(await page.locator('#ranking, .waits').count()).toBe(0);
        expect(await page.getByRole('link', { name: /^Rent/ }).count()).toBe(0);
        await set('country', '');
        await page.locator('#ranking tbody tr').first().waitFor();
        expect(await error.count()).toBe(0);
        await set('minVramGb', 'lots');
        await page.locator('.field:has([name=minVramGb]) .failure').waitFor();
        expect(await page.locator('#ranking').count()).toBe(0);
      },
    );

    it('that end before the hours of the usage profile come last where that is wanted', async () => {
      const page = await open('/deals?gpuName=RTX+4090&runningHours=60', undefined, 1440);
      await page.getByLabel('List offers that end sooner last').check();
      await expect.poll(() => shownPath(page, 'deals'), patiently).toContain('endingLast=true');
      const shown = new URL(await shownPath(page, 'deals'), page.url());
      shown.searchParams.set('limit', '200');
      const { items } = await ask<Rankings>(shown.pathname + shown.search);
      const ends = items.map(({ maxDurationHours: hours }) => hours !== null && hours < 60);
      expect([ends.includes(true), ends[0], ends.lastIndexOf(false) < ends.indexOf(true)]).toEqual([
        true,
        false,
        true,
      ]);
      const first = page.locator('#ranking tbody tr').first();
      expect(await first.getAttribute('data-offer')).toBe(String(items[0]?.offerId));
      expect(await page.locator('#deals h2').textContent()).toContain('those that end before 60 h last');
    });

    it('say nothing of DLPerf while the offers of one model are awaited', async () => {
      const page = await open('/deals', undefined, 1440);
      await page.locator('#ranking tbody tr').first().waitFor();
      let release = () => {};
      const held = new Promise<void>((done) => {
        release = done;
      });
      await page.route('**/api/rankings?*gpuName=RTX+4090*', async (route) => {
        await held;
        await route.continue();
      });
      await page.locator('.chip[data-model="RTX 4090"]').click();
      await expect.poll(() => query(page).get('gpuName'), patiently).toBe('RTX 4090');
      await page.evaluate(twoFrames);
      expect(await page.locator('[data-remark=by]').count()).toBe(0);
      release();
      await expect.poll(() => shownPath(page, 'deals'), patiently).toContain('by=usdPerGpuHour');
    });

    it('name several chosen models within the width of their field on a phone', async () => {
      const page = await open('/deals?gpuName=RTX+4090&gpuName=H100+SXM', undefined, 390);
      const [field, others] = [page.locator('.picker summary'), page.locator('.ordering')];
      const [names, order] = [await field.boundingBox(), await others.boundingBox()];
      if (names === null || order === null) throw new Error('one of them is not shown');
      expect(names.x + names.width).toBeLessThan(order.x);
    });

    it('are sorted on a phone, with every control and the first offer inside the view', async () => {
      const page = await open('/deals?by=usdPerGpuHour', undefined, 390);
      // What is to say of the list stands below it.
      const notes = page.locator('#ranking ~ [data-notes], :has(> #ranking) ~ [data-notes]');
      await notes.getByText('Lowest price per GPU first with').waitFor();
      expect(await page.locator('#deals h2 small').count()).toBe(0);
      const first = await page.locator('#ranking tbody tr').first().boundingBox();
      expect((first?.y ?? 1000) + (first?.height ?? 0)).toBeLessThan(844);
      expect(await page.getByLabel('Sort by').count()).toBe(1);
      // What would be a tooltip is said: a phone has none.
      const { items } = await ask<Rankings>(await shownPath(page, 'deals'));
      const codes = items.flatMap(({ country }) => country ?? []);
      const names = await page.evaluate((each) => {
        const regions = new Intl.DisplayNames(undefined, { type: 'region' });
        return each.map((code) => regions.of(code));
      }, codes);
      const countries = page.locator('#ranking td[data-head=Country]:not(:text-is("–"))');
      expect(names.length).toBeGreaterThan(0);
      await expect.poll(() => countries.allTextContents(), patiently).toEqual(names);
      await page.getByLabel('Sort by').selectOption('reliability');
      await expect.poll(() => shownPath(page, 'deals'), patiently).toContain('sort=reliability&order=desc');
      await page.getByRole('button', { name: 'Sort ascending' }).click();
      await expect.poll(() => shownPath(page, 'deals'), patiently).not.toContain('order=desc');
      const beyond = await page
        .locator('#deals :is(button, select, input, summary, a.button)')
        .evaluateAll(
          (controls) =>
            controls.filter((control) => control.getBoundingClientRect().right > window.innerWidth).length,
        );
      expect(beyond).toBe(0);
      // Words of a verdict that are longer than their place wrap beside the button.
      const covered = await page.locator('#ranking tbody tr').evaluateAll(
        (rows) =>
          rows.filter((row) => {
            const button = row.querySelector('a.button')?.getBoundingClientRect();
            const words = document.createRange();
            words.selectNodeContents(row.querySelector('.judged') ?? row);
            return [...words.getClientRects()].some(
              (line) =>
                button && line.right > button.left && line.bottom > button.top && line.top < button.bottom,
            );
          }).length,
      );
      expect(covered).toBe(0);
      // The views stay in sight, however far down.
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      const views = page.getByRole('navigation', { name: 'Main' });
      await expect.poll(async () => (await views.boundingBox())?.y, patiently).toBe(0);
      await views.getByRole('link', { name: 'Market' }).click();
      await page.locator('#models').waitFor();
    });

    it.each(widths)('are as the reader left them when the navigation leads back, %s wide', async (width) => {
      const page = await open('/deals?gpuName=RTX+4090&numGpus=1', undefined, width);
      const views = page.getByRole('navigation', { name: 'Main' });
      const link = (name: string) => views.getByRole('link', { name, exact: true });
      await page.locator('#ranking tbody tr').first().waitFor();
      const places = () =>
        views
          .getByRole('link')
          .evaluateAll((each) => each.map((one) => Math.round(one.getBoundingClientRect().x)));
      const before = await places();
      await link('Watches').click();
      await page.locator('#watches').waitFor();
      // The bold name of the view is no wider.
      expect(await places()).toEqual(before);
      await link('Deals').click();
      await page.locator('#ranking tbody tr').first().waitFor();
      expect(query(page).toString()).toBe('gpuName=RTX+4090&numGpus=1');
      // What lay over it does not come back, and its own link leads to all of it.
      await page.locator('#ranking [data-explain]').first().click();
      await page.getByRole('dialog').waitFor();
      expect(query(page).has('explain')).toBe(true);
      await page.goBack();
      await link('Deals').click();
      await expect.poll(() => query(page).toString(), patiently).toBe('');
    });

    it.each(widths)('explain their words by tap and by keyboard, %s wide', async (width) => {
      const page = await open('/deals?by=usdPerDlperfHour', undefined, width);
      const meaning = page.locator('.meaning:popover-open');
      await page.locator('[data-term=DLPerf]').click();
      expect(await meaning.textContent()).toContain('score of a machine for deep learning');
      const { x = -1, width: wide = 0 } = (await meaning.boundingBox()) ?? {};
      expect([x >= 0, x + wide <= width]).toEqual([true, true]);
      await page.keyboard.press('Escape');
      expect(await meaning.count()).toBe(0);
      await page.locator('[data-term="offers of one machine"]').last().click();
      expect(await meaning.textContent()).toContain('They may share GPUs');
      // Also a word near the edge has room for its meaning.
      expect((await meaning.boundingBox())?.width).toBeGreaterThan(300);
      await page.keyboard.press('Escape');
      const mark = page.locator('[data-term="offers of one machine"]').last();
      await mark.evaluate((button) =>
        Object.assign(button.style, { position: 'fixed', right: '100px', top: '300px' }),
      );
      await mark.click();
      const box = (await meaning.boundingBox()) ?? { x: -1, width: 0 };
      expect(box.width).toBeGreaterThan(300);
      expect([box.x >= 0, box.x + box.width <= width]).toEqual([true, true]);
      await page.keyboard.press('Escape');
      await page.locator('[data-term=book]').focus();
      await page.keyboard.press('Enter');
      expect(await meaning.textContent()).toContain('One complete snapshot');
    });
  });
}
