import { describe, expect, it } from 'vitest';
import { createLoginCode } from '../../src/service/sign-in/credentials.sql.ts';
import type { Budgets, Channel } from '../../web/core/api.ts';
import { barriers } from './every-view.ts';
import { type PageFixture, patiently, perturb, settled, tabTo } from './page-fixture.ts';

const id = '01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b';

/** Tests in a real browser of addresses that lead nowhere, and of what a login leads to. */
export function describeUnknownPages({ open, newPage, server, ask, send }: PageFixture): void {
  describe('an address without anything', () => {
    it.each([
      ['/nowhere/at/all', 'Page not found', '/'],
      ['/listings/999999999', 'Listing not found', '/deals'],
      ['/listings/none', 'Listing not found', '/deals'],
      ['/instances/1', 'Instance not found', '/instances'],
      [`/orders/${id}`, 'Order not found', '/orders'],
      [`/watches/${id}`, 'Watch not found', '/watches'],
      [`/crawls/${id}`, 'Crawl not found', '/crawls'],
    ])('says so and where to go on: %s', async (path, title, next) => {
      const page = await open(path, undefined, 390);
      await page.locator('main').getByText(title).first().waitFor();
      await page.locator(`main a[href="${next}"]`).first().waitFor();
      expect(await page.locator('main').getByRole('button', { name: 'Try again' }).count()).toBe(0);
    });

    it('has the navigation, and is accessible', async () => {
      const page = await open('/nowhere');
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await page.title()).toBe('Page not found · Offerbook');
      expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').count()).toBeGreaterThan(
        5,
      );
      expect(await barriers(page, 'light')).toEqual([]);
    });
  });

  describe('a login', () => {
    const deep = '/market?q=4090&sort=lowest';

    it('by token leads to the address that was opened', async () => {
      const page = await newPage();
      await page.goto(server().url + deep);
      await page.locator('input[name=token]').fill(server().token);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('#models tbody tr').first().waitFor();
      expect(page.url()).toBe(server().url + deep);
    });

    it('by link leads there too, also in the tab that waits for it; a used link says so', async () => {
      const page = await newPage();
      await page.goto(server().url + deep);
      await page.locator('input[name=token]').waitFor();
      const link = `${server().url}/login?code=${await createLoginCode(server().sql, new Date())}`;
      const other = await page.context().newPage();
      await other.goto(link);
      await other.locator('#models tbody tr').first().waitFor();
      expect(other.url()).toBe(server().url + deep);
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await page.locator('#models tbody tr').first().waitFor();
      await other.goto(link);
      await other.getByText('This login link was already used').waitFor();
      await other.getByText('npx offerbook token login').waitFor();
      expect(await barriers(other, 'dark')).toEqual([]);
      await other.getByRole('link', { name: 'Open the page' }).click();
      await other.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    });
  });

  it('a hidden age leaves no gap before a full stop, on a phone', async () => {
    const page = await open('/crawls', undefined, 390);
    const moments = page.locator('time', { has: page.locator('.wide', { hasText: /^ \(/ }) });
    await moments.first().waitFor();
    const shown = await moments.evaluateAll((all) =>
      all.flatMap(({ childNodes }) =>
        [...childNodes].flatMap((each) => (each instanceof Text ? [each.data] : [])),
      ),
    );
    expect(shown.filter((words) => words.trim() !== words)).toEqual([]);
    expect(await moments.first().locator('.wide').isVisible()).toBe(false);
  });

  it('an announcement where a view begins is below the navigation, above all figures, on a phone', async () => {
    const page = await open('/rent', undefined, 390);
    const said = page.locator('.said');
    await said.getByText('Choose an offer to rent.').waitFor();
    const [navigation, place] = [await page.locator('.masthead').boundingBox(), await said.boundingBox()];
    if (navigation === null || place === null) throw new Error('one of them is not shown');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect(place.y).toBeGreaterThanOrEqual(navigation.y + navigation.height);
    expect(place.y + place.height).toBeLessThan(200);
    // Farther down it leaves the upper edge to what was scrolled to.
    await page.locator('#ranking tbody tr').first().waitFor();
    await page.evaluate(() => window.scrollBy(0, 300));
    await expect.poll(async () => (await said.boundingBox())?.y, patiently).toBeGreaterThan(700);
  });

  it('an announcement does not cover the row that it announces', async () => {
    const page = await open('/spend', undefined, 390);
    await settled(page);
    await page.locator('#budgets input[name=monthly]').fill('77');
    await page.locator('#budgets input[name=budget-label]').fill('not covered');
    await tabTo(page, '#budgets button[type=submit]');
    // The form is at the lower edge, so that the new row above it may be behind an announcement at either edge.
    await page.locator('#budgets form').evaluate((form) => form.scrollIntoView({ block: 'start' }));
    await page.evaluate(() => window.scrollBy(0, -80));
    const placeOfMain = () =>
      page.locator('#main').evaluate((main) => main.getBoundingClientRect().top + window.scrollY);
    const before = await placeOfMain();
    await page.keyboard.press('Enter');
    const row = page.locator('#budgets tr').filter({ hasText: 'not covered' });
    await row.waitFor();
    const said = page.locator('.said');
    expect(await said.textContent()).toBe('Budget saved.');
    const [made, above] = [await row.boundingBox(), await said.boundingBox()];
    if (made === null || above === null) throw new Error('one of them is not shown');
    expect(above.y >= made.y + made.height || above.y + above.height <= made.y).toBe(true);
    // It lies over the page, which stays where it is, and leaves the navigation free.
    expect(above.y + above.height).toBeGreaterThan(850);
    expect(above.x + above.width).toBeLessThanOrEqual(390);
    expect(await placeOfMain()).toBe(before);
    await expect.poll(() => said.textContent(), patiently).toBe('');
    expect(await placeOfMain()).toBe(before);
    // At the lower edge, where announcements are, the form itself stays in sight.
    const form = page.locator('#budgets form');
    await page.locator('#budgets input[name=monthly]').fill('78');
    await page.locator('#budgets input[name=budget-label]').fill('not covered either');
    await form.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await page.keyboard.press('Enter');
    await said.getByText('Budget saved.').waitFor();
    const [used, over] = [await form.boundingBox(), await said.boundingBox()];
    if (used === null || over === null) throw new Error('one of them is not shown');
    expect(over.y >= used.y + used.height || over.y + over.height <= used.y).toBe(true);
    const { items } = await ask<Budgets>('/api/budgets');
    for (const { id, label } of items)
      if (label?.startsWith('not covered')) await send('DELETE', `/api/budgets/${id}`);
  });

  it('an announcement does not cover the first channel, which comes with its table', async () => {
    let items: Channel[] = [];
    const page = await open(
      '/watches',
      (page) =>
        page.route(/\/api\/channels(\?|$)/, async (route) => {
          if (route.request().method() === 'POST') {
            const response = await route.fetch();
            items = [(await response.json()) as Channel];
            return route.fulfill({ response });
          }
          return perturb<{ items: Channel[] }>(route, (answer) => ({ ...answer, items }));
        }),
      1440,
    );
    const section = page.locator('#channels');
    const row = section.locator('tbody tr');
    const addFirst = async (name: string, height: number) => {
      await settled(page);
      await page.setViewportSize({ width: 1440, height });
      await section.getByLabel('Kind').selectOption('file');
      await section.locator('input[name=config-path]').fill(name);
      // The form that was used counts too, unless the focus has left it.
      await page
        .locator('.masthead a')
        .first()
        .evaluate((link) => (link as HTMLElement).focus({ preventScroll: true }));
      await section.locator('h2').evaluate((title) => window.scrollBy(0, title.getBoundingClientRect().top));
      await section
        .locator('input[name=config-path]')
        .evaluate((field) => (field as HTMLInputElement).form?.requestSubmit());
      await row.waitFor();
    };
    await addFirst('measured', 900);
    const [title, measured] = [await section.locator('h2').boundingBox(), await row.boundingBox()];
    if (title === null || measured === null) throw new Error('one of them is not shown');
    for (const { id } of items) await send('DELETE', `/api/channels/${id}`);
    items = [];
    await page.reload();
    // Its row appears at the lower edge, above the form.
    await addFirst('first', Math.round(measured.y + measured.height - title.y) + 24);
    const said = page.locator('.said');
    await said.getByText(/ added\./).waitFor();
    const [made, above] = [await row.boundingBox(), await said.boundingBox()];
    if (made === null || above === null) throw new Error('one of them is not shown');
    expect(above.y >= made.y + made.height || above.y + above.height <= made.y).toBe(true);
    expect(await said.getAttribute('data-edge')).toBe('top');
    // Where both edges are as good it stays, so that it does not jump onto what is scrolled to.
    await page.evaluate(() => window.scrollBy(0, -400));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.waitForTimeout(200);
    expect([await said.textContent(), await said.getAttribute('data-edge')]).toEqual([
      expect.stringMatching(/ added\./),
      'top',
    ]);
    for (const { id } of items) await send('DELETE', `/api/channels/${id}`);
  });
}
