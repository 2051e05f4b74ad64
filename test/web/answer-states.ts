import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type PageFixture, patiently, settled } from './page-fixture.ts';

const problem = (status: number, title: string, headers: Record<string, string> = {}) => ({
  ...{ status, headers, contentType: 'application/problem+json' },
  json: { title, status, detail: null, errors: [] },
});

/** Tests of the page while the API is slow, down, busy or broken, needs a login, or restarts. */
export function describeAnswerStates({ server, open }: PageFixture): void {
  describe('for any response of the API', () => {
    const ranked = (page: Page) => page.locator('#ranking tbody tr').first();
    const goTo = (page: Page, view: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: view }).click();

    it('an ended session asks for the login and then continues', async () => {
      const page = await open('/deals?by=usdPerGpuHour');
      await ranked(page).waitFor();
      await page.context().clearCookies();
      await goTo(page, 'Crawls');
      await page.locator('input[name=token]').fill(server().token);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('#crawls tbody tr').first().waitFor();
      expect(new URL(page.url()).pathname).toBe('/crawls');
    });

    it('a busy server is retried after Retry-After, without the user', async () => {
      let answers = 0;
      const page = await open('/deals', async (page) => {
        await page.clock.install();
        // The list; the offers that the page hides are counted by another request.
        await page.route('**/api/rankings?*limit=50', async (route) => {
          answers += 1;
          if (answers > 1) await route.fallback();
          else await route.fulfill(problem(429, 'Too many requests', { 'retry-after': '60' }));
        });
      });
      await page.getByText('Too many requests').waitFor();
      await page.clock.fastForward('01:00');
      await ranked(page).waitFor();
      expect(answers).toBe(2);
    });

    it('a failing server is reported, what was shown stays, and the page retries by itself', async () => {
      let fails = true;
      const page = await open('/deals');
      await ranked(page).waitFor();
      await page.route('**/api/rankings?*', async (route) => {
        if (fails) await route.fulfill(problem(500, 'Something went wrong inside'));
        else await route.fallback();
      });
      await page.getByLabel('Sort by').selectOption('usdPerGpuHour');
      await page.getByText('Something went wrong inside').waitFor();
      await page.getByText('Showing the last data received.').waitFor();
      expect(await ranked(page).count()).toBe(1);
      fails = false;
      await page.getByText('Something went wrong inside').waitFor({ state: 'detached' });
      await expect
        .poll(() => page.locator('#deals > .content').getAttribute('data-path'), patiently)
        .toContain('by=usdPerGpuHour');
    });

    it('a slow server is waited for, with a note', async () => {
      let release: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const page = await open('/deals', (page) =>
        page.route('**/api/rankings?*', async (route) => {
          await held;
          await route.fallback();
        }),
      );
      await page.getByText('Loading the ranking…').waitFor();
      await page.getByText('is taking longer than usual').waitFor({ state: 'visible' });
      release();
      await ranked(page).waitFor();
    });

    it('without a network the page says what to do, and recovers when it is back', async () => {
      const page = await open('/crawls', (page) => page.clock.install());
      await settled(page);
      await page.context().setOffline(true);
      await goTo(page, 'Deals');
      // A view whose code is not there yet comes too, once it can.
      await page.getByText('This part of the page could not be loaded').waitFor();
      await page.clock.fastForward('00:31');
      await page.getByText('Check that it is running (npm start).').waitFor();
      await page.context().setOffline(false);
      await ranked(page).waitFor();
    });

    it.each([25, -25])(
      'a computer whose clock is %d hours off sees the times of the server',
      async (hours) => {
        const page = await open('/today', (page) =>
          page.clock.setFixedTime(new Date(Date.now() + hours * 3_600_000)),
        );
        await settled(page);
        const alerts = page.locator('#today-alerts');
        await alerts.getByRole('heading', { name: /^Alerts of today\d+ alerts?$/ }).waitFor();
        expect(await alerts.locator('.failure, [role=alert]').count()).toBe(0);
        const day = await page.evaluate((now) => {
          const parts = { weekday: 'long', day: 'numeric', month: 'long' } as const;
          return new Intl.DateTimeFormat(undefined, parts).format(now);
        }, Date.now());
        await page.getByText(day).waitFor();
      },
    );

    it('a crawl that was started here is looked for each second, not only with the next status', async () => {
      const page = await open('/crawls', async (page) => {
        await page.clock.install();
        await page.route('**/api/crawls', (route) =>
          route.request().method() === 'POST'
            ? route.fulfill({ status: 202, json: { crawlIds: ['one', 'two'] } })
            : route.fallback(),
        );
      });
      await settled(page);
      let asked = 0;
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/status') asked += 1;
      });
      await page.getByRole('button', { name: 'Crawl now' }).click();
      await page.locator('.said').getByText('2 crawls queued').waitFor();
      for (const round of [1, 2, 3]) {
        const before = asked;
        await page.clock.fastForward('00:02');
        await expect
          .poll(() => asked, { timeout: 20_000, message: `round ${round}` })
          .toBeGreaterThan(before);
      }
    });

    // The last test, because the server is a new one afterwards.
    it('a restarted server is found again, including events', async () => {
      const page = await open('/instances');
      await page.locator('[data-stream=open]').waitFor();
      await server().restart(async () => {
        await page.locator('[data-stream=closed]').waitFor();
        await goTo(page, 'Deals');
        await page.getByText('This part of the page could not be loaded').waitFor();
      });
      await ranked(page).waitFor();
      await goTo(page, 'Instances');
      await page.locator('[data-stream=open]').waitFor();
    });
  });
}
