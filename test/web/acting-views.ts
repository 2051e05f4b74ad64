import { beforeAll, describe, expect, it } from 'vitest';
import type { Actions, Instances, Quote, Rankings } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, settled, tabTo } from './page-fixture.ts';

/** What Deals asks for unless the switch is off. */
const reliable = 'verification=verified&minReliability=0.98';

/** Tests of renting and of instances in a real browser, against the simulator and the database. */
export function describeActingViews({ server, open, ask, crawled }: PageFixture): void {
  describe('views of rentals', () => {
    const instances = async () => (await ask<Instances>('/api/instances')).items;

    beforeAll(crawled);

    it('rents and destroys with the keyboard only, showing price and warnings first', async () => {
      const page = await open('/deals?by=usdPerGpuHour', undefined, 1440);
      await page.locator('#ranking tbody tr').first().waitFor();
      const { items } = await ask<Rankings>(
        `/api/rankings?by=usdPerGpuHour&${reliable}&outliersLast=true&limit=1`,
      );
      await tabTo(page, '#ranking tbody tr:first-child a.button');
      await page.keyboard.press('Enter');
      await page.locator('#quote').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/rent/${items[0]?.offerId}`);
      await tabTo(page, 'input[name=label]');
      await page.keyboard.type('by keyboard');
      // The confirmation waits for the quote of what was typed, and the field keeps the focus meanwhile.
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      const asked = await page.locator('#quote strong.main').getAttribute('data-value');
      expect(Number(asked)).toBeGreaterThan(0);
      await tabTo(page, 'dialog button.primary');
      await page.keyboard.press('Enter');
      // The new instance shows at once.
      await page.getByRole('heading', { name: 'by keyboard' }).waitFor();
      await page.getByText('SSH can be used when it is running.').waitFor();
      await page.locator('#instance').getByText('on Offerbook’s page').waitFor();
      await tabTo(page, 'a.button[href="/instances"]');
      await page.keyboard.press('Enter');
      const row = page.locator('#instance-table tbody tr').filter({ hasText: 'by keyboard' });
      await row.waitFor();
      const [rented] = await instances();
      expect(rented?.label).toContain('by keyboard');
      expect(rented?.instanceId).not.toBeNull();
      await row.getByRole('button', { name: /^Destroy / }).waitFor();
      await tabTo(page, '#instance-table button[aria-label^=Limits]');
      await page.keyboard.press('Enter');
      await tabTo(page, 'dialog input[name=idleMinutes]');
      await page.keyboard.type('30');
      await tabTo(page, 'dialog input[name=maxUsd]');
      await page.keyboard.type('12.5');
      await tabTo(page, 'dialog input[name=endAction]');
      await page.keyboard.press('ArrowRight');
      await tabTo(page, 'dialog input[name=cheaperPercent]');
      await page.keyboard.type('12');
      await tabTo(page, 'dialog input[name=cheaperOfBooks]');
      await page.keyboard.type('5');
      await tabTo(page, 'dialog input[name=cheaperAction]');
      await page.keyboard.press('ArrowRight');
      await tabTo(page, 'dialog button.primary');
      await page.keyboard.press('Enter');
      await row.getByText('destroyed after 30 idle minutes').waitFor();
      await row.getByText('rents an equal machine that is 12% cheaper in 2 of 5 books').waitFor();
      expect((await instances())[0]).toMatchObject({
        ...{ idleMinutes: 30, idlePercent: 5, maxUsd: '12.5', endAction: 'destroy', warnMinutes: 15 },
        ...{ maxHours: null, endsAt: null, costCenter: null },
        ...{ cheaperPercent: 12, cheaperBooks: 2, cheaperOfBooks: 5, cheaperAction: 'replace' },
      });
      await tabTo(page, '#instance-table button.danger');
      await page.keyboard.press('Enter');
      await page.getByText('GB rented) is deleted for good').waitFor();
      // Neither without its name nor with that of another instance.
      const destroys = page.locator('dialog button.danger');
      expect(await destroys.isDisabled()).toBe(true);
      await tabTo(page, 'dialog input[name=typed]');
      const room = await page.locator('dialog input[name=typed]').evaluate((field) => {
        const words = new Range();
        words.selectNode(field.previousSibling ?? field);
        return field.getBoundingClientRect().top - words.getBoundingClientRect().bottom;
      });
      // The ring and its distance.
      expect(room).toBeGreaterThan(4);
      await page.keyboard.type('by keyboar');
      expect(await destroys.isDisabled()).toBe(true);
      await page.keyboard.type('d');
      await tabTo(page, 'dialog button.danger');
      await page.keyboard.press('Enter');
      const ended = async () => (await instances()).map(({ wanted, state }) => wanted ?? state);
      await expect.poll(ended, patiently).toEqual(['destroyed']);
      await row.getByText('destroying').waitFor();
    });

    it("rents with a bid on a phone, shows the API's figures, raises the bid, sets hours, marks the rental on the trend", async () => {
      const page = await open('/deals?by=usdPerGpuHour&type=bid', undefined, 390);
      const { items } = await ask<Rankings>(`/api/rankings?by=usdPerGpuHour&type=bid&${reliable}&limit=50`);
      const {
        gpuName = '',
        usdPerHour = 1,
        offerId,
      } = items.find(({ isOutlier }) => isOutlier !== true) ?? {};
      await page.locator(`#ranking tr[data-offer="${offerId}"] a.button`).click();
      // It begins with a bid above the minimum.
      expect(Number(await page.locator('input[name=bidUsdPerHour]').inputValue())).toBeGreaterThan(0);
      await page.locator('input[name=bidUsdPerHour]').fill(String(usdPerHour * 2));
      await page.locator('input[name=label]').fill('by phone');
      await page.locator('#quote button.primary').click();
      await page.getByRole('dialog').locator('button.primary').click();
      // The way back begins where the title does, below it.
      const back = page.getByRole('link', { name: 'All instances' });
      const title = await page.locator('h1').boundingBox();
      const place = await back.boundingBox();
      expect([place?.x, (place?.y ?? 0) > (title?.y ?? 0) + 20]).toEqual([title?.x, true]);
      await back.click();
      const row = page.locator('#instance-table tbody tr').filter({ hasText: 'by phone' });
      await row.getByRole('button', { name: /^Change the bid for / }).click();
      await page.locator('input[name=bidUsdPerHour]').fill(String(usdPerHour * 3));
      await page.getByRole('dialog').locator('button.primary').click();
      await page.locator('.said').getByText('Bid changed to').waitFor();
      const own = async () => (await instances()).find(({ label }) => label?.includes('by phone') === true);
      await expect
        .poll(async () => Number((await own())?.bidUsdPerHour), patiently)
        .toBeCloseTo(usdPerHour * 3, 6);
      await row.getByRole('button', { name: /^Limits of / }).click();
      await page.locator('input[name=maxHours]').fill('5');
      await page.getByRole('dialog').locator('button.primary').click();
      await expect.poll(async () => (await own())?.maxHours, patiently).toBe(5);
      // An end that is near is shown with one button to put it off, which a finger can hit.
      await row.getByRole('button', { name: /^Limits of / }).click();
      await page.locator('input[name=maxHours]').fill('0.2');
      await page.locator('input[name=warnMinutes]').fill('60');
      await page.getByRole('dialog').locator('button.primary').click();
      await row.locator('[data-ending=maxHours]').waitFor(patiently);
      const extend = row.getByRole('button', { name: /^Extend / });
      expect((await extend.boundingBox())?.height).toBeGreaterThanOrEqual(24);
      await extend.click();
      await row.locator('[data-ending]').waitFor({ ...patiently, state: 'detached' });
      expect((await own())?.maxHours).toBe(1.2);
      const shown = () => row.locator('[data-field=billedUsdPerHour]').getAttribute('data-value');
      await expect
        .poll(async () => (await own())?.billedUsdPerHour === (await shown()), patiently)
        .toBe(true);
      await page.route('**/api/instances', (route) =>
        perturb<Instances>(route, (answer) => ({
          ...answer,
          items: answer.items.map((each) => ({ ...each, billedUsdPerHour: '7' })),
        })),
      );
      await page.reload();
      await expect.poll(shown, patiently).toBe('7');
      await server()
        .sql`update rental set created_at = now() - interval '1 day' where label like 'by phone%' returning id`;
      await page.goto(`${server().url}/trends?gpuName=${encodeURIComponent(gpuName)}`);
      await page.locator('.mark.rental').waitFor();
      expect(await page.locator('.mark.rental').getAttribute('title')).toContain('by phone');
      await page.getByText('Metric and display').click();
      await page.getByLabel('Events').uncheck();
      await page.locator('.mark.rental').waitFor({ state: 'detached' });
    });

    it('lets a person settle a rental', async () => {
      const { sql } = server();
      const [rental] = await sql<{ id: string }[]>`
        update rental set state = 'unsettled', instance_id = null, ended_at = null, settled_at = null
        where label like 'by keyboard%' returning id`;
      const page = await open('/instances');
      await page.getByRole('button', { name: `Resolve ${rental?.id}` }).click();
      await page.getByLabel('Outcome').waitFor();
      await page.getByText('The simulated market has no page of its own').waitFor();
      await page.getByRole('button', { name: 'Resolve', exact: true }).click();
      await page.locator('.said').getByText('nothing was rented').waitFor();
      const { rental: settledRental } = await ask<{ rental: { state: string; reason: string } }>(
        `/api/rentals/${rental?.id}`,
      );
      expect(settledRental.state).toBe('failed');
      expect(settledRental.reason).toContain('says that nothing was rented');
    });

    it('shows the quote as the API returns it, and offers no rental that would be refused', async () => {
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      const page = await open(`/rent/${items[0]?.offerId}`, (page) =>
        page.route('**/api/quotes', (route) =>
          perturb<Quote>(route, (quote) => ({
            ...{ ...quote, usdPerHour: '12.345678', wouldRent: false },
            warnings: [{ kind: 'deverified', message: 'The market has withdrawn its trust.' }],
            guards: [{ guard: 'MAX_INSTANCES', limit: '1', value: '2', message: 'Two would be too many.' }],
          })),
        ),
      );
      await page.getByText('Two would be too many.').waitFor();
      await page.getByText('The market has withdrawn its trust.').waitFor();
      expect(await page.locator('#quote strong.main').textContent()).toBe('$12.3457/hour');
      expect(await page.getByRole('button', { name: 'Rent this machine…' }).isDisabled()).toBe(true);
    });

    it('disables and enables all new rentals, here and in another window at once', async () => {
      const page = await open('/instances');
      const other = await open('/instances');
      await page.getByRole('button', { name: 'Disable new rentals…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('stopping and destroying stay allowed').waitFor();
      expect((await ask<Actions>('/api/actions')).enabled).toBe(true);
      await dialog.getByRole('button', { name: 'Disable new rentals' }).click();
      await other.locator('[data-kill]').getByText('Disabled on the page').waitFor();
      expect((await ask<Actions>('/api/actions')).enabled).toBe(false);
      await page.getByRole('button', { name: 'Enable new rentals' }).click();
      await other.getByRole('button', { name: 'Disable new rentals' }).waitFor();
      expect((await ask<Actions>('/api/actions')).enabled).toBe(true);
    });

    it('polls while the event stream is closed, and uses it again', async () => {
      let answer: 'cut' | 'pass' = 'cut';
      const page = await open('/instances', async (page) => {
        await page.clock.install();
        await page.route('**/api/events*', (route) => (answer === 'cut' ? route.abort() : route.fallback()));
      });
      await page.locator('[data-stream=closed]').waitFor();
      await settled(page);
      const asked = page.waitForRequest('**/api/instances');
      await page.clock.fastForward('00:16');
      await asked;
      answer = 'pass';
      await page.clock.fastForward('00:06');
      await page.locator('[data-stream=open]').waitFor(patiently);
    });
  });
}
