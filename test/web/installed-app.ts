import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../web/core/api.ts';
import { startPushService } from '../watches/push-service.ts';
import { type PageFixture, settled } from './page-fixture.ts';

/** Tests of the page as an installed app: without a server, and as a receiver of messages. */
export function describeInstalledApp({ server, open, ask, send }: PageFixture): void {
  describe('the installed page', () => {
    const withWorker = { serviceWorkers: 'allow' } as const;
    const inCharge = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

    it('has all that browsers need to install it', async () => {
      const page = await open('/market');
      const address = await page.locator('link[rel=manifest]').getAttribute('href');
      const answer = await page.request.get(new URL(address ?? '', page.url()).href);
      expect(answer.headers()['content-type']).toMatch(/^application\/manifest\+json/);
      const { icons, ...manifest } = await answer.json();
      expect(manifest).toMatchObject({
        name: 'Offerbook',
        start_url: './',
        scope: './',
        display: 'standalone',
      });
      for (const { src, type, sizes } of icons as Record<'src' | 'type' | 'sizes', string>[]) {
        const icon = await page.request.get(new URL(src, answer.url()).href);
        expect(icon.headers()['content-type']).toContain(type);
        if (type !== 'image/png') continue;
        const bytes = await icon.body();
        expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
      }
    });

    it('shows its last state, marked, while there is no server, and lets nothing be changed', async () => {
      const page = await open('/market', undefined, 1440, withWorker);
      await inCharge(page);
      for (const path of ['/market', '/watches']) {
        await page.goto(server().url + path);
        await settled(page);
      }
      const banner = page.locator('[data-banner=offline]');
      expect(await banner.count()).toBe(0);
      await server().restart(async () => {
        await page.reload();
        await banner.getByText(/^Offline: state of \d/).waitFor();
        const add = page.getByRole('button', { name: 'Add alert' });
        expect(await add.isDisabled()).toBe(true);
        await page.getByRole('navigation').getByRole('link', { name: 'Market', exact: true }).click();
        await page.locator('#models tbody tr').first().waitFor();
        expect(await banner.count()).toBe(1);
      });
      await banner.waitFor({ state: 'detached' });
      // The list that it shows then is the server's again.
      const watch = await send<{ id: string }>('POST', '/api/watches', { name: 'Made after the outage' });
      await page.goto(`${server().url}/watches`);
      await page.getByRole('link', { name: 'Made after the outage', exact: true }).waitFor();
      await send('DELETE', `/api/watches/${watch.id}`);
      // Signed out, the browser keeps nothing of it.
      await page.goto(`${server().url}/settings`);
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      expect(await page.evaluate(async () => await window.caches.has('offerbook-answers'))).toBe(false);
    });

    it('makes this browser a channel and shows what is pushed to it', async () => {
      const service = await startPushService();
      // The tests' browser has neither a push service nor notifications: these parts of it are made.
      const prepare = (page: Page) =>
        page.addInitScript((subscription) => {
          Object.defineProperty(Notification, 'permission', { value: 'default' });
          Notification.requestPermission = async () => 'granted';
          PushManager.prototype.subscribe = async () =>
            ({ toJSON: () => subscription }) as unknown as PushSubscription;
        }, service.subscription);
      const page = await open('/watches', prepare, 1440, withWorker);
      await page.getByLabel('Kind').selectOption('browser');
      await page.getByRole('button', { name: 'Use this browser' }).click();
      await page.getByRole('button', { name: /^Send a test to .* on Linux$/ }).click();
      await page.locator('.said').getByText('Test message sent to').waitFor();
      const message = JSON.stringify(service.pushed[0]?.message);
      expect(message).toContain('a sample for');
      const [worker] = page.context().serviceWorkers();
      await worker?.evaluate(() => {
        const scope = self as unknown as { shown: unknown[]; registration: ServiceWorkerRegistration };
        scope.shown = [];
        scope.registration.showNotification = async (title, options) =>
          void scope.shown.push({ title, ...options });
      });
      const cdp = await page.context().newCDPSession(page);
      const registrationId = new Promise<string>((resolve) => {
        cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          const [first] = registrations;
          if (first !== undefined) resolve(first.registrationId);
        });
      });
      await cdp.send('ServiceWorker.enable');
      await cdp.send('ServiceWorker.deliverPushMessage', {
        origin: server().url,
        registrationId: await registrationId,
        data: message,
      });
      const shown = () => worker?.evaluate(() => (self as unknown as { shown: unknown[] }).shown);
      const { title, body, tag, path } = service.pushed[0]?.message ?? {};
      await expect.poll(shown).toEqual([{ title, body, tag, data: { path }, icon: '/icon-192.png' }]);
      // Its subscription ends: the list says so.
      service.answer(410);
      await page.getByRole('button', { name: /^Send a test to .* on Linux$/ }).click();
      await page.locator('#channels [data-test]').getByText('has ended its subscription').waitFor();
      await page.reload();
      const why = page.locator('#channels').getByText(/^Off: the browser has ended/);
      await why.waitFor();
      expect(await why.evaluate((words) => getComputedStyle(words).fontWeight)).toBe('400');
      const sizes = await page
        .locator('#channels')
        .evaluate((card) =>
          [...card.querySelectorAll('.why, tbody td')].map((each) => getComputedStyle(each).fontSize),
        );
      expect(new Set(sizes).size).toBe(1);
      const [channel] = (await ask<{ items: Channel[] }>('/api/channels')).items;
      await send('DELETE', `/api/channels/${channel?.id}`);
      service.close();
    });

    it('says at the button that push messages need https', async () => {
      const page = await open('/watches', (page) =>
        page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false })),
      );
      await page.getByLabel('Kind').selectOption('browser');
      await page.locator('[data-missing=browser]').getByText('need https').waitFor();
      expect(await page.getByRole('button', { name: 'Use this browser' }).isDisabled()).toBe(true);
    });
  });
}
