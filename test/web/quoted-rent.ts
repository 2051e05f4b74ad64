import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Instances, MachineRecord, Quote, Rankings, Rented } from '../../web/core/api.ts';
import { instanceAt } from './made-instance.ts';
import { type PageFixture, patiently, perturb, settled } from './page-fixture.ts';

/** Returns what finds an offer with several GPUs that the market quotes now, so that no other text matches it by chance. */
export function offerFinder({ ask, send }: Pick<PageFixture, 'ask' | 'send'>) {
  return async (fits: (offer: Rankings['items'][number]) => boolean = () => true) => {
    const { items } = await ask<Rankings>('/api/rankings?by=usdPerGpuHour&limit=500');
    for (const offer of items.filter((one) => one.numGpus > 1 && one.isOutlier !== true && fits(one))) {
      // Some have been rented since the book.
      const request = { offerId: offer.offerId, image: 'ubuntu:24.04', diskGb: 8 };
      const quote = await send<Quote>('POST', '/api/quotes', request).catch(() => null);
      if (quote?.wouldRent === true) return offer;
    }
    throw new Error('the market offers no machine of several GPUs');
  };
}

/** Tests in a real browser that a purchase is shown as the market quotes it. */
export function describeQuotedRent({ open, ask, send, crawled }: PageFixture): void {
  describe('a purchase', () => {
    beforeAll(crawled);

    const someOffer = offerFinder({ ask, send });

    it('is three clicks from Deals: the machine and the total first, then exactly what was confirmed', async () => {
      const { offerId, gpuName } = await someOffer();
      const page = await open(`/deals?by=usdPerGpuHour&reliable=off&gpuName=${encodeURIComponent(gpuName)}`);
      await page.locator(`#ranking tr[data-offer="${offerId}"] a[href^="/rent/"]`).click();
      await page.locator('#quote').waitFor();
      const quote = await send<Quote>('POST', '/api/quotes', { offerId, image: 'ubuntu:24.04', diskGb: 8 });
      const { offer } = quote;
      const title = `${offer.gpuName} × ${offer.numGpus}`;
      await page.getByRole('heading', { name: `Rent ${title}` }).waitFor();
      const fact = async (name: string) => await page.locator(`#machine [data-fact=${name}]`).textContent();
      expect(await fact('gpus')).toBe(title);
      expect(await fact('machine')).toBe(String(offer.machineId));
      expect(await fact('host')).toBe(String(offer.hostId));
      expect(await fact('verification')).toBe(offer.verification);
      expect(await fact('reliability')).toBe(`${((offer.reliability ?? 0) * 100).toFixed(1)}%`);
      expect(await fact('vram')).toMatch(/ GB per GPU, .* GB together$/);
      expect(await fact('cpu')).toBe(
        `${offer.cpuCoresEffective} cores for this offer, of ${offer.cpuCores} in the machine`,
      );
      expect(await fact('endsAt')).toMatch(
        /^in \d.*, on \d.*\. The market does not say .*: copy your data before\.$/,
      );
      expect(await fact('download')).toMatch(/^[\d,]+ Mbit\/s, (free|\$[\d.]+ per GB)$/);
      expect(await fact('cuda')).toBe(`up to ${offer.cudaMaxGood}`);
      const { host } = await ask<MachineRecord>(`/api/machines/${offer.machineId}/record`);
      // Other tests may have rented from the same host.
      const made =
        host?.rentals.made !== 0
          ? /\d rentals? of yours/
          : host.otherInstances === 0
            ? 'rented nothing there yet'
            : /not rented by Offerbook\./;
      await page.locator('#record [data-record=host]').getByText(made).waitFor();
      await page.locator('#record').getByText('That ends no rental that runs').waitFor();
      await page.locator('#quote button.primary').click();
      const dialog = page.getByRole('dialog', { name: `Rent ${title}?` });
      expect(await dialog.textContent()).toMatch(
        /The host ends it .*\. The market does not say what happens then to the instance and its disk/,
      );
      expect(await dialog.locator('[data-fact=machine]').textContent()).toMatch(
        new RegExp(
          `^${offer.machineId}, host ${offer.hostId}, .+, ${offer.verification}, reliability [\\d.]+%$`,
        ),
      );
      const planned = page.locator('#quote [data-part=planned]');
      expect(await dialog.locator('[data-fact=planned]').textContent()).toBe(await planned.textContent());
      expect(await dialog.locator('[data-fact=traffic]').textContent()).toMatch(
        /^download (free|\$[\d.]+ per GB), upload (free|\$[\d.]+ per GB)$/,
      );
      const sent = page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/api/instances'),
      );
      const answered = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().endsWith('/api/instances'),
      );
      const price = Number(await page.locator('#quote strong.main').getAttribute('data-value'));
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
      // What was rented from here is none of the deals until the next book.
      await page.evaluate(
        (href) => {
          history.pushState(null, '', href);
          dispatchEvent(new PopStateEvent('popstate'));
        },
        `/deals?by=usdPerGpuHour&reliable=off&gpuName=${encodeURIComponent(gpuName)}`,
      );
      const link = page.locator(`#ranking tr[data-offer="${offerId}"] a.button`);
      await expect.poll(() => link.textContent(), patiently).toBe('Rented');
      expect(await link.getAttribute('title')).toContain('You rented it');
      // Once it is destroyed, its machine can be on offer again.
      await page.getByRole('link', { name: 'Instances' }).first().click();
      const row = page.locator('#instance-table tbody tr').filter({ hasText: `${rented.instanceId}` });
      await row.getByRole('button', { name: /^Destroy / }).click();
      const ending = page.getByRole('dialog', { name: /^Destroy / });
      await ending.locator('input').fill(String(rented.instanceId));
      await ending.locator('button.danger').click();
      await ending.waitFor({ state: 'detached' });
      await page.goBack();
      await expect.poll(() => link.textContent(), patiently).toBe('Rent…');
    });

    it('has no number in its title while it loads, and adds the name without moving the way back', async () => {
      const { offerId, gpuName, numGpus } = await someOffer();
      for (const width of [390, 1440]) {
        let answer = () => {};
        const isAwaited = new Promise<void>((resolve) => {
          answer = resolve;
        });
        const page = await open(
          `/rent/${offerId}`,
          async (page) => {
            await page.route('**/api/quotes', async (route) => {
              await isAwaited;
              await route.fallback();
            });
          },
          width,
        );
        const title = page.locator('.view-head h1');
        const back = page.getByRole('link', { name: 'Back to Deals' });
        await back.waitFor();
        const before = await back.boundingBox();
        expect((await title.textContent())?.trim()).toBe('Rent');
        answer();
        await title.getByText(`Rent ${gpuName} × ${numGpus}`).waitFor();
        expect(await back.boundingBox()).toEqual(before);
      }
    });

    it('has a total that follows the fields, without losing the focus or asking for every key', async () => {
      const { offerId } = await someOffer();
      const asked: { diskGb: number; profile: object }[] = [];
      const page = await open(`/rent/${offerId}?storageGb=20&runningHours=5`, (page) =>
        page.route('**/api/quotes', async (route) => {
          asked.push(route.request().postDataJSON());
          if (asked.length < 3) return await route.fallback();
          const prices = { baseUsdPerHour: '40.00003', storageUsdPerHour: '2.00003', volumeUsdPerHour: '0' };
          await perturb<Quote>(route, (quote) => ({ ...quote, ...prices, usdPerHour: '42.00006' }));
        }),
      );
      const total = page.locator('#quote strong.main');
      const part = (name: string) => page.locator(`#quote [data-part=${name}]`);
      await total.waitFor();
      const before = Number(await total.getAttribute('data-value'));
      const storage = async () => Number((await part('disk').textContent())?.replace(/[^\d.]/g, ''));
      const disk = await storage();
      await page.locator('input[name=diskGb]').focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('200');
      // The previous figure stays, marked as being renewed.
      expect(Number(await total.getAttribute('data-value'))).toBe(before);
      await page.locator('#quote[aria-busy=false]').waitFor();
      expect(Number(await total.getAttribute('data-value'))).toBeGreaterThan(before);
      expect(await storage()).toBeCloseTo(10 * disk, 2);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('diskGb');
      expect(asked.map(({ diskGb }) => diskGb)).toEqual([20, 200]);
      const planned = async () => Number((await part('planned').textContent())?.replace(/[^\d.]/g, ''));
      await page.locator('input[name=runningHours]').fill('10');
      await page
        .locator('#quote')
        .getByText(/(^|first )10 hours$/)
        .waitFor();
      await page.locator('#quote [data-rounded]').getByText('Parts are rounded').waitFor();
      const ten = await planned();
      await page.locator('input[name=downGb]').fill('5000');
      await page.locator('#quote').getByText('10 hours with 5,000 GB of traffic').waitFor();
      await expect.poll(planned, patiently).toBeGreaterThan(ten);
      expect(asked.at(-1)?.profile).toEqual({ runningHours: 10, downGb: 5000, upGb: 0 });
    });

    it('shows a price that the market changes, which must be confirmed anew, and never rents above it', async () => {
      const { offerId, usdPerHour } = await someOffer();
      let price = '0.41';
      const page = await open(`/rent/${offerId}`, async (page) => {
        await page.clock.install();
        await page.route('**/api/quotes', (route) =>
          perturb<Quote>(route, (quote) => ({ ...quote, usdPerHour: price })),
        );
        await page.route('**/api/instances', (route) =>
          route.request().method() === 'POST' ? route.abort() : route.fallback(),
        );
      });
      await page.locator('#quote').waitFor();
      await page.getByText('Template, environment, volume').click();
      await page.locator('input[name=maxUsdPerHour]').fill(String(usdPerHour * 50));
      await page.clock.fastForward(500);
      await page.locator('#quote button.primary').click();
      await page.clock.fastForward(500);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Rent for $0.4100/hour' }).waitFor();
      // The half minute begins with the newest answer, which may only just be on its way.
      const renewTo = async (shown: string): Promise<void> => {
        const renewed = async () => {
          await page.clock.fastForward(31_000);
          return await page.locator('#quote').getByText(shown).count();
        };
        await expect.poll(renewed, { ...patiently, interval: 500 }).toBeGreaterThan(0);
      };
      price = '0.44';
      await renewTo('$0.4400/hour');
      await dialog.locator('[data-change]').getByText('$0.4100/hour → $0.4400/hour').waitFor();
      await page.locator('#quote [data-change]').getByText('$0.4100/hour → $0.4400/hour').waitFor();
      await dialog.getByRole('button', { name: 'Accept $0.4400/hour' }).click();
      const sent = page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/api/instances'),
      );
      await dialog.getByRole('button', { name: 'Rent for $0.4400/hour' }).click();
      const first = await sent;
      expect(first.postDataJSON()).toMatchObject({ offerId, maxUsdPerHour: 0.44 });
      // Without an answer it is unknown whether it was rented: another try is the same request with the same key.
      await dialog.getByText('The last attempt got no clear answer.').waitFor();
      price = '0.5';
      await renewTo('$0.5000/hour');
      const repeated = page.waitForRequest((request) => request.url().endsWith('/api/instances'));
      await dialog.getByRole('button', { name: 'Rent for $0.4400/hour' }).click();
      const second = await repeated;
      expect(second.postDataJSON()).toEqual(first.postDataJSON());
      expect(second.headers()['idempotency-key']).toBe(first.headers()['idempotency-key']);
    });

    it('says what the market does not state', async () => {
      const { offerId } = await someOffer();
      const none = { hostId: null, country: null, reliability: null, verification: null, gpuRamMb: null };
      const page = await open(`/rent/${offerId}`, (page) =>
        page.route('**/api/quotes', (route) =>
          perturb<Quote>(route, (quote) => ({
            ...{ ...quote, stoppedUsdPerDay: null, allInUsd: null, endsAt: null },
            offer: { ...quote.offer, ...none, cpuCores: null, datacenter: null },
          })),
        ),
      );
      await page.locator('#machine').waitFor();
      for (const name of ['host', 'country', 'reliability', 'verification', 'endsAt', 'vram', 'cpu']) {
        expect([name, await page.locator(`#machine [data-fact=${name}]`).textContent()]).toEqual([
          ...[name, 'not stated'],
        ]);
      }
      expect(await page.locator('#quote [data-part=stopped]').textContent()).toBe('unknown');
      expect(await page.locator('#quote [data-part=planned]').textContent()).toBe('unknown');
    });

    it('leads back to the same row of Deals, and to Deals without an offer', async () => {
      const page = await open('/deals?by=usdPerGpuHour&minReliability=0.1');
      await page.getByRole('button', { name: 'Show more' }).click();
      const link = page.locator('#ranking tbody tr:nth-child(70) a[href^="/rent/"]');
      await link.scrollIntoViewIfNeeded();
      const href = await link.getAttribute('href');
      const place = async () => (await link.boundingBox())?.y ?? 0;
      const before = await place();
      expect(before).toBeGreaterThan(0);
      await link.click();
      await page.getByRole('link', { name: 'Back to Deals' }).click();
      await page.waitForFunction((wanted) => document.activeElement?.getAttribute('href') === wanted, href);
      expect(new URL(page.url()).search).toBe('?by=usdPerGpuHour&minReliability=0.1');
      await settled(page);
      await expect.poll(async () => Math.abs((await place()) - before) < 3, patiently).toBe(true);
      await page.goto(`${page.url().split('/deals')[0]}/rent`);
      await page.getByRole('heading', { name: 'Deals', exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/deals');
    });

    it('drops the quote of one offer at the address of another', async () => {
      const { offerId } = await someOffer();
      const page = await open(`/rent/${offerId}`);
      await page.locator('#quote').waitFor();
      await page.evaluate(() => {
        history.pushState(null, '', '/rent/1');
        dispatchEvent(new PopStateEvent('popstate'));
      });
      await page.locator('#gone').getByText('Offer 1 is gone').waitFor();
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
