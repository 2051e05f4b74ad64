import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Instances, Rankings } from '../../web/core/api.ts';
import { instanceAt } from './made-instance.ts';
import { type PageFixture, patiently, perturb, settled } from './page-fixture.ts';

/** Tests in a real browser of tables that are longer or wider than the screen. */
export function describeWideTables({ open }: PageFixture): void {
  describe('a table that is longer or wider than the screen', () => {
    const placeOf = async (found: Locator) => {
      const place = await found.boundingBox();
      if (place === null) throw new Error('it is not shown');
      return place;
    };

    it('shows price, lowest and change of a model first, 390 wide', async () => {
      const page = await open('/market', undefined, 390);
      const row = page.locator('#models tbody tr').first();
      await row.waitFor();
      const list = await placeOf(page.locator('.scroll').first());
      const rows = await page.locator('#models tbody tr').all();
      for (const each of rows.slice(0, 12)) {
        for (const field of ['median', 'lowest', 'change1']) {
          const { x, width } = await placeOf(each.locator(`[data-field=${field}] [data-explain]`));
          // The last pixels of a wide table fade.
          expect([field, x >= list.x && x + width <= list.x + list.width - 24]).toEqual([field, true]);
        }
      }
      // The week is not cut, but beyond the edge, and the words above the table lead there.
      const week = await placeOf(row.locator('[data-field=change7] [data-explain]'));
      expect(week.x).toBeGreaterThan(list.x + list.width - 8);
      await page.getByText('The table scrolls: down to every model').waitFor();
      const heads = await page.locator('#models thead th').allTextContents();
      expect(heads.filter((text) => text.endsWith('$/GPU-hour')).length).toBeGreaterThan(1);
    });

    it.each([1440, 1024])('keeps its heads in sight, %s wide', async (width) => {
      const page = await open('/market', undefined, width);
      await settled(page);
      const head = page.locator('#models thead th').first();
      const box = page.locator('.scroll').first();
      const isWide = (await box.getAttribute('data-wide')) !== null;
      expect(isWide).toBe(width === 1024);
      const [card, table] = [await placeOf(page.locator('#market')), await placeOf(page.locator('#models'))];
      const room = card.x + card.width - table.x - table.width;
      if (!isWide) expect(room).toBeCloseTo(table.x - card.x, 1);
      if (isWide) await box.evaluate((each) => each.scrollTo(200, 600));
      else await page.evaluate(() => window.scrollTo(0, 900));
      const { x, y } = await placeOf(head);
      const top = isWide ? (await placeOf(box)).y : 0;
      expect(Math.abs(y - top)).toBeLessThan(3);
      expect(x).toBeGreaterThanOrEqual(0);
    });

    it('shows every first column of Deals without scrolling, 1440 wide', async () => {
      const summary = {
        ...{ grade: 'very_low' as const, text: 'very low among RTX PRO 6000 WSs' },
        claim: 'cheaper than 94% of unverified ones in 30 days',
      };
      const page = await open(
        '/deals',
        (page) =>
          page.route('**/api/rankings?*', (route) =>
            perturb<Rankings>(route, (answer) => ({
              ...answer,
              items: answer.items.map((item) => ({
                ...{ ...item, gpuName: 'RTX PRO 6000 WS', numGpus: 8, maxDurationHours: 140 },
                verdict:
                  item.verdict === null
                    ? null
                    : { ...item.verdict, summary: { ...item.verdict.summary, ...summary } },
              })),
            })),
          ),
        1440,
      );
      await page.locator('#ranking tbody tr').first().waitFor();
      await page.locator('#ranking .judged').getByText(summary.text).first().waitFor();
      const box = page.locator('.scroll:has(> #ranking)');
      expect(await box.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
      // What wraps below the name begins where that does, and green is left to a good time.
      const row = page.locator('#ranking tbody tr').first();
      const [name, tag] = [await placeOf(row.locator('th > a')), await placeOf(row.locator('.tag').last())];
      expect(tag.x).toBeCloseTo(name.x, 0);
      const colors = await row.evaluate((each) =>
        ['th > a', '.words-of'].map((part) => {
          const found = each.querySelector(part);
          return found === null ? part : getComputedStyle(found).color;
        }),
      );
      expect(new Set(colors).size).toBe(1);
    });

    it('shows what is special about an offer below its name, 390 wide', async () => {
      const page = await open(
        '/deals?runningHours=72',
        (page) =>
          page.route('**/api/rankings?*', (route) =>
            perturb<Rankings>(route, (answer) => ({
              ...answer,
              items: answer.items.map((item) => ({ ...item, maxDurationHours: 61 })),
            })),
          ),
        390,
      );
      const row = page.locator('#ranking tbody tr').first();
      const [name, tags, price] = [
        await placeOf(row.locator('th > a')),
        await placeOf(row.locator('.tags')),
        await placeOf(row.locator('.main')),
      ];
      expect(tags.y).toBeGreaterThanOrEqual(name.y + name.height - 2);
      expect(price.y).toBeLessThan(tags.y);
      expect(await row.locator('.tag').textContent()).toMatch(
        /^host ends it in .+, before the 72 h of the usage profile$/,
      );
      // Hours that nobody chose need no words in every row.
      await page.goto(page.url().replace('runningHours=72', 'runningHours=720'));
      await expect
        .poll(() => row.locator('.tag').textContent(), patiently)
        .toMatch(/^host ends it in [^,]+$/);
      // A tap or a key says what a pointer reads in its title, and nothing moves.
      const tag = row.locator('button.tag');
      const place = await placeOf(tag);
      const words = await tag.getAttribute('title');
      expect(words).toMatch(/^The machine is offered until .*, less than the 720 h/);
      await tag.press('Enter');
      await row
        .getByRole('note')
        .getByText(words ?? '')
        .waitFor();
      expect([await placeOf(tag), place.height]).toEqual([place, 20]);
      await page.keyboard.press('Escape');
      await row.getByRole('note').waitFor({ state: 'hidden' });
      await page.goBack();
      await row.getByText('before the 72 h').waitFor();
      // One click lists what lasts first, and back.
      await page.getByRole('link', { name: 'List those last that end before 72 h' }).click();
      await page.getByText('those that end before 72 h last').waitFor();
      expect(new URL(page.url()).searchParams.get('endingLast')).toBe('true');
      await page.getByRole('link', { name: 'undo' }).click();
      await page.getByRole('link', { name: 'List those last' }).waitFor();
      expect(new URL(page.url()).searchParams.has('endingLast')).toBe(false);
      // Its shade is that of the whole card.
      await row.hover();
      const shades = await row.evaluate((card) =>
        [card, ...card.querySelectorAll('th, .main')].map((each) => getComputedStyle(each).backgroundColor),
      );
      expect(new Set(shades).size).toBe(1);
      // The machine's number opens the same listing.
      const machine = row.locator('[data-field=machineId] a');
      expect(await machine.getAttribute('href')).toBe(await row.locator('th > a').getAttribute('href'));
    });

    it('keeps every button of a row in sight, 1024 wide', async () => {
      const items = [
        { ...instanceAt('0.5'), label: 'with a long name that takes much of the room there is' },
      ];
      const page = await open(
        '/instances',
        (page) =>
          page.route('**/api/instances', (route) =>
            perturb<Instances>(route, (answer) => ({ ...answer, items })),
          ),
        1024,
      );
      const row = page.locator('#instance-table tbody tr').first();
      const [name, whole] = [await placeOf(row.locator('.cut')), await placeOf(row)];
      expect(name.x).toBeGreaterThanOrEqual(whole.x);
      expect(name.width).toBeGreaterThan(60);
      const buttons = row.locator('.actions button');
      await buttons.first().waitFor();
      expect(await buttons.count()).toBeGreaterThan(1);
      const covered = await buttons.evaluateAll((found) =>
        found.filter((button) => {
          const { x, y, width, height } = button.getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button') !== button;
        }),
      );
      expect(covered).toEqual([]);
    });

    it('has one line for a state and for each end of an instance, 1440 wide', async () => {
      const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
      const ended = {
        ...{ ...instanceAt('0.5'), state: 'ready' as const, country: 'NO', machineId: 173276 },
        ...{ endAction: 'stop' as const, endsAt: inHours(37), hostEndsAt: inHours(35.5) },
      };
      const items = [ended, { ...ended, instanceId: 6, type: 'bid' as const }];
      const page = await open(
        '/instances',
        (page) =>
          page.route('**/api/instances', (route) =>
            perturb<Instances>(route, (answer) => ({ ...answer, items })),
          ),
        1440,
      );
      const rows = page.locator('#instance-table tbody tr');
      await rows.nth(1).waitFor();
      expect(await page.locator('.scroll[data-wide] > #instance-table').count()).toBe(0);
      for (const row of await rows.all()) {
        await row.getByText('Norway').waitFor();
        expect((await placeOf(row)).height).toBeLessThan(70);
        for (const head of ['State', 'Place', 'End']) {
          const cell = row.locator(`td[data-head="${head}"]`);
          const lines = await cell.evaluate((each) => {
            const text = document.createRange();
            text.selectNodeContents(each);
            return new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom / 10))).size;
          });
          expect([head, lines]).toEqual([head, head === 'State' ? 1 : 2]);
        }
      }
    });
  });
}
