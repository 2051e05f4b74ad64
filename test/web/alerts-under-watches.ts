import { describe, expect, it } from 'vitest';
import { publishEventNow } from '../../src/rentals/events.sql.ts';
import type { Channel, Rule, Watch } from '../../web/core/api.ts';
import { startReceiver } from '../watches/receiver.ts';
import { type PageFixture, pageTimeZone, settled, widths } from './page-fixture.ts';

/** Tests in a real browser that an alert on a price can be added under Watches, and is named there. */
export function describeAlertsUnderWatches({ server, open, ask, send }: PageFixture): void {
  describe('under Watches', () => {
    it.each(widths)(
      'an alert on a price of a chosen model is added, names its watch at once and is deleted, %s wide',
      async (width) => {
        // Without a channel the box stays open.
        for (const { id } of (await ask<{ items: Channel[] }>('/api/channels')).items)
          await send('DELETE', `/api/channels/${id}`);
        const page = await open('/watches', undefined, width);
        // A price has the box of every other view.
        await page.locator('select[name=alert-model]').selectOption('RTX 4090');
        await page.locator('#rules').getByRole('button', { name: 'Alert me: RTX 4090' }).click();
        const box = page.getByRole('dialog', { name: /RTX 4090/ });
        await box.locator('[data-reliable=true]').waitFor();
        // The price that it suggests would come between what is selected and what is typed.
        await box.getByText(/^Lowest of/).waitFor();
        await box.locator('input[name=alert-usd]').fill('0.0001');
        await box.getByRole('button', { name: 'Save alert' }).click();
        await box.locator('[data-saved=unheard]').waitFor();
        await page.keyboard.press('Escape');
        // Its watch is named at once, also in the title of its history.
        const added = page.locator('#rules tbody tr', { hasText: 'price below $0.0001/GPU-hour' });
        await added.getByRole('link', { name: /RTX 4090/ }).waitFor();
        await page.locator('#watches tbody tr', { hasText: 'RTX 4090' }).waitFor();
        await added.getByRole('button', { name: 'History' }).click();
        await page.getByRole('dialog', { name: /^History: RTX 4090.*: / }).waitFor();
        await page.keyboard.press('Escape');
        await added.getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
        await added.waitFor({ state: 'detached' });
      },
    );

    it.each(widths)(
      'the box of an alert keeps its places while it reads the price, tests it and warns, %s wide',
      async (width) => {
        let isHeld = true;
        const page = await open(
          '/deals',
          (page) =>
            page.route('**/api/rules/backtest', async (route) => {
              while (isHeld) await page.waitForTimeout(100);
              await route.continue();
            }),
          width,
        );
        await page.getByRole('button', { name: 'Alert me: all models' }).click();
        const box = page.getByRole('dialog', { name: /all models/ });
        await box.getByText('Reading the price now…').waitFor();
        await box.getByRole('button', { name: 'Save alert' }).waitFor();
        await settled(page);
        const places = () =>
          box.evaluate((element) =>
            ['.fold summary', '.stays button'].map(
              (each) => element.querySelector(each)?.getBoundingClientRect().y,
            ),
          );
        const before = await places();
        isHeld = false;
        await box.getByText(/^Lowest of/).waitFor();
        expect(await places()).toEqual(before);
        await box.getByText(/^In the /).waitFor();
        expect(await places()).toEqual(before);
        const price = box.locator('input[name=alert-usd]');
        await price.fill('5');
        await box.locator('[data-warning=fires-at-once]').waitFor();
        expect(await places()).toEqual(before);
        await box.getByText(/it would have fired/).waitFor();
        expect(await places()).toEqual(before);
        await price.fill('none');
        await box.getByText('Enter a price such as 2.00.').waitFor();
        expect(await places()).toEqual(before);
        await price.fill('0.0001');
        await box.getByText(/it would not have fired/).waitFor();
        expect(await places()).toEqual(before);
      },
    );

    it.each(widths)(
      'an alert of another kind than a price is changed in its form, %s wide',
      async (width) => {
        const made = await send<Rule>('POST', '/api/rules', {
          ...{ kind: 'instanceState', params: { states: ['gone'] }, cooldownMinutes: 5 },
          quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
        });
        const page = await open('/watches', undefined, width);
        const row = page.locator(`#rules tbody tr[data-key="${made.id}"]`);
        await row.getByRole('button', { name: 'Change…' }).click();
        const box = page.getByRole('dialog', { name: 'Change: Instance state' });
        const states = box.locator('[name=rule-states]');
        expect(await states.inputValue()).toBe('gone');
        expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
        await states.fill('gone, offline');
        await box.getByRole('button', { name: 'Save change' }).click();
        await row.getByText('an instance is gone or offline').waitFor();
        await box.waitFor({ state: 'detached' });
        const { items } = await ask<{ items: Rule[] }>('/api/rules?limit=1000');
        const { id, cooldownMinutes, quietHours } = made;
        expect(items.find((each) => each.id === id)).toMatchObject({ cooldownMinutes, quietHours });
        await send('DELETE', `/api/rules/${id}`);
      },
    );

    it('an alert on all models says so in a sentence of its own once it is saved', async () => {
      const page = await open('/deals', undefined, 1440);
      await page.getByRole('button', { name: 'Alert me: all models' }).click();
      const box = page.getByRole('dialog', { name: /all models/ });
      await box.getByText(/^Lowest of/).waitFor();
      await box.locator('input[name=alert-usd]').fill('0.0001');
      await box.getByRole('button', { name: 'Save alert' }).click();
      await box.locator('[data-saved=unheard]').getByText('nobody. All models, ').waitFor();
      const { items } = await ask<{ items: Rule[] }>('/api/rules?limit=1000');
      const [rule] = items.filter(({ params }) => 'usd' in params && params.usd === 0.0001);
      await send('DELETE', `/api/rules/${rule?.id}`);
      await send('DELETE', `/api/watches/${rule?.watchId}`);
    });

    it.each(widths)(
      'an alert that fires is listed with its delivery, which is not offered again to a channel that is off, %s wide',
      async (width) => {
        const { sql } = server();
        const config = { path: 'fired' };
        const on = await send<Channel>('POST', '/api/channels', { kind: 'file', name: 'pager', config });
        const off = await send<Channel>('POST', '/api/channels', { kind: 'file', name: 'gone', config });
        const rule = await send<Rule>('POST', '/api/rules', { kind: 'crawlPartial' });
        const page = await open('/watches', undefined, width);
        await page.locator('#channels').getByText('gone', { exact: true }).waitFor();
        await settled(page);
        const rows = page.locator('#deliveries tbody tr');
        expect(await rows.filter({ hasText: 'Fired while' }).count()).toBe(0);
        const alert = page.locator(`#rules tr[data-key="${rule.id}"]`);
        const lastFired = alert.locator('[data-field=lastFiredAt]');
        expect(await lastFired.textContent()).toBe('–');
        const places = () =>
          alert
            .locator('button, input')
            .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
        const before = await places();
        await sql`insert into alert (id, rule_id, market_id, at, notice, created_at)
          select gen_random_uuid(), id, market_id, now(), '{}', now() from rule where id = ${rule.id}`;
        // Meanwhile one channel turned out to be gone.
        await sql`update channel set off_reason = 'nobody is there' where id = ${off.id}`;
        for (const { id } of [on, off])
          await sql`insert into delivery (id, channel_id, notice, kind, title, state, created_at, next_attempt_at, ended_at)
            values (gen_random_uuid(), ${id}, '{}', 'alert', 'Fired while the list was read', 'refused', now(), now(), now())`;
        const data = { count: 1, alerts: [] };
        await publishEventNow(sql, { at: new Date(), marketId: null, kind: 'alert', data });
        const again = (name: string) =>
          rows
            .filter({ hasText: 'Fired while' })
            .filter({ has: page.locator('[data-head=Channel]', { hasText: name }) })
            .getByRole('button', { name: 'Send again' });
        await again('pager').waitFor();
        await page.locator('#channels').getByText('Off: nobody is there.').waitFor();
        expect(await again('gone').count()).toBe(0);
        await lastFired.getByText('just now').waitFor();
        expect(await places()).toEqual(before);
        // Its own message did not arrive: that stands with the alert, and its buttons stay in their columns.
        await sql`update delivery set rule_id = ${rule.id} where title = 'Fired while the list was read'`;
        await publishEventNow(sql, { at: new Date(), marketId: null, kind: 'alert', data });
        await lastFired.getByRole('link', { name: 'not delivered to gone, pager' }).waitFor();
        // Another one did.
        await sql`update delivery set state = 'sent' where title = 'Fired while the list was read' and channel_id = ${on.id}`;
        await publishEventNow(sql, { at: new Date(), marketId: null, kind: 'alert', data });
        await lastFired.getByText('written to a file', { exact: true }).waitFor();
        await lastFired.getByRole('link', { name: 'not delivered to gone', exact: true }).waitFor();
        const columns = (all: Awaited<ReturnType<typeof places>>) => all.map(({ x, width }) => [x, width]);
        expect(columns(await places())).toEqual(columns(before));
        await send('DELETE', `/api/rules/${rule.id}`);
        for (const { id } of [on, off]) await send('DELETE', `/api/channels/${id}`);
      },
    );

    it('the report of a new watch is sent at a time of the reader’s zone, which is named where it is chosen', async () => {
      const page = await open('/watches/new?gpuName=RTX+4090');
      await page.locator('[name=watch-name]').fill('Mornings');
      const schedule = page.getByLabel('Send the report');
      await schedule.selectOption({ label: `Every morning at 08:00, ${pageTimeZone}` });
      await page.getByRole('button', { name: 'Create watch' }).click();
      const row = page.locator('#watches tbody tr', { hasText: 'Mornings' });
      await row.getByText(`every morning at 08:00, ${pageTimeZone}`).waitFor();
      const { items } = await ask<{ items: Watch[] }>('/api/watches');
      const made = items.find(({ name }) => name === 'Mornings');
      expect(made?.reportSchedule).toEqual({ cron: '0 8 * * *', timeZone: pageTimeZone });
      await send('DELETE', `/api/watches/${made?.id}`);
    });

    it('a delivery that is tried again says how each attempt ended, without another alert', async () => {
      const receiver = await startReceiver();
      receiver.answer(500);
      const config = { url: receiver.url };
      const { id } = await send<Channel>('POST', '/api/channels', { kind: 'webhook', name: 'late', config });
      const page = await open('/watches');
      await page.locator('#channels').getByText('late', { exact: true }).waitFor();
      const notice = { kind: 'alert', title: 'Arrives late', lines: [], link: null, at: new Date() };
      const text = JSON.stringify({ ...notice, watchId: null, ruleId: null, data: {} });
      await server()
        .sql`insert into delivery (id, channel_id, notice, kind, title, created_at, next_attempt_at)
        values (gen_random_uuid(), ${id}, ${text}, 'alert', 'Arrives late', now(), now())`;
      const row = page.locator('#deliveries tbody tr', { hasText: 'Arrives late' });
      await row.getByText('500').waitFor();
      receiver.answer(200);
      await row.getByText(/^sent, \d+ tries$/).waitFor();
      await send('DELETE', `/api/channels/${id}`);
    });
  });
}
