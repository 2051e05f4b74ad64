import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import type {
  Backtest,
  BlockEntry,
  Channel,
  Listing,
  ListingHistory,
  Rule,
  Spend,
  Watch,
} from '../../web/core/account-api.ts';
import type { Rankings } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, settled, shownPath } from './page-fixture.ts';

interface List<T> {
  items: T[];
}

/** Every view, by an address that shows it. */
const views = [
  '/market',
  '/trends',
  '/deals?minVramGb=80',
  '/instances',
  '/rent/1',
  '/spend',
  '/watches',
  '/watches/new',
  '/crawls',
  '/settings',
  '/start',
];

/** The promises of the views of listings, bills, watches and settings, checked in a real browser. */
export function describeAccountViews({ server, open, ask }: PageFixture): void {
  describe('views of the account', () => {
    async function send<T>(path: string, body: unknown): Promise<T> {
      const headers = { authorization: `Bearer ${server().token}`, 'content-type': 'application/json' };
      const response = await fetch(server().url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(response.ok, path).toBe(true);
      return (await response.json()) as T;
    }

    const firstListing = async () => {
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      return items[0]?.listingId ?? '';
    };

    it('leads from a deal to its listing, whose episodes are the API’s', async () => {
      const page = await open('/deals');
      await page.locator('#ranking tbody th a').first().click();
      await settled(page);
      const id = await firstListing();
      expect(new URL(page.url()).pathname).toBe(`/listings/${id}`);
      const { gpuName, numGpus } = await ask<Listing>(`/api/listings/${id}`);
      await page.getByRole('heading', { name: `${gpuName} × ${numGpus}` }).waitFor();
      const { episodes } = await ask<ListingHistory>(await shownPath(page, 'listing'));
      const shown = () =>
        page
          .locator('#episodes [data-field=listedForSeconds]')
          .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset.value)));
      expect(episodes.length).toBeGreaterThan(0);
      expect(await shown()).toEqual(episodes.toReversed().map(({ listedForSeconds }) => listedForSeconds));
      await page.route('**/api/listings/*/history*', (route) =>
        perturb<ListingHistory>(route, (history) => ({
          ...history,
          episodes: history.episodes.map((episode) => ({ ...episode, listedForSeconds: 1 })),
        })),
      );
      await page.reload();
      await expect.poll(shown, patiently).toEqual(episodes.map(() => 1));
    });

    it('blocks a machine, which rankings then leave out, and allows it again', async () => {
      const id = await firstListing();
      const { machineId } = await ask<Listing>(`/api/listings/${id}`);
      const page = await open(`/listings/${id}`);
      await page.getByRole('button', { name: 'Block machine' }).click();
      await page.getByRole('button', { name: 'Blocked machine: allow again' }).waitFor();
      const blocked = async () =>
        (await ask<List<BlockEntry>>('/api/blocklist')).items.map((entry) => entry.machineId);
      expect(await blocked()).toEqual([machineId]);
      await page.goto(`${server().url}/settings`);
      await page.getByText(`machine ${machineId}`).waitFor();
      await page.getByRole('button', { name: 'Take off' }).click();
      await expect.poll(blocked, patiently).toEqual([]);
    });

    it('makes a watch of a deal’s filters, shows what it finds, changes it and ends it', async () => {
      const page = await open('/deals?minReliability=0.5&verification=verified');
      await page.getByRole('link', { name: 'Save as a watch' }).click();
      await page.locator('input[name=watch-name]').fill('Good ones');
      await page.locator('#watch-preview #ranking tbody tr').first().waitFor();
      const preview = await ask<Rankings>(await shownPath(page, 'watch-preview'));
      const shown = await page
        .locator('#ranking tbody tr')
        .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.offer)));
      expect(shown).toEqual(preview.items.map(({ offerId }) => offerId));
      await page.getByRole('button', { name: 'Watch', exact: true }).click();
      await page.getByRole('link', { name: 'Good ones' }).waitFor();
      const watches = async () => (await ask<List<Watch>>('/api/watches')).items;
      expect(await watches()).toMatchObject([
        { name: 'Good ones', filters: { minReliability: 0.5, verification: ['verified'] } },
      ]);
      await page.getByRole('link', { name: 'Good ones' }).click();
      await page.locator('input[name=watch-name]').fill('Better ones');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'Better ones' }).click();
      const [watch] = await watches();
      expect(watch?.name).toBe('Better ones');
      await page.locator('input[name=rule-usd]').fill('1000');
      await page.getByRole('button', { name: 'Try on the past' }).click();
      const count = await page.locator('#backtest').getAttribute('data-count');
      const rule = { watchId: watch?.id, kind: 'priceBelow', params: { usd: 1000 } };
      expect(Number(count)).toBe((await send<Backtest>('/api/rules/backtest', rule)).count);
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.locator('#rules tbody').getByText('price below').waitFor();
      const rules = async () => (await ask<List<Rule>>('/api/rules')).items;
      expect(await rules()).toMatchObject([{ kind: 'priceBelow', params: { usd: 1000 }, enabled: true }]);
      await page.locator('#rules tbody input[type=checkbox]').click();
      await expect.poll(async () => (await rules())[0]?.enabled, patiently).toBe(false);
      await page.getByRole('button', { name: 'End this watch' }).click();
      await page.getByRole('button', { name: 'End it' }).click();
      await page.getByText('Nothing is watched yet').waitFor();
      expect(await watches()).toEqual([]);
    });

    it('adds a channel, sends a sample through it, shows it among the deliveries or says why not, removes it', async () => {
      const page = await open('/watches');
      await page.getByLabel('Kind').selectOption('file');
      await page.locator('input[name=config-path]').fill('samples');
      await page.getByRole('button', { name: 'Add channel' }).click();
      await page.getByRole('button', { name: /^Test / }).click();
      await page.locator('.said').getByText('A sample went to').waitFor();
      const channels = async () => (await ask<List<Channel>>('/api/channels')).items;
      expect(await channels()).toMatchObject([{ kind: 'file' }]);
      await page.getByRole('button', { name: /^Remove / }).click();
      await page.getByRole('button', { name: 'Remove it' }).click();
      await page.getByText('No channel yet').waitFor();
      expect(await channels()).toEqual([]);
    });

    it('shows the sums of spend as the API gives them, exact ones included', async () => {
      const page = await open('/spend?from=2026-01-01', (page) =>
        page.route('**/api/spend?*', (route) =>
          perturb<Spend>(route, (spend) => ({
            ...spend,
            totals: [
              { category: 'consumption', basis: 'charged', amountUsd: '1234567890123.455', entries: 1 },
            ],
            items: [
              {
                ...{ key: spend.groupBy === 'day' ? '2026-01-02' : 'gpu', subkey: 'gpu', entries: 1 },
                ...{ category: 'consumption', basis: 'charged', amountUsd: '1234567890123.455' },
              },
            ],
          })),
        ),
      );
      const total = page.locator('[data-total="consumption/charged"]');
      expect(await total.textContent()).toBe('$1,234,567,890,123.46');
      expect(await page.locator('#spend-table [data-field=amountUsd]').getAttribute('data-value')).toBe(
        '1234567890123.455',
      );
      await page.unroute('**/api/spend?*');
      await page.locator('input[name=monthly]').fill('250.5');
      await page.getByRole('button', { name: 'Set budget' }).click();
      await page.locator('#budgets tbody').getByText('$250.50').waitFor();
      const budgets = (await ask<List<{ monthlyUsd: string }>>('/api/budgets')).items;
      expect(budgets.map(({ monthlyUsd }) => Number(monthlyUsd))).toEqual([250.5]);
      await page
        .getByText('Bills, payments, balances and the ledger agree.')
        .or(page.locator('#reconciliation tbody'))
        .waitFor();
      await page.locator('input[name=balance]').fill('50.25');
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.locator('.said').getByText('The balance is entered').waitFor();
      const { items } = await ask<List<{ amountUsd: string }>>('/api/balances');
      expect(items.map(({ amountUsd }) => Number(amountUsd))).toEqual([50.25]);
    });

    it('exports what is on the screen', async () => {
      const page = await open('/deals?by=usdPerGpuHour&numGpus=1');
      await page.locator('#ranking').waitFor();
      await page.getByText('Export', { exact: true }).click();
      const link = page.getByRole('link', { name: 'CSV' });
      const href = (await link.getAttribute('href')) ?? '';
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      const { items } = await ask<Rankings>('/api/rankings?by=usdPerGpuHour&numGpus=1&limit=1000');
      expect(href).toBe('/api/exports/rankings.csv?numGpus=1&by=usdPerGpuHour');
      const text = await readFile(await download.path(), 'utf8');
      expect(text.trimEnd().split('\r\n')).toHaveLength(items.length + 1);
    });

    it('makes a token, shows it once, and ends it', async () => {
      const page = await open('/settings');
      await page.locator('input[name=token-name]').fill('a program');
      await page.getByRole('button', { name: 'Make a token' }).click();
      const token = (await page.locator('#tokens .banner code').textContent()) ?? '';
      const status = async () =>
        (await fetch(`${server().url}/api/status`, { headers: { authorization: `Bearer ${token}` } })).status;
      expect(await status()).toBe(200);
      await page.getByRole('button', { name: 'End a program' }).click();
      await page.getByRole('button', { name: 'End it' }).click();
      await expect.poll(status, patiently).toBe(401);
    });

    // Each view in both themes and both widths, one of each a test: the checks take a second each.
    it.each([
      ['light', 1440],
      ['dark', 390],
    ] as const)(
      'has no serious barrier on any view and never scrolls sideways, %s, %s pixels wide',
      async (colorScheme, width) => {
        const page = await open('/start');
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        for (const path of [...views, `/listings/${await firstListing()}`]) {
          await page.goto(server().url + path);
          await settled(page);
          const { violations } = await new AxeBuilder({ page })
            .options({ resultTypes: ['violations'] })
            .analyze();
          const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          const found = grave.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
          expect(found, path).toEqual([]);
          const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          expect(excess, path).toBeLessThanOrEqual(0);
        }
      },
    );
  });
}
