import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Backtest, Channel, Market, Rule, Watch } from '../../web/core/api.ts';
import { barriers } from './every-view.ts';
import { type PageFixture, patiently, perturb, settled, widths } from './page-fixture.ts';

/** The box of an alert. */
export const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Alert me: / });

interface List<T> {
  items: T[];
}

/** Tests in a real browser that an alert on anything is one box: a price, what it would do, and whom it notifies. */
export function describeAlertMe({ open, ask, send }: PageFixture): void {
  describe('alert me', () => {
    const rules = async () => (await ask<List<Rule>>('/api/rules')).items;
    const watches = async () => (await ask<List<Watch>>('/api/watches')).items;
    /** Counts the reader's clicks from here on. */
    const countClicks = async (page: Page): Promise<() => Promise<number>> => {
      await page.evaluate(() => {
        const counted = { clicks: 0 };
        Object.assign(window, { counted });
        const count = ({ isTrusted }: Event) => {
          if (isTrusted) counted.clicks += 1;
        };
        document.addEventListener('click', count, true);
      });
      return async () =>
        await page.evaluate(() => (window as unknown as { counted: { clicks: number } }).counted.clicks);
    };

    it.each(widths)(
      'notifies a channel made in the box, then takes three clicks and makes no second watch, %s wide',
      async (width) => {
        const { items } = await ask<Market>('/api/market');
        // Only reliable offers count, as in Deals, until it is switched off.
        const reliableRule = (name: string) => ({
          ...{ kind: 'priceBelow', params: { usd: 1 } },
          watch: { filters: { gpuName: name, verification: 'verified', minReliability: 0.98 } },
        });
        const lowestNow = async (name: string) =>
          (await send<Backtest>('POST', '/api/rules/backtest', reliableRule(name))).now?.value ?? null;
        // Not every model has a reliable offer at every moment.
        const priced = await Promise.all(items.map((each) => lowestNow(each.gpuName)));
        const { gpuName = '' } = items[priced.findIndex((value) => value !== null)] ?? {};
        const before = await watches();
        const page = await open('/market', undefined, width);
        const button = page.locator(`[data-model="${gpuName}"] button[data-alerts]`);
        const nameOfButton = () => button.getAttribute('aria-label');
        expect(await nameOfButton()).toBe(`Alert me: ${gpuName}`);
        // Where there is room, the bell has a word.
        expect(await button.getByText('Alert', { exact: true }).isVisible()).toBe(width === 1440);
        await button.click();
        const dialog = dialogOf(page);
        const price = dialog.locator('input[name=alert-usd]');
        // Its watch may get a new book meanwhile: page and API are read until both show the same one.
        const onPage = async () => Number(await dialog.locator('[data-now]').getAttribute('data-now'));
        expect(await dialog.getByLabel('Reliable').isChecked()).toBe(true);
        await dialog.locator('[data-now]').waitFor();
        await expect.poll(async () => (await onPage()) === (await lowestNow(gpuName)), patiently).toBe(true);
        expect(await dialog.locator('[data-now]').textContent()).toMatch(
          /Lowest of reliable offers now \$[\d.]+ per GPU-hour for (1 GPU|\d+ GPUs together) \(the lowest of \d+ machines? that match(es)?\)/,
        );
        // The same offers there, by the same switch.
        const deals = `/deals?${new URLSearchParams({ market: 'simulator', gpuName, type: 'on-demand', numGpus: '1' })}`;
        expect(await dialog.locator('[data-gpus] a').getAttribute('href')).toBe(deals);
        // A little under the value now, selected, so that typing replaces it.
        expect(Number(await price.inputValue())).toBeLessThan(await onPage());
        await page.keyboard.type('1000');
        expect(await price.inputValue()).toBe('1000');
        await dialog
          .locator('[data-warning=fires-at-once]')
          .getByText(
            /the alert fires at the next book, (by \w|usually within a minute and in 10 minutes at most)/,
          )
          .waitFor();
        await page.keyboard.press('Control+a');
        await page.keyboard.type('0.0001');
        await dialog.getByText(/In the \d+ books?.* since .+ it would not have fired/).waitFor();
        expect(await dialog.locator('[data-warning]').count()).toBe(0);
        await dialog.locator('[data-notifies=nobody]').getByText('there is no channel yet').waitFor();
        // E-mail without a mail server says what to set.
        await dialog.getByLabel('Kind').selectOption('email');
        await dialog.locator('[data-missing=email]').getByText('SMTP_URL').waitFor();
        expect(await barriers(page, 'light')).toEqual([]);
        const excess = () => dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
        expect(await excess()).toBeLessThanOrEqual(0);
        // What saves it is in sight, however long the box is.
        await page.setViewportSize({ width, height: 600 });
        const isSaveInSight = () =>
          dialog
            .getByRole('button', { name: 'Save alert' })
            .evaluate((button) => button.getBoundingClientRect().bottom < window.innerHeight - 24);
        expect(await isSaveInSight()).toBe(true);
        await page.setViewportSize({ width, height: 900 });
        await dialog.getByLabel('Kind').selectOption('file');
        await dialog.locator('input[name=config-path]').fill('alerts');
        await dialog
          .locator('[data-watch=""]')
          .getByText('Saving also makes a watch of these offers, under Watches.')
          .waitFor();
        // What closes moves no button of the box, which keeps its height.
        const saveAt = async () =>
          (await dialog.getByRole('button', { name: 'Save alert' }).boundingBox())?.y;
        const place = await saveAt();
        await dialog.getByRole('button', { name: 'Add channel' }).click();
        await dialog.getByText('file added.').waitFor();
        expect(await saveAt()).toBe(place);
        // What is chosen has a mark, whose room is kept.
        const file = dialog.getByRole('checkbox', { name: 'file' });
        const marked = async () => [
          await file.evaluate(
            (box) =>
              box.nextElementSibling && getComputedStyle(box.nextElementSibling, '::before').visibility,
          ),
          await file.evaluate((box) => Math.round(box.getBoundingClientRect().x)),
        ];
        const chosen = await marked();
        expect(chosen[0]).toBe('visible');
        await file.click();
        expect(await marked()).toEqual(['hidden', chosen[1]]);
        await file.click();
        await dialog.getByRole('button', { name: /^Send a test/ }).click();
        await dialog
          .getByText('Test message of file written to a file in the folder reports/alerts')
          .waitFor();
        expect(await dialog.locator('[data-notifies=nobody]').count()).toBe(0);
        await dialog.getByRole('button', { name: 'Save alert' }).click();
        await page
          .locator('.said')
          .getByText(
            /Alert saved: .+, reliable offers, below .+ It notifies nobody\. file \(last tested .+\) writes each message into the folder reports\/alerts of .+ It also made a watch of these offers, under Watches\.$/,
          )
          .waitFor();
        const [channel] = (await ask<List<Channel>>('/api/channels')).items;
        const made = (await watches()).filter(({ id }) => !before.some((each) => each.id === id));
        expect(made).toMatchObject([
          {
            filters: { gpuName: [gpuName], verification: ['verified'], minReliability: 0.98 },
            channelIds: [],
          },
        ]);
        const [watch] = made;
        const own = async () => (await rules()).filter(({ watchId }) => watchId === watch?.id);
        expect(await own()).toMatchObject([
          { kind: 'priceBelow', params: { usd: 0.0001 }, channelIds: [channel?.id], rearm: 'leave' },
        ]);
        // Again, with the keyboard for the price: button, Save.
        await expect.poll(nameOfButton, patiently).toBe(`Alert me: ${gpuName} (1 alert on)`);
        const clicks = await countClicks(page);
        await button.click();
        await dialog.locator('[data-now]').waitFor();
        // The first one is shown: its limit, that it never fired, and whom it notifies.
        const shown = dialog.locator('[data-rule]');
        await shown.getByText('Has not fired yet').waitFor();
        await dialog.getByText(`It belongs to your watch ${watch?.name}.`).waitFor();
        await expect.poll(() => shown.textContent(), patiently).toContain('price below $0.0001/GPU-hour');
        await expect
          .poll(() => shown.textContent(), patiently)
          .toContain('Notifies nobody: file only writes a file');
        await price.fill('0.0001');
        await dialog.locator('[data-warning=same]').waitFor();
        // What cannot be saved is not said to fire.
        expect(await dialog.locator('[data-count]').count()).toBe(0);
        expect(await dialog.getByRole('button', { name: 'Save alert' }).isDisabled()).toBe(true);
        await price.fill('0.0002');
        await dialog.locator('[data-warning=same]').waitFor({ state: 'detached' });
        await dialog.getByRole('button', { name: 'Save alert' }).click();
        await expect.poll(async () => (await own()).length, patiently).toBe(2);
        expect(await clicks()).toBeLessThanOrEqual(3);
        expect((await own())[1]).toMatchObject({ params: { usd: 0.0002 }, channelIds: [channel?.id] });
        expect((await watches()).length).toBe(before.length + 1);
        // Changed and deleted in the same box.
        await button.click();
        await dialog.locator('[data-rule]').first().getByRole('button', { name: 'Change' }).click();
        await expect.poll(() => price.inputValue(), patiently).toBe('0.0001');
        await price.fill('1000');
        await dialog
          .locator('[data-warning=fires-at-once]')
          .getByText('changed, the alert starts again, and fires at the next book')
          .waitFor();
        await price.fill('0.0003');
        // A channel that is filled in is added with it, and if it is refused, nothing is saved.
        await dialog.getByRole('button', { name: 'New channel…' }).click();
        await dialog.getByLabel('Kind').selectOption('file');
        await dialog.getByLabel('Name', { exact: true }).fill('other');
        await dialog.locator('input[name=config-path]').fill('../alerts');
        await dialog.getByRole('button', { name: 'Save change' }).click();
        await dialog.locator('.field .failure').waitFor();
        expect((await own())[0]?.params.usd).toBe(0.0001);
        await dialog.locator('input[name=config-path]').fill('other');
        await dialog.getByRole('button', { name: 'Save change' }).click();
        await expect.poll(async () => (await own())[0]?.params.usd, patiently).toBe(0.0003);
        await page
          .locator('.said')
          .getByText(/It notifies nobody.*other \(file, not tested/)
          .waitFor();
        const both = (await ask<List<Channel>>('/api/channels')).items;
        const other = both.find(({ name }) => name === 'other');
        expect((await own())[0]?.channelIds).toEqual([channel?.id, other?.id]);
        await send('DELETE', `/api/channels/${other?.id}`);
        await button.click();
        await dialog.locator('[data-rule]').first().getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('button', { name: 'Delete it' }).click();
        await expect.poll(async () => (await own()).length, patiently).toBe(1);
        await expect.poll(() => dialog.locator('[data-rule]').count(), patiently).toBe(1);
        // The list says what it waits for, and whom it notifies; what was said elsewhere no longer covers it.
        await page.keyboard.press('Escape');
        await page.locator('.said').getByText('Alert deleted').waitFor();
        await page.getByRole('navigation').getByRole('link', { name: 'Watches' }).click();
        const head = page.locator('.view-head');
        await head
          .getByText('A watch follows the offers you choose. An alert sends a message once something happens')
          .waitFor();
        const parts = head.locator('a[href^="#"]').evaluateAll((links) => links.map((a) => a.textContent));
        expect(await parts).toEqual(['Alerts', 'Watches', 'Channels', 'Deliveries']);
        expect(await page.locator('.said').textContent()).toBe('');
        const row = page.locator('#rules tbody tr', { hasText: watch?.name ?? '' });
        await row.getByText('price below $0.0002/GPU-hour').waitFor();
        await row.locator('.rose').getByText('Notifies nobody: file only writes a file').waitFor();
        const [kept] = await own();
        const ofWatch = page.locator('#watches tbody tr', { hasText: watch?.name ?? '' });
        expect(await ofWatch.textContent()).not.toMatch(/nobody/i);
        // What offers it is of, in words, though its name may say the same.
        const offers = (await ofWatch.locator('td[data-head=Offers]').textContent()) ?? '';
        expect(offers).not.toBe('');
        expect(watch?.name).toContain(offers);
        expect(await page.locator('[data-notifies=nobody]').count()).toBe(0);
        // Every button of its rows is in sight, and two clicks change its price.
        for (const across of [width, 1024]) {
          await page.setViewportSize({ width: across, height: 900 });
          const ends = await page
            .locator('#rules tbody button, #watches tbody :is(a.button, button)')
            .evaluateAll((buttons) => buttons.map((each) => each.getBoundingClientRect().right));
          expect(ends.length).toBeGreaterThanOrEqual(5);
          expect(Math.max(...ends)).toBeLessThanOrEqual(across);
        }
        await page.setViewportSize({ width, height: 900 });
        await row.getByRole('button', { name: 'Change…' }).click();
        await expect.poll(() => price.inputValue(), patiently).toBe('0.0002');
        await price.fill('0.0004');
        // Its other options are there as when it was added, with what they are now.
        const [fold, quietFrom, quietTo] = ['.fold summary', '[name=quietFrom]', '[name=quietTo]'].map(
          (each) => dialog.locator(each),
        ) as [Locator, Locator, Locator];
        await dialog.getByRole('heading', { name: 'Change this alert' }).waitFor();
        await fold.click();
        expect(await dialog.locator('[name=rule-m]').inputValue()).toBe('1');
        for (const [name, words] of [
          ['rule-m', /^A book is one reading of all offers/],
          ['rule-n', /^A book is one reading of all offers/],
          ['rearm', /^When it may fire again/],
        ] as const)
          expect(await dialog.locator(`label:has([name=${name}])`).getAttribute('title')).toMatch(words);
        await quietFrom.fill('22:00');
        await quietTo.fill('07:30');
        expect(await barriers(page, 'light')).toEqual([]);
        expect(await excess()).toBeLessThanOrEqual(0);
        await dialog.getByRole('button', { name: 'Save change' }).click();
        await row.getByText('price below $0.0004/GPU-hour').waitFor();
        expect((await own())[0]?.quietHours).toMatchObject({ from: '22:00', to: '07:30' });
        // Times may be of another time zone than the reader's.
        const quietHours = { from: '22:00', to: '07:30', timeZone: 'Europe/Berlin' };
        await send('PATCH', `/api/rules/${kept?.id}`, { quietHours });
        await row.getByLabel('On').click();
        await expect.poll(own, patiently).toMatchObject([
          {
            ...{ id: kept?.id, params: { usd: 0.0004 }, channelIds: [channel?.id], enabled: false },
            quietHours,
          },
        ]);
        // A channel that is deleted below the alerts leaves them at once, and one added in the box is at once in both lists.
        await page.getByRole('button', { name: `Delete… ${channel?.name}`, exact: true }).click();
        await page.getByRole('button', { name: 'Delete it' }).click();
        await row.getByText('Notifies nobody: no channel chosen').waitFor();
        await row.getByRole('button', { name: 'Change…' }).click();
        await dialog.locator('[data-rule]').getByText('Notifies nobody: no channel chosen').waitFor();
        await dialog.getByRole('button', { name: 'New channel…' }).click();
        await dialog.getByLabel('Kind').selectOption('file');
        await dialog.getByLabel('Name', { exact: true }).fill('third');
        await dialog.locator('input[name=config-path]').fill('third');
        await fold.click();
        await dialog.getByText('Quiet from, Europe/Berlin').waitFor();
        expect(await quietFrom.inputValue()).toBe('22:00');
        // One time alone is refused, also in the closed fold.
        await quietTo.fill('');
        await dialog.locator('[data-lacks=quietTo]').getByText('Quiet hours need both times.').waitFor();
        await fold.click();
        await dialog.getByRole('button', { name: 'Save change' }).click();
        expect(await quietTo.isVisible()).toBe(true);
        expect((await own())[0]?.quietHours).toEqual(quietHours);
        await quietFrom.fill('');
        await dialog.getByRole('button', { name: 'Save change' }).click();
        await row.getByText('third').waitFor();
        expect((await own())[0]?.quietHours).toBe(null);
        await page.getByRole('button', { name: 'Delete… third', exact: true }).click();
        await page.getByRole('button', { name: 'Delete it' }).click();
        await row.getByText('Notifies nobody: no channel chosen').waitFor();
        await row.getByRole('button', { name: 'History' }).click();
        const history = page.getByRole('dialog', { name: /^History: / });
        await history
          .locator('[data-last-check]')
          .getByText(
            /^Off, so not checked; newest book of .+: lowest price \$[\d.]+\/GPU-hour\. It may be newer/,
          )
          .waitFor();
        await page.keyboard.press('Escape');
        // With its last alert goes the watch that the box made.
        await row.getByRole('button', { name: 'Delete…' }).click();
        await page.getByLabel(/^Also delete its watch /).waitFor();
        await page.getByRole('button', { name: 'Delete it' }).click();
        await expect.poll(async () => (await watches()).length, patiently).toBe(before.length);
      },
    );

    it('of a chart keeps its metric and filters, of deals and a listing their offers, and says what it would have done', async () => {
      const { items } = await ask<Market>('/api/market');
      const { gpuName = '' } = items[0] ?? {};
      const asked: Record<string, unknown>[] = [];
      const page = await open(
        `/trends?${new URLSearchParams({ gpuName, metric: 'usdPerHour', minVramGb: '1' })}`,
        (page) =>
          page.route('**/api/rules/backtest', async (route) => {
            asked.push(route.request().postDataJSON() as Record<string, unknown>);
            await perturb<Backtest>(route, (answer) => {
              const [firing] = answer.firings;
              const [firstAt, at] = ['2026-01-01T12:04:05Z', '2026-01-02T12:04:05Z'];
              const fired = { ...firing, market: 'x', bookId: '1', value: 1, baseline: 1, previous: 1 };
              const firings = [firstAt, at].map((at) => ({ ...fired, at, capped: false, offer: null }));
              const now = {
                market: 'x',
                at: '2026-03-04T12:00:00Z',
                value: 2,
                numGpus: 4,
                machines: 4,
                percentile: null,
                fires: false,
              };
              return { ...answer, firstAt, books: 9, count: 2, firings, now };
            });
          }),
      );
      const opened = async (): Promise<unknown> => {
        await page
          .getByRole('button', { name: /^Alert me: / })
          .first()
          .click();
        await dialogOf(page)
          .getByText(
            /In the 9 books.* since .+ it would have fired 2 times: at the beginning, as the price was below \S+ already, and on 2 Jan 2026/,
          )
          .waitFor();
        await page.keyboard.press('Escape');
        await dialogOf(page).waitFor({ state: 'detached' });
        return asked.at(-1);
      };
      // Only reliable ones, as in Market, unless the chart's filters say how far to trust a machine.
      const reliable = { verification: ['verified'], minReliability: 0.98 };
      expect(await opened()).toMatchObject({
        watch: { filters: { gpuName: [gpuName], minVramGb: 1, ...reliable } },
        params: { metric: 'usdPerHour' },
      });
      await page.goto(new URL('/deals?country=NO&country=DE&storageGb=50', page.url()).href);
      await settled(page);
      expect(await opened()).toMatchObject({
        watch: { filters: { country: ['NO', 'DE'] }, profile: { storageGb: 50 } },
      });
      const { items: ranked } =
        await ask<List<{ listingId: string; machineId: number; numGpus: number }>>('/api/rankings?limit=1');
      const [{ listingId, machineId, numGpus } = { listingId: '', machineId: 0, numGpus: 0 }] = ranked;
      await page.goto(new URL(`/listings/${listingId}`, page.url()).href);
      await settled(page);
      expect(await opened()).toMatchObject({
        watch: { filters: { machineId: [machineId], numGpus: [numGpus] } },
      });
      // What is refused is said in place of what would be read for ever.
      await page.route('**/api/rules/backtest', (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          json: { title: 'Not allowed', status: 403, detail: 'The token may not.', errors: [] },
        }),
      );
      await page
        .getByRole('button', { name: /^Alert me: / })
        .first()
        .click();
      await dialogOf(page).locator('input[name=alert-usd]').fill('2');
      const unknown = dialogOf(page).locator('[data-warning=price-unknown]');
      await unknown
        .getByText('The price now is unknown, so the alert may fire at once. Not allowed.')
        .waitFor();
      expect(
        await dialogOf(page)
          .getByText(/^(Reading|Testing) /)
          .count(),
      ).toBe(0);
    });
  });
}
