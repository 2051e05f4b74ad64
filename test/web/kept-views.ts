import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FailedJob, Template, Volume, VolumeOffer } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, widths } from './page-fixture.ts';

interface List<T> {
  items: T[];
}

/** Tests of the views of templates, volumes and failed jobs. */
export function describeKeptViews({ server, open, ask, crawled }: PageFixture): void {
  describe('views of stored things', () => {
    it.each(widths)('creates a template, finds, edits, rents with and deletes it, %s wide', async (width) => {
      const name = `Kept ${width} ${randomUUID().slice(0, 4)}`;
      const page = await open('/templates', undefined, width);
      await page.getByRole('button', { name: 'New template' }).click();
      await page.locator('input[name=template-name]').fill(name);
      await page.locator('input[name=template-image]').fill('ubuntu:24.04');
      await page.locator('textarea[name=template-onstart]').fill('nvidia-smi');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.locator('.said').getByText('created').waitFor();
      const own = async () =>
        (await ask<List<Template>>('/api/templates')).items.filter((template) => template.name === name);
      expect(await own()).toMatchObject([{ image: 'ubuntu:24.04', onstart: 'nvidia-smi', isPrivate: true }]);
      await page.getByRole('searchbox').fill(name.toLowerCase());
      const rows = page.locator('#template-table tbody tr');
      await expect.poll(() => rows.count(), patiently).toBe(1);
      await page.getByRole('button', { name: `Edit ${name}` }).click();
      await page.locator('input[name=template-disk]').fill('33');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await own())[0]?.recommendedDiskGb, patiently).toBe(33);
      // Every change gives the template a new hash, which the row shows a moment later.
      const hashId = (await own())[0]?.hashId ?? '';
      const deal = rows.getByRole('link', { name: 'Choose a deal' });
      await expect.poll(() => deal.getAttribute('href'), patiently).toContain(encodeURIComponent(hashId));
      // The cheapest offer of an older book may be gone.
      await crawled();
      await deal.click();
      await page.locator('#ranking tbody tr').first().locator('a.button').click();
      const taken = page.locator('input[name=templateHashId]');
      await expect.poll(() => taken.inputValue(), patiently).toBe(hashId);
      await page.goto(`${server().url}/templates?q=${encodeURIComponent(name)}`);
      await page.getByRole('button', { name: `Delete ${name}` }).click();
      await page.getByRole('button', { name: 'Delete it' }).click();
      await page.locator('.said').getByText('deleted').waitFor();
      expect(await own()).toEqual([]);
    });

    it.each(widths)(
      'creates a volume from the cheapest storage, showing its price first, and deletes it, %s wide',
      async (width) => {
        const page = await open('/volumes', undefined, width);
        const cell = page.locator('#volume-offer-table [data-field=storageUsdPerGbMonth]').first();
        const prices = (await ask<List<VolumeOffer>>('/api/volumes/offers')).items.map((offer) =>
          Number(offer.storageUsdPerGbMonth ?? Number.POSITIVE_INFINITY),
        );
        expect(Number(await cell.getAttribute('data-value'))).toBe(Math.min(...prices));
        const rows = page.locator('#volume-offer-table tbody tr');
        const [shown, all] = [await rows.count(), prices.length];
        expect(shown).toBe(Math.min(all, 10));
        if (all > shown) {
          await page.getByRole('button', { name: 'Show more' }).click();
          await expect.poll(() => rows.count(), patiently).toBe(Math.min(all, 60));
        }
        await page
          .getByRole('button', { name: /^Create a volume / })
          .first()
          .click();
        await page.locator('input[name=sizeGb]').fill('7');
        await page.getByText('charged until you delete it').waitFor();
        await page.getByRole('button', { name: 'Create', exact: true }).click();
        await page.locator('#volume-table').waitFor();
        const volumes = async () => (await ask<List<Volume>>('/api/volumes')).items;
        expect(await volumes()).toMatchObject([{ sizeGb: 7 }]);
        expect(await page.locator('#volume-table [data-field=sizeGb]').getAttribute('data-value')).toBe('7');
        const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
        await page.route('**/api/volumes/*', async (route) => {
          await isLetGo;
          await route.continue();
        });
        await page.getByRole('button', { name: /^Delete volume / }).click();
        await page.getByRole('button', { name: 'Delete it' }).click();
        await page.getByRole('button', { name: 'Sending…' }).waitFor();
        // It is too late to cancel what is being sent.
        expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
        letGo();
        await page.getByText('No volumes').waitFor();
        expect(await volumes()).toEqual([]);
        await page.route('**/api/volumes/offers', (route) =>
          perturb<List<VolumeOffer>>(route, ({ items, ...rest }) => ({
            ...rest,
            items: items.map((offer) => ({
              ...{ ...offer, storageUsdPerGbMonth: 7, gpuName: 'RTX 4090', numGpus: 2, country: 'DE' },
            })),
          })),
        );
        await page.reload();
        await expect.poll(() => cell.getAttribute('data-value'), patiently).toBe('7');
        expect(await rows.first().locator('th').textContent()).toMatch(/^\d+ RTX 4090 × 2 · Germany$/);
      },
    );

    it.each(widths)(
      'lists failed jobs with their reasons, retries one and dismisses one, %s wide',
      async (width) => {
        const { sql } = server();
        const [market] = await sql<{ id: number }[]>`select id from market limit 1`;
        const data = {
          marketId: market?.id,
          cause: 'cron',
          tickAt: null,
          crawlId: randomUUID(),
          kind: 'instances',
        };
        const give = async (reason: string): Promise<string> => {
          const id = randomUUID();
          await sql`insert into offerbook_jobs.job
          (id, name, data, source_name, source_output, source_retry_count, singleton_key, keep_until)
          values (${id}, 'dead-letters', ${sql.json(data)}, 'poll-instances', ${sql.json({ reason })}, 4,
            ${`failed ${width}`}, now() + interval '14 days') returning id`;
          return id;
        };
        const [again, off] = [await give('the market was gone'), await give('nobody knows')];
        const page = await open('/crawls', undefined, width);
        const row = (reason: string) =>
          page.locator('#failed-job-table tbody tr').filter({ hasText: reason });
        await page.locator('[data-banner=failed-jobs]').getByText('2 jobs failed').waitFor();
        await row('the market was gone').getByRole('button', { name: 'Retry' }).click();
        await row('the market was gone').waitFor({ state: 'detached' });
        const state = async () =>
          (
            await sql<{ state: string }[]>`
          select state from offerbook_jobs.job where id = ${again} and name = 'poll-instances'`
          )[0]?.state;
        await expect.poll(state, patiently).toBe('completed');
        await row('nobody knows').getByRole('button', { name: 'Dismiss' }).click();
        await page.locator('#failed-jobs').waitFor({ state: 'detached' });
        const left = (await ask<List<FailedJob>>('/api/failed-jobs')).items.map(({ id }) => id);
        expect(left).not.toContain(off);
        await page.locator('[data-banner=failed-jobs]').waitFor({ state: 'detached' });
      },
    );
  });
}
