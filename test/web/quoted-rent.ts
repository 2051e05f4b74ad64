import { describe, expect, it, vi } from 'vitest';
import type { Instances, Quote, Rankings, Rented } from '../../web/core/api.ts';
import { instanceAt } from './made-instance.ts';
import { type PageFixture, patiently, perturb, settled } from './page-fixture.ts';

/** Tests in a real browser that a purchase is shown as the market quotes it. */
export function describeQuotedRent({ open, ask, send }: PageFixture): void {
  describe('a purchase', () => {
    /** An offer with several GPUs, so that no other text matches it by chance. */
    async function someOffer() {
      const { items } = await ask<Rankings>('/api/rankings?by=usdPerGpuHour&limit=500');
      for (const offer of items.filter(({ numGpus, isOutlier }) => numGpus > 1 && isOutlier !== true)) {
        // Some have been rented since the book.
        const request = { offerId: offer.offerId, image: 'ubuntu:24.04', diskGb: 16 };
        const quote = await send<Quote>('POST', '/api/quotes', request).catch(() => null);
        if (quote?.wouldRent === true) return offer;
      }
      throw new Error('the market offers no machine of several GPUs');
    }

    it("shows the quote's figures, whatever the address says about the offer, and rents exactly that offer", async () => {
      const { offerId } = await someOffer();
      const page = await open(`/rent/${offerId}?what=${encodeURIComponent('GTX 1080 × 1')}`);
      await page.locator('h1').waitFor();
      const { offer } = await send<Quote>('POST', '/api/quotes', {
        ...{ offerId, image: 'ubuntu:24.04', diskGb: 16 },
      });
      await page.getByRole('button', { name: 'Get quote' }).click();
      const title = `${offer.gpuName} × ${offer.numGpus}`;
      await page.getByRole('heading', { name: `Rent ${title}` }).waitFor();
      await page.locator('#quote button.primary').click();
      const dialog = page.getByRole('dialog', { name: `Rent ${title}?` });
      await dialog.waitFor();
      const fact = async (name: string) => await dialog.locator(`[data-fact=${name}]`).textContent();
      expect(await fact('gpus')).toBe(title);
      expect(await fact('machine')).toBe(String(offer.machineId));
      expect(await fact('host')).toBe(String(offer.hostId));
      expect(await fact('verification')).toBe(offer.verification);
      expect(await fact('reliability')).toBe(`${((offer.reliability ?? 0) * 100).toFixed(1)}%`);
      expect(await fact('disk')).toBe('16 GB');
      expect(await fact('download')).toMatch(/^\$[\d.]+ per GB$/);
      expect(await dialog.textContent()).toMatch(/host’s offer ends/);
      expect(await page.locator('body').textContent()).not.toContain('GTX 1080 × 1');
      const sent = page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/api/instances'),
      );
      const answered = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().endsWith('/api/instances'),
      );
      const price = Number(await page.locator('#quote dd.main').getAttribute('data-value'));
      await dialog.locator('button.primary').click();
      const body = (await sent).postDataJSON() as { offerId: number; maxUsdPerHour: number };
      expect(body.offerId).toBe(offerId);
      expect(Math.abs(body.maxUsdPerHour - price)).toBeLessThan(2e-6);
      const rented = (await (await answered).json()) as Rented;
      await page.locator('.said').getByText(`${title} rented for`).waitFor();
      await vi.waitFor(async () => {
        const { items } = await ask<Instances>('/api/instances');
        expect(items.find(({ instanceId }) => instanceId === rented.instanceId)).toMatchObject({
          ...{ gpuName: offer.gpuName, numGpus: offer.numGpus, machineId: offer.machineId },
        });
      }, patiently);
      await send('DELETE', `/api/instances/${rented.instanceId}`);
    });

    it('never rents above the quoted price, even if a higher one was allowed', async () => {
      const { offerId, usdPerHour } = await someOffer();
      const page = await open(`/rent/${offerId}`);
      await page.locator('input[name=maxUsdPerHour]').fill(String(usdPerHour * 5));
      await page.getByRole('button', { name: 'Get quote' }).click();
      await page.locator('#quote button.primary').click();
      await page.route('**/api/instances', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.fallback(),
      );
      const sent = page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/api/instances'),
      );
      const price = Number(await page.locator('#quote dd.main').getAttribute('data-value'));
      await page.getByRole('dialog').locator('button.primary').click();
      const { maxUsdPerHour } = (await sent).postDataJSON() as { maxUsdPerHour: number };
      expect(Math.abs(maxUsdPerHour - price)).toBeLessThan(2e-6);
    });

    it('shows unknown if the market states nothing', async () => {
      const { offerId } = await someOffer();
      const page = await open(`/rent/${offerId}`, (page) =>
        page.route('**/api/quotes', (route) =>
          perturb<Quote>(route, (quote) => ({
            ...{ ...quote, stoppedUsdPerDay: null, allInUsd: null, endsAt: null },
            offer: { ...quote.offer, hostId: null, country: null, reliability: null, verification: null },
          })),
        ),
      );
      await page.getByRole('button', { name: 'Get quote' }).click();
      await page.locator('#quote').waitFor();
      for (const name of ['host', 'country', 'reliability', 'verification', 'endsAt']) {
        expect([name, await page.locator(`#quote [data-fact=${name}]`).textContent()]).toEqual([
          ...[name, 'unknown'],
        ]);
      }
    });

    it('drops the quote of one offer at the address of another', async () => {
      const { offerId } = await someOffer();
      const page = await open(`/rent/${offerId}`);
      await page.getByRole('button', { name: 'Get quote' }).click();
      await page.locator('#quote').waitFor();
      await page.evaluate(() => {
        history.pushState(null, '', '/rent/1');
        dispatchEvent(new PopStateEvent('popstate'));
      });
      await page.getByRole('heading', { name: 'Rent offer 1' }).waitFor();
      expect(await page.locator('#quote').count()).toBe(0);
    });

    it('shows an instance in its dialog as it is now, not as it was when the dialog was opened', async () => {
      let usdPerHour = '1.5';
      const page = await open('/instances', async (page) => {
        await page.clock.install();
        await page.route('**/api/events*', (route) => route.abort());
        await page.route('**/api/instances', (route) =>
          perturb<Instances>(route, (answer) => ({ ...answer, items: [instanceAt(usdPerHour)] })),
        );
      });
      await settled(page);
      await page.getByRole('button', { name: 'Stop 77' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('currently $1.5000/hour').waitFor();
      usdPerHour = '9.25';
      await page.clock.fastForward('00:16');
      await dialog.getByText('currently $9.2500/hour').waitFor();
    });
  });
}
