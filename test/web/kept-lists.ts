import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Actions } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, settled } from './page-fixture.ts';
import { rawValues } from './shown-values.ts';

/** An item as the API gives it. */
type Item = Record<string, unknown>;

/** A list of a view: the response that it shows, and changes to the compared fields. */
interface List {
  section: string;
  path: string;
  perturbed: Record<string, string | number | boolean>;
}

const lists: Record<string, readonly List[]> = {
  '/templates': [
    {
      section: 'templates',
      path: '/api/templates',
      perturbed: { recommendedDiskGb: 77, instancesCreated: 78 },
    },
  ],
  '/watches': [
    { section: 'watches', path: '/api/watches', perturbed: { name: 'another' } },
    { section: 'rules', path: '/api/rules', perturbed: { enabled: false } },
    { section: 'channels', path: '/api/channels', perturbed: { name: 'another' } },
    { section: 'deliveries', path: '/api/deliveries', perturbed: { state: 'refused', problem: 'gone' } },
  ],
  '/orders': [
    {
      section: 'orders',
      path: '/api/orders',
      perturbed: { name: 'another', state: 'failed', machines: 77, committedUsd: '7.5' },
    },
  ],
  '/spend': [
    { section: 'budgets', path: '/api/budgets', perturbed: { monthlyUsd: '77.5' } },
    { section: 'sheets', path: '/api/sheets', perturbed: { note: 'another' } },
  ],
  '/settings': [
    { section: 'tokens', path: '/api/tokens', perturbed: { role: 'feed' } },
    { section: 'blocklist', path: '/api/blocklist', perturbed: { kind: 'prefer' } },
  ],
  '/crawls': [
    {
      section: 'failed-jobs',
      path: '/api/failed-jobs',
      perturbed: { attempts: 77, reason: 'another' },
    },
  ],
};

