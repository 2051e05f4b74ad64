import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Status } from '../../web/core/api.ts';
import { formatRelative } from '../../web/core/times.ts';
import { type PageFixture, patiently, perturb } from './page-fixture.ts';

/** Tests of what surrounds every view: login, markets that are not live, old data, failures and requests. */
export function describeWholePage({ server, newPage, open, ask }: PageFixture): void {
  describe('the page around the views', () => {
    it('shows a login to a visitor, refuses a wrong token and opens with the right one', async () => {
      const page = await newPage();
      await page.goto(server().url);
      const token = page.locator('input[name=token]');
      await token.fill(`${server().token}-wrong`);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('Unknown token').waitFor();
      expect(await page.locator('#cheapest-offers').count()).toBe(0);
      await token.fill(server().token);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('#cheapest-offers tbody tr').first().waitFor();
    });

    it('opens in a browser with an invalid language setting', async () => {
      const page = await open('/trends', (page) =>
        page.addInitScript(() => Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' })),
      );
      await page.locator('.quotes tbody tr').first().waitFor();
    });

    it('labels markets that are not live', async () => {
      const { mode } = await ask<Status>('/api/status');
      const page = await open('/trends');
      await page.locator('.market').waitFor();
      for (const other of ['simulated', 'replay']) {
        expect(await page.locator(`[data-banner=${other}]`).count()).toBe(other === mode ? 1 : 0);
      }
    });

    it('leads from the simulator to a real market in three steps', async () => {
      const page = await open('/trends');
      await page.getByRole('link', { name: /three steps/ }).click();
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
      expect(await page.locator('.steps > li').count()).toBe(3);
      expect(await page.locator('.steps > li.done').count()).toBe(1);
    });

    it('shows the progress of the seeding, and its end', async () => {
      let seeding: Status['seeding'] = { done: 3, total: 12 };
      const page = await open('/trends', (page) =>
        page.route('**/api/status', (route) => perturb<Status>(route, (status) => ({ ...status, seeding }))),
      );
      const progress = page.getByRole('progressbar');
      expect(await progress.getAttribute('value')).toBe('3');
      await page.getByText('3 of 12 snapshots of the market').waitFor();
      seeding = null;
      await progress.waitFor({ state: 'detached' });
    });

    const alarms = (page: Page) => page.locator('.alarm').allTextContents();

    it('shows no alarm while all is well', async () => {
      const page = await open('/trends');
      await page.locator('.quotes tbody tr').first().waitFor();
      expect(await alarms(page)).toEqual([]);
    });

    it('shows above everything that the data is old, and that the last crawl failed', async () => {
      const { newestBooks } = await ask<Status>('/api/status');
      const [{ type, observedAt } = { type: 'bid' as const, observedAt: '' }] = newestBooks;
      const lastEnded: Status['lastEnded'] = [
        { type, endedAt: observedAt, outcome: 'failed', reason: 'the market answered 502 five times' },
      ];
      const page = await open('/trends', (page) =>
        page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({
            ...status,
            ...{ mode: 'live', maxDataAgeMinutes: 180, lastEnded, ...agedBy(status, 400) },
          })),
        ),
      );
      await page.locator('.quotes tbody tr').first().waitFor();
      const texts = (await alarms(page)).join('\n');
      for (const part of [
        `Stale data: the newest complete book of ${type} offers is 6 h`,
        'answered 502 five times',
      ]) {
        expect(texts).toContain(part);
      }
      const [alarm, chart] = [page.locator('.alarm').first(), page.locator('.chart').first()];
      const [top, chartTop] = [(await alarm.boundingBox())?.y ?? 9e9, (await chart.boundingBox())?.y ?? 0];
      expect(top).toBeLessThan(Math.min(chartTop, 200));
      expect(await page.getByRole('alert').count()).toBe(await page.locator('.alarm').count());
    });

    it('reports that the server does not answer, lets the age grow meanwhile, and recovers', async () => {
      const page = await open('/trends', async (page) => {
        await page.clock.install();
        await page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({
            ...status,
            ...{ mode: 'live', maxDataAgeMinutes: 60, ...agedBy(status, 1) },
          })),
        );
      });
      await page.locator('.quotes tbody tr').first().waitFor();
      expect(await alarms(page)).toEqual([]);
      await page.unroute('**/api/status');
      await page.route('**/api/status', (route) => route.abort('connectionrefused'));
      await page.clock.fastForward('00:31');
      await page.getByText('Offerbook is not responding').first().waitFor();
      await page.clock.fastForward('01:00:00');
      await page.getByText('Stale data: the newest complete book').first().waitFor();
      expect(await page.locator('.age').textContent()).toContain('61 min ago');
      await page.unroute('**/api/status');
      await page.clock.fastForward('00:06');
      await page.getByText('Offerbook is not responding').first().waitFor({ state: 'detached' });
      await expect.poll(() => alarms(page), patiently).toEqual([]);
    });

    it('all ages go on together, without an answer', async () => {
      const page = await open('/deals', (page) => page.clock.install());
      await page.locator('#deals tbody tr').first().waitFor();
      await page.route('**/api/**', (route) => route.abort('connectionrefused'));
      const book = page.locator('#deals .caption time').first();
      const ageOf = async () => {
        const t = (await book.getAttribute('datetime')) ?? '';
        return `(${formatRelative(t, await page.evaluate(() => Date.now()))})`;
      };
      await page.clock.fastForward('20:00');
      await expect.poll(() => book.locator('.soft').textContent(), patiently).toBe(await ageOf());
      await page.clock.fastForward('02:00:00');
      await expect.poll(() => book.locator('.soft').textContent(), patiently).toBe(await ageOf());
      await page.locator('.age').getByText('prices 2 h').waitFor();
    });

    it('has the age in the line of the name and the theme, however long it is', async () => {
      const page = await open('/', undefined, 1440);
      await page.locator('.age').waitFor();
      const middleOf = async (name: string) => {
        const box = await page.locator(`.masthead ${name}`).boundingBox();
        return box === null ? null : Math.round(box.y + box.height / 2);
      };
      for (const wide of [1440, 1361, 1024]) {
        await page.setViewportSize({ width: wide, height: 900 });
        for (const age of ['prices just now', 'prices 3 min ago', 'prices 1 h 20 min ago']) {
          await page.locator('.age').evaluate((words, age) => {
            words.textContent = age;
          }, age);
          const theme = await middleOf('.theme');
          const off = Math.abs((theme ?? 0) - ((await middleOf('.brand')) ?? 99));
          expect([wide, age, off < 4, await middleOf('.age')]).toEqual([wide, age, true, theme]);
        }
      }
    });

    it('says at a tap on the age when the whole market is read again', async () => {
      const page = await open('/service', (page) =>
        page.route('**/api/status', async (route) => {
          const status = await (await route.fetch()).json();
          const soon = new Date(Date.now() + 3.5 * 60_000).toISOString();
          const one = { ...status.schedule[0], kind: 'offers', scope: 'default', nextAt: soon };
          await route.fulfill({ json: { ...status, schedule: [one] } });
        }),
      );
      await page.locator('.age').click();
      await page.getByText('The whole market was read').waitFor();
      expect(await page.locator('.masthead [popover]:popover-open').textContent()).toMatch(
        /^The whole market was read .+, and is read again in 3 min\. /,
      );
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.masthead [popover]:popover-open').count(), patiently).toBe(0);
    });

    it("shows the API's error, and retries", async () => {
      const detail = 'The database does not answer.';
      const page = await open('/trends', (page) =>
        page.route('**/api/trends?*', (route) =>
          route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            json: { title: 'No', detail },
          }),
        ),
      );
      await page.getByText(detail).waitFor();
      await page.unroute('**/api/trends?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.quotes tbody tr').first().waitFor();
    });

    it('contacts no other server, keeps its content security policy and fits 130 KB of gzipped script', async () => {
      const foreign: string[] = [];
      const complaints: string[] = [];
      const scripts: Promise<Buffer>[] = [];
      const page = await open('/trends', async (page) => {
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('request', (request) => {
          if (!request.url().startsWith(`${server().url}/`)) foreign.push(request.url());
        });
        page.on('response', (response) => {
          if (response.request().resourceType() === 'script') scripts.push(response.body());
        });
      });
      await page.locator('.quotes tbody tr').first().waitFor();
      await page.locator('.chart').hover();
      const policy = (await page.request.get(server().url)).headers()['content-security-policy'];
      expect(policy).toContain("default-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
      const bytes = (await Promise.all(scripts)).map((script) => gzipSync(script).length);
      expect(bytes.length).toBeGreaterThan(0);
      // Without HTTP/2 a browser fetches six at a time.
      expect(bytes.length).toBeLessThanOrEqual(10);
      expect(bytes.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(130 * 1024);
    });
  });
}

/** Makes the data of a status as old as that, in minutes. */
function agedBy({ newestBooks }: Status, minutes: number): Pick<Status, 'newestBooks' | 'dataAgeMinutes'> {
  const observedAt = new Date(Date.now() - minutes * 60_000).toISOString();
  return { newestBooks: newestBooks.map((book) => ({ ...book, observedAt })), dataAgeMinutes: minutes };
}
