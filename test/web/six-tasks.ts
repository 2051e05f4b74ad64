import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Channel, Quote, Rankings, Rented, Rule } from '../../web/core/api.ts';
import { noBills } from '../../web/spend/spend-words.ts';
import { type PageFixture, pageNoon, patiently, settled, shownPath, widths } from './page-fixture.ts';

const ways = ['mouse', 'keyboard'] as const;
/** Presses of Tab that reach anything on any view. */
const maxTabs = 400;

/** Somebody at a page, whose clicks are counted; with the keyboard each is a key that acts. */
interface Reader {
  clicks: number;
  /** @param key with the keyboard: what acts on the element once Tab has reached it. @default Enter */
  click(element: Locator, key?: string): Promise<void>;
  /** Reaches an element without acting on it. */
  goTo(element: Locator): Promise<void>;
}

function readerOf(page: Page, way: (typeof ways)[number]): Reader {
  return {
    clicks: 0,
    async click(element, key = 'Enter') {
      this.clicks += 1;
      if (way === 'mouse') return await element.click();
      await this.goTo(element);
      await page.keyboard.press(key);
    },
    async goTo(element) {
      await element.waitFor();
      if (way === 'mouse') return;
      for (let tabs = 0; tabs < maxTabs; tabs += 1) {
        if (await element.evaluate((each) => each === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not reach ${element}`);
    },
  };
}

/** The week before this one by the calendar of the browser's place, from Monday to Monday. */
function lastWeek(): { from: string; to: string } {
  const today = pageNoon();
  const monday = today.getDate() - ((today.getDay() + 6) % 7);
  const day = (date: number) =>
    new Date(today.getFullYear(), today.getMonth(), date, 12).toLocaleDateString('en-CA');
  return { from: day(monday - 7), to: day(monday) };
}

/** What people open the page for, in a real browser, in as few clicks as they may take. */
export function describeSixTasks({ open, ask, send, crawled }: PageFixture): void {
  describe('the six tasks', () => {
    beforeAll(crawled);

    describe.each(widths)('%s wide', (width) => {
      describe.each(ways)('by %s', (way) => {
        const start = async (path: string) => {
          const page = await open(path, undefined, width);
          await settled(page);
          return { page, reader: readerOf(page, way) };
        };

        it('the cheapest reliable RTX 4090: one', async () => {
          const { page, reader } = await start('/deals');
          await reader.click(page.locator('.chip[data-model="RTX 4090"]'));
          await expect.poll(() => shownPath(page, 'deals'), patiently).toContain('gpuName=RTX+4090');
          const { items } = await ask<Rankings>(
            '/api/rankings?gpuName=RTX+4090&by=usdPerGpuHour&minReliability=0.98&verification=verified&limit=1',
          );
          const first = page.locator('#ranking tbody tr').first();
          expect(await first.getAttribute('data-offer')).toBe(String(items[0]?.offerId));
          expect(reader.clicks).toBe(1);
        });

        it('whether now is a good time: none', async () => {
          const { page, reader } = await start('/trends');
          const sentence = await page.locator('.judgement p').first().textContent();
          expect(sentence).toMatch(
            /\$[\d.]+ per GPU-hour with 8 GB of disk( on an? \w+ machine)?[.,] .*(%|days|machines?)/,
          );
          expect(reader.clicks).toBe(0);
        });

        it('tell me when H100 SXM falls under $2: at most three', async () => {
          const config = { path: 'alerts' };
          const { id: channelId } = await send<Channel>('POST', '/api/channels', {
            ...{ kind: 'file', name: 'notes', config },
          });
          const { page, reader } = await start('/market?q=H100');
          await reader.click(page.getByRole('button', { name: 'Alert me: H100 SXM', exact: true }).first());
          const dialog = page.getByRole('dialog', { name: 'Alert me: H100 SXM' });
          await dialog.locator('[data-now]').waitFor();
          await dialog.locator('[data-reliable=true]').waitFor();
          await page.keyboard.type('2');
          await reader.click(dialog.getByRole('button', { name: 'Save alert' }));
          await page.locator('.said').getByText('Alert saved').waitFor();
          const { items } = await ask<{ items: Rule[] }>('/api/rules');
          const made = items.filter((rule) => rule.channelIds.includes(channelId));
          expect(made).toMatchObject([{ kind: 'priceBelow', params: { usd: 2 } }]);
          expect(reader.clicks).toBeLessThanOrEqual(3);
          await send('DELETE', `/api/rules/${made[0]?.id}`);
          await send('DELETE', `/api/channels/${channelId}`);
        });

        it('rent a machine, knowing it: three', async () => {
          const tried = new Set<number>();
          let instanceId: number | null = null;
          while (instanceId === null) {
            const { page, reader } = await start('/deals?by=usdPerGpuHour');
            const offerId = await rentable(page, tried);
            tried.add(offerId);
            instanceId = await rentWith(page, reader, offerId);
            if (instanceId === null) await page.close();
            else expect([instanceId > 0, reader.clicks]).toEqual([true, 3]);
          }
          await send('DELETE', `/api/instances/${instanceId}`);
        });

        it('what last week cost, and whether that was too much: one', async () => {
          const { page, reader } = await start('/spend');
          const choice = page.getByRole('radio', { name: 'Last week' });
          // The keyboard reaches a group by its chosen one.
          if (way === 'keyboard') {
            await reader.goTo(page.locator('input[type=radio][name=period]:checked'));
            await page.keyboard.press('ArrowRight');
            reader.clicks += 1;
          } else {
            await reader.click(choice);
          }
          await expect.poll(() => choice.isChecked(), patiently).toBe(true);
          const { from, to } = lastWeek();
          await expect.poll(() => shownPath(page, 'spend'), patiently).toContain(`from=${from}&to=${to}`);
          // A week without spend is said once; there is nothing to compare then.
          const shown = new URLSearchParams((await shownPath(page, 'spend')).split('?')[1]);
          const asked = new URLSearchParams({ from, to, timeZone: shown.get('timeZone') ?? 'UTC' });
          const { items } = await ask<{ items: unknown[] }>(`/api/spend/vs-market?${asked}`);
          const compared = page.locator('#vs-market');
          // Before the first sync of bills it says so.
          if (items.length === 0)
            await expect
              .poll(async () => (await compared.count()) === 0 || (await compared.textContent()), patiently)
              .toSatisfy((shown) => shown === true || `${shown}`.includes(noBills));
          else
            await expect
              .poll(() => shownPath(page, 'vs-market'), patiently)
              .toContain(`from=${from}&to=${to}`);
          expect(reader.clicks).toBe(1);
        });

        it('into a spreadsheet: two', async () => {
          const { page, reader } = await start('/deals');
          const menu = page.locator('details.menu').filter({ hasText: 'Excel' }).first();
          await reader.click(menu.locator('summary'));
          const download = page.waitForEvent('download');
          await reader.click(menu.getByRole('link', { name: 'Excel' }));
          expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
          expect(reader.clicks).toBe(2);
        });
      });
    });

    /** The first offer of the page that still exists and was not tried: the market goes on after its book. */
    async function rentable(page: Page, tried: ReadonlySet<number>): Promise<number> {
      const { items } = await ask<Rankings>(await shownPath(page, 'deals'));
      for (const { offerId } of items.filter((item) => !tried.has(item.offerId))) {
        const request = { offerId, image: 'ubuntu:24.04', diskGb: 16 };
        const quote = await send<Quote>('POST', '/api/quotes', request).catch(() => null);
        if (quote?.wouldRent === true) return offerId;
      }
      throw new Error('no offer can be rented');
    }

    /**
     * Rents an offer from Deals and returns the instance's id. null: the market went on meanwhile, as it does while
     * Tab is pressed on a slow machine, so that the offer is gone or has another price, and nothing was rented.
     */
    async function rentWith(page: Page, reader: Reader, offerId: number): Promise<number | null> {
      const row = `tr[data-offer="${offerId}"]`;
      const moved = `#gone, dialog [data-change], #ranking:not(:has(${row}))`;
      const rent = async (): Promise<number | null> => {
        await reader.click(page.locator(`#ranking ${row} a[href^="/rent/"]`));
        const confirm = page.locator('#quote button.primary');
        await confirm.waitFor();
        // The machine is seen before the money is spent.
        expect(await page.locator('#machine [data-fact=machine]').textContent()).toMatch(/^\d+$/);
        await reader.click(confirm);
        const [answered] = await Promise.all([
          page.waitForResponse(
            (each) => each.request().method() === 'POST' && each.url().endsWith('/api/instances'),
          ),
          reader.click(page.getByRole('dialog').locator('button.primary')),
        ]);
        // By the time the market was asked it was gone, or above the price that was confirmed.
        const { instanceId, type } = (await answered.json()) as Rented & { type?: string };
        return /#(offer-gone|price-above-cap)$/.test(type ?? '') ? null : (instanceId ?? 0);
      };
      return await Promise.race([
        rent(),
        page
          .locator(moved)
          .first()
          .waitFor({ timeout: 0 })
          .then(() => null),
      ]);
    }
  });
}
