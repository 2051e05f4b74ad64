import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../src/market/vast/dialect.ts';
import type { BlocklistEntryAnswer } from '../../src/prices/rankings/blocklist.routes.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import type { Quote, Rankings, Status } from '../../web/core/api.ts';
import { startEmptyOfferbook } from '../support/offerbook-server.ts';
import { patiently, type RunningOfferbook, usePages } from './page-fixture.ts';

const diskGb = 16;
/** Longer than the simulated machines take to boot. */
const bootMs = 120_000;

let simulator: Simulator;
let aheadMs = 0;

/** A service on a live market whose clock and faults the test controls. */
async function startOnMarket(): Promise<RunningOfferbook> {
  simulator = createSimulator({
    ...{ offersPerType: 60, bootSeconds: [60, 60], failures: { exited: 0, unknown: 0, offline: 0 } },
    now: () => new Date(Date.now() + aheadMs),
  });
  const { url } = await simulator.listen();
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-page-'));
  const dialect = join(folder, 'dialect.json');
  const none = Object.fromEntries(Object.keys(defaultDialect.minIntervalSeconds).map((name) => [name, 0]));
  await writeFile(dialect, JSON.stringify({ minIntervalSeconds: none }));
  const server = await startEmptyOfferbook({
    ...{ MARKET_URL: url, MARKET_API_KEY: simulator.apiKey, MARKET_DIALECT: dialect, ACTIONS: 'on' },
    ...{ MAX_USD_PER_HOUR: '50', MAX_TOTAL_USD_PER_HOUR: '50', MAX_INSTANCES: '2' },
    SEARCHES_PER_MINUTE: '1000',
  });
  return {
    ...server,
    close: async () => {
      await server.close();
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe('a machine', () => {
  const { open, ask, send } = usePages(startOnMarket);
  const instance = (id: number) => simulator.instances().find((one) => one.id === id);

  /** Rents a container from the ranking; returns its row, its instance and its offer as the market has it. */
  async function rentFromPage(page: Page, label: string) {
    const { items } = await ask<Rankings>('/api/rankings?by=usdPerGpuHour&limit=20');
    const rows = simulator.offersAt(undefined, { storageGb: diskGb });
    const offer = items
      .map(({ offerId }) => rows.find(({ id }) => id === offerId))
      .find((row) => row?.rentable === true && row.vms_enabled !== true && Number(row.disk_space) > diskGb);
    await page.locator(`#ranking tr[data-offer="${offer?.id}"] a.button`).click();
    await page.locator('input[name=label]').fill(label);
    await page.locator('input[name=diskGb]').fill(String(diskGb));
    await page.locator('#quote button.primary').click();
    await page.getByRole('dialog').locator('button.primary').click();
    await page.getByRole('link', { name: 'All instances' }).click();
    const row = page.locator('#instance-table tbody tr').filter({ hasText: label });
    await row.getByText('starting').waitFor();
    return { row, offer: offer ?? {}, id: simulator.instances().at(-1)?.id ?? 0 };
  }

  const crawled = async () => {
    const books = async () => (await ask<Status>('/api/status')).newestBooks.length;
    if ((await books()) > 0) return;
    await send('POST', '/api/crawls');
    await expect.poll(books, patiently).toBeGreaterThan(1);
  };

  it('is rented, followed until it can be reached, stopped, started and destroyed on the page', async () => {
    await crawled();
    const page = await open('/deals?by=usdPerGpuHour&reliable=off&deverifiedLast=false&outliersLast=false');
    const { row, offer, id } = await rentFromPage(page, 'train');
    const placeOfDestroy = async () =>
      await row
        .getByRole('button', { name: /^Destroy / })
        .evaluate((button) => button.getBoundingClientRect().x);
    const starting = await placeOfDestroy();
    expect(await row.getByRole('button', { name: /^Copy SSH of / }).isDisabled()).toBe(true);
    aheadMs += bootMs;
    await row.locator('.outcome.complete').waitFor();
    expect(await placeOfDestroy()).toBe(starting);
    const ssh = row.getByRole('button', { name: /^Copy SSH of / });
    expect(await ssh.getAttribute('title')).toMatch(/^ssh -p \d+ root@\S+$/);
    const dialog = page.getByRole('dialog');
    const said = async () => (await dialog.textContent()) ?? '';

    await row.getByRole('button', { name: /^Stop / }).click();
    const diskUsdPerDay = (Number(offer.storage_cost) * diskGb * 24) / 720;
    const [, shown] = /The disk is kept at \$([\d.]+)\/hour/.exec(await said()) ?? [];
    expect(Number(shown)).toBeCloseTo(diskUsdPerDay / 24, 4);
    await dialog.getByRole('button', { name: 'Stop it' }).click();
    await row.getByText('stopped').waitFor();
    expect(instance(id)?.phase).toBe('stopped');
    expect(await placeOfDestroy()).toBe(starting);

    await row.getByRole('button', { name: /^Start / }).click();
    const [, again] = /It costs \$([\d.]+)\/hour/.exec(await said()) ?? [];
    expect(Number(again)).toBeCloseTo(Number(offer.dph_base) + diskUsdPerDay / 24, 4);
    await dialog.getByRole('button', { name: 'Start it' }).click();
    await row.getByText('starting').waitFor();
    expect(instance(id)?.intended).toBe('running');
    aheadMs += bootMs;
    await row.locator('.outcome.complete').waitFor();

    await row.getByRole('button', { name: /^Destroy / }).click();
    // It ran, so there is no reason to block its machine.
    expect(await said()).not.toContain('Block from rankings');
    await dialog.locator('input[name=typed]').fill('train');
    await dialog.getByRole('button', { name: 'Destroy it' }).click();
    await row.waitFor({ state: 'detached' });
    expect(instance(id)?.phase).toBe('destroyed');
  });

  it('that failed to start is destroyed and blocked on the page, and no longer offered or rented', async () => {
    await crawled();
    const page = await open('/deals?by=usdPerGpuHour&reliable=off&deverifiedLast=false&outliersLast=false');
    const { row, offer, id } = await rentFromPage(page, 'broken');
    simulator.setInstancePhase(id, 'exited');
    await row.getByText('failed to start').waitFor();
    await row.getByRole('button', { name: /^Destroy / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(`Host ${offer.host_id}`).waitFor({ state: 'attached' });
    await dialog.getByLabel(`Machine ${offer.machine_id}`).check();
    await dialog.locator('input[name=typed]').fill('broken');
    await dialog.getByRole('button', { name: 'Destroy it' }).click();
    await page.locator('.said').getByText(`The machine ${offer.machine_id} is blocked`).waitFor();
    expect(instance(id)?.phase).toBe('destroyed');
    const { items } = await ask<{ items: BlocklistEntryAnswer[] }>('/api/blocklist');
    expect(items).toMatchObject([
      { kind: 'block', machineId: offer.machine_id, note: `instance ${id} failed to start` },
    ]);
    const ranked = await ask<Rankings>('/api/rankings?limit=1000');
    expect(ranked.items.map(({ machineId }) => machineId)).not.toContain(offer.machine_id);
    const request = { offerId: offer.id, image: 'ubuntu:24.04', diskGb };
    const quote = await send<Quote>('POST', '/api/quotes', request);
    expect(quote.guards.map(({ guard }) => guard)).toEqual(['block-list']);
  });
});
