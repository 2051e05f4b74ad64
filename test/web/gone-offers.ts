import { beforeEach, describe, expect, it } from 'vitest';
import type { Instances, Quote, Rankings } from '../../web/core/api.ts';
import { instanceAt } from './made-instance.ts';
import { type PageFixture, patiently, perturb } from './page-fixture.ts';
import { offerFinder } from './quoted-rent.ts';

/** Tests in a real browser of what is offered in place of an offer that is gone. */
export function describeGoneOffers({ open, ask, send, crawled }: PageFixture): void {
  describe('an offer that is gone', () => {
    // Again before a retry: an old book has too many offers that are gone.
    beforeEach(crawled);
    const someOffer = offerFinder({ ask, send });

    it('offers the next best machine that the market still has once the offer is gone, with both prices, and keeps what was filled in', async () => {
      const { items } = await ask<Rankings>('/api/rankings?by=usdPerGpuHour&limit=500');
      const { offerId, gpuName, numGpus, listingId, machineId } = await someOffer(
        (one) =>
          items.filter(
            (other) =>
              other.gpuName === one.gpuName &&
              other.numGpus === one.numGpus &&
              other.machineId !== one.machineId &&
              other.isOutlier !== true,
          ).length > 2,
      );
      const same = new URLSearchParams({ gpuName, numGpus: String(numGpus), by: 'usdPerGpuHour' });
      const alike = await ask<Rankings>(`/api/rankings?${same}&minReliability=0.1&storageGb=8&limit=50`);
      const others = alike.items.filter((item) => item.offerId !== offerId && item.isOutlier !== true);
      const [taken] = others;
      let isGone = false;
      const tried: number[] = [];
      const query = new URLSearchParams({ listing: listingId, minReliability: '0.1' });
      const page = await open(`/rent/${offerId}?${query}`, (page) =>
        page.route('**/api/quotes', async (route) => {
          const asked = (route.request().postDataJSON() as { offerId: number }).offerId;
          if (isGone) tried.push(asked);
          await (isGone && (asked === offerId || asked === taken?.offerId)
            ? route.fulfill({ status: 410, json: { title: 'Gone', status: 410 } })
            : route.fallback());
        }),
      );
      await page.route('**/api/instances', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 410, json: { title: 'Gone', status: 410, detail: 'It is rented.' } })
          : perturb<Instances>(route, (answer) => ({
              ...answer,
              // Just before the market was asked, which knew it not yet.
              items: [
                {
                  ...{ ...instanceAt('0.5'), machineId },
                  startedAt: new Date(Date.now() - 120_000).toISOString(),
                },
              ],
            })),
      );
      await page.locator('#quote').waitFor();
      const quoted = Number(await page.locator('#quote strong.main').getAttribute('data-value'));
      await page.locator('input[name=label]').fill('kept');
      await page.getByRole('button', { name: 'Rent this machine…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      isGone = true;
      await dialog.getByRole('button', { name: /^Rent for/ }).click();
      await page.locator('#gone').getByText(`${gpuName} × ${numGpus} is gone`).waitFor();
      await page.locator('#gone').getByText(`machine ${machineId}, offer ${offerId}: `).waitFor();
      const price = async (name: string) =>
        Number(/\$([\d.]+)/.exec((await page.locator(`#gone [data-fact=${name}]`).textContent()) ?? '')?.[1]);
      await page.locator('#gone [data-fact=before]').waitFor(patiently);
      expect(await page.locator('#gone [role=alert]').textContent()).toContain(
        `most likely because your instance 77 took GPUs of machine ${machineId} at `,
      );
      // What is offered was asked for after those that are gone.
      expect(tried.slice(0, 2)).toEqual([offerId, taken?.offerId]);
      const next = others.find((item) => item.offerId === tried.at(-1));
      expect(await price('before')).toBeCloseTo(quoted, 3);
      const request = { offerId: next?.offerId, image: 'ubuntu:24.04', diskGb: 8 };
      const { usdPerHour } = await send<Quote>('POST', '/api/quotes', request);
      expect(await price('next')).toBeCloseTo(Number(usdPerHour), 3);
      const fact = async (name: string) => await page.locator(`#gone [data-fact=${name}]`).textContent();
      expect(await fact('next')).toMatch(/^\$[\d.]+\/hour(, \d+% (more|less))?$/);
      expect(await fact('gpus')).toMatch(/ × \d+, \$[\d.]+\/GPU-hour$/);
      expect(await fact('endsAt')).toMatch(/^on .*\d{4}/);
      expect(await page.locator('#gone dt').first().textContent()).toBe(
        'The one that is gone, with 8 GB of disk',
      );
      if (alike.items.some((item) => item.offerId === offerId))
        await page.locator('#gone [data-still-listed]').getByText('still has it').waitFor();
      await page.locator('#gone a.button.primary').click();
      await page.waitForURL(`**/rent/${next?.offerId}?*`);
      // The refusal was of the other offer, and so was the wish to rent.
      await page.locator('#quote').waitFor(patiently);
      expect([await dialog.count(), await page.getByText('It is rented.').count()]).toEqual([0, 0]);
      expect(new URL(page.url()).searchParams.get('minReliability')).toBe('0.1');
      // The next one may be gone by now too.
      await page.locator('input[name=label]').or(page.locator('#gone')).first().waitFor();
      if ((await page.locator('#gone').count()) === 0) {
        expect(await page.locator('input[name=label]').inputValue()).toBe('kept');
      }
      await page.evaluate((href) => {
        history.pushState(null, '', href);
        dispatchEvent(new PopStateEvent('popstate'));
      }, `/deals?${same}&minReliability=0.1`);
      const marked = page.locator(`#ranking tr[data-offer="${taken?.offerId}"] a.button`);
      await expect.poll(() => marked.textContent(), patiently).toBe('Gone');
      await page.locator('#ranking').getByText('Rent…').first().waitFor();
    });

    it('names an own instance there that has ended, and looks among reliable offers where no filter says otherwise', async () => {
      const { offerId, listingId, machineId } = await someOffer();
      let isGone = false;
      const page = await open(`/rent/${offerId}?listing=${listingId}`, async (page) => {
        await page.route('**/api/quotes', async (route) => {
          const asked = (route.request().postDataJSON() as { offerId: number }).offerId;
          await (isGone && asked === offerId
            ? route.fulfill({ status: 410, json: { title: 'Gone', status: 410 } })
            : route.fallback());
        });
        await page.route('**/api/instances/ended?*', (route) =>
          perturb<Instances>(route, (answer) => ({
            ...answer,
            items: [
              {
                ...{ ...instanceAt('0.5'), machineId },
                ...{ startedAt: '2099-01-01T10:04:00.000Z', endedAt: '2099-01-01T10:30:00.000Z' },
              },
            ],
          })),
        );
      });
      await page.locator('#quote').waitFor();
      isGone = true;
      const ranked = page.waitForRequest(/\/api\/rankings\?/);
      await page.locator('input[name=label]').fill('kept');
      const asked = new URL((await ranked).url()).searchParams;
      expect([asked.get('verification'), asked.get('minReliability')]).toEqual(['verified', '0.98']);
      const gone = page.locator('#gone');
      await gone.getByText(`took GPUs of machine ${machineId} at `).waitFor();
      await gone.locator('[data-own=ended]').getByText('That instance ended at').waitFor();
      expect(await gone.locator('[data-own=ended] a').getAttribute('href')).toBe(`/listings/${listingId}`);
    });
  });
}