/** Tests that each stored list shows what the API returns, and changes with it. */
export function describeKeptLists({ server, open, ask, send }: PageFixture): void {
  describe('lists of stored things', () => {
    /** Creates one of each; returns a function that deletes them. */
    async function keepOneOfEach(): Promise<() => Promise<void>> {
      const made: string[] = [];
      const make = async (path: string, body: object): Promise<string> => {
        const { id } = await send<{ id: string }>('POST', path, body);
        made.unshift(`${path}/${id}`);
        return id;
      };
      const config = { path: `lists-${randomUUID()}` };
      const channelId = await make('/api/channels', { kind: 'file', name: 'a file', config });
      const watchId = await make('/api/watches', { name: 'of the lists', channelIds: [channelId] });
      await send('POST', `/api/watches/${watchId}/report`, { send: true });
      await make('/api/orders', {
        ...{ name: 'of the lists', endsAt: '2100-01-01T00:00:00Z', request: { image: 'ubuntu', diskGb: 16 } },
        choices: [{ watchId, maxUsdPerGpuHour: 0.01 }],
      });
      await make('/api/rules', { kind: 'burnAbove', params: { usdPerHour: 3 } });
      await make('/api/budgets', { monthlyUsd: '12.5' });
      await make('/api/sheets', { export: 'spend', note: 'the accountant' });
      await make('/api/tokens', { name: 'of the lists', role: 'viewer' });
      await make('/api/blocklist', { machineId: 999_999_999, note: 'slow' });
      const jobId = await addFailedJob();
      const delivered = async () =>
        (await ask<{ items: Item[] }>('/api/deliveries')).items.map(({ state }) => state);
      await expect.poll(delivered, patiently).toEqual(['sent']);
      return async () => {
        for (const path of [...made, `/api/failed-jobs/${jobId}`]) await send('DELETE', path);
      };
    }

    async function addFailedJob(): Promise<string> {
      const { sql } = server();
      const id = randomUUID();
      await sql`insert into offerbook_jobs.job
        (id, name, data, source_name, source_output, source_retry_count, singleton_key, keep_until)
        values (${id}, 'dead-letters', '{}', 'poll-instances', ${sql.json({ reason: 'nobody knows' })}, 4,
          'of the lists', now() + interval '14 days') returning id`;
      return id;
    }

    const cellsOf = (page: Page, section: string, field: string) =>
      page.locator(`#${section} tbody [data-field="${field}"]`);

    /** The expected texts by field, and in words. */
    async function shownIn(page: Page, { section, perturbed }: List) {
      const fields: Record<string, (string | undefined)[]> = {};
      const words: string[] = [];
      for (const field of Object.keys(perturbed)) {
        const cells = cellsOf(page, section, field);
        fields[field] = await cells.evaluateAll(rawValues);
        const seen = await cells.evaluateAll((found) =>
          found.map((cell) => `${cell.textContent} ${cell.querySelector('input')?.checked ?? ''}`),
        );
        words.push(`${field}: ${seen.join(', ')}`);
      }
      return { fields, words };
    }

    async function answeredTo({ path, perturbed }: List) {
      const { items } = await ask<{ items: Item[] }>(path);
      const shown = items.filter((item) => isListed(path, item));
      return Object.fromEntries(
        Object.keys(perturbed).map((field) => [field, shown.map((item) => String(item[field]))]),
      );
    }

    // A revoked link is no longer listed.
    const isListed = (path: string, { revokedAt }: Item) => path !== '/api/sheets' || revokedAt === null;

    it('show what the API returns, and follow its changes', async () => {
      const takeAway = await keepOneOfEach();
      const page = await open('/start', undefined, 1440);
      for (const [view, ofView] of Object.entries(lists)) {
        await page.goto(server().url + view);
        await settled(page);
        const before = new Map<List, Awaited<ReturnType<typeof shownIn>>>();
        for (const list of ofView) {
          const shown = await shownIn(page, list);
          expect(shown.fields, list.path).toEqual(await answeredTo(list));
          expect(Object.values(shown.fields).flat().length, list.path).toBeGreaterThan(0);
          before.set(list, shown);
          await page.route(
            ({ pathname }) => pathname === list.path,
            (route) =>
              perturb<{ items: Item[] }>(route, ({ items, ...rest }) => ({
                ...rest,
                items: items.map((item) => ({ ...item, ...list.perturbed })),
              })),
          );
        }
        await page.reload();
        await settled(page);
        for (const [list, { fields, words }] of before) {
          const after = await shownIn(page, list);
          for (const [field, value] of Object.entries(list.perturbed)) {
            expect(after.fields[field], `${list.path} ${field}`).toEqual(
              fields[field]?.map(() => String(value)),
            );
          }
          expect(after.words.filter((text) => words.includes(text))).toEqual([]);
        }
      }
      await page.goto(`${server().url}/watches`);
      await page.getByRole('button', { name: 'Send report… of another' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('.said').getByText('Report sent to 1 channel.').waitFor();
      // The channels of a watch are not those of each of its alerts.
      await page.locator('#watches').getByRole('link', { name: 'another', exact: true }).click();
      await page
        .getByRole('group', { name: 'Notify of its report, and of alerts without channels of their own' })
        .waitFor();
      await page.close();
      await takeAway();
    });

    it('has the limits that the API returns, and follows their changes', async () => {
      const limit = (page: Page) => page.locator('#in-force [data-limit=maxInstances]').textContent();
      const { limits } = await ask<Actions>('/api/actions');
      const page = await open('/settings', undefined, 1440);
      await expect.poll(() => limit(page), patiently).toBe(String(limits?.maxInstances ?? 'No limit'));
      await page.route('**/api/actions', (route) =>
        perturb<Actions>(route, (actions) => ({
          ...actions,
          limits: { maxUsdPerHour: null, maxTotalUsdPerHour: null, maxInstances: 77 },
        })),
      );
      await page.reload();
      await expect.poll(() => limit(page), patiently).toBe('77');
    });
  });
}
