import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Instance, InstanceDetail, Instances, Status } from '../../web/core/api.ts';
import { vramWords } from '../../web/parts/machine-facts.ts';
import { barriers } from './every-view.ts';
import { twoFrames } from './layout-shifts.ts';
import { instanceAt } from './made-instance.ts';
import { type PageFixture, patiently, perturb, settled, tabTo } from './page-fixture.ts';

interface Offered {
  offerId: number;
  machineId: number;
  gpuName: string;
  numGpus: number;
  gpuRamMb: number | null;
  reliability: number | null;
  verification: string | null;
  diskSpaceGb: number | null;
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
}

/** Tests of the list of instances and of the page of one in a real browser. */
export function describeInstancePages({ server, open, ask, send, crawled }: PageFixture): void {
  describe('instances', () => {
    let id = 0;

    /** Rents a machine for which the newest book has an equal one that costs less. */
    beforeAll(async () => {
      await crawled();
      const { items } = await ask<{ items: Offered[] }>('/api/offers?limit=1000');
      const price = (offer: Offered) => offer.baseUsdPerHour + ((offer.storageUsdPerGbMonth ?? 0) * 16) / 720;
      const tiers = ['deverified', 'unverified', 'verified'];
      const isCheaper = (own: Offered, offer: Offered) =>
        offer.machineId !== own.machineId &&
        offer.gpuName === own.gpuName &&
        offer.numGpus === own.numGpus &&
        (offer.gpuRamMb ?? 0) >= (own.gpuRamMb ?? 0) &&
        (offer.diskSpaceGb ?? 0) >= 16 &&
        tiers.indexOf(offer.verification ?? '') >= tiers.indexOf(own.verification ?? '') &&
        (offer.reliability ?? 0) >= (own.reliability ?? 0) &&
        price(offer) < 0.85 * price(own) &&
        price(offer) > 0.5 * price(own);
      const body = (offerId: number) => ({
        ...{ offerId, image: 'ubuntu:24.04', diskGb: 16, label: 'to be moved', maxHours: 9 },
      });
      // Some have been rented since the book.
      const isThere = async ({ offerId }: Offered) =>
        (await send<{ wouldRent: boolean }>('POST', '/api/quotes', body(offerId)).catch(() => null))
          ?.wouldRent === true;
      for (const own of items) {
        const [cheapest] = items.filter((offer) => isCheaper(own, offer)).sort((a, b) => price(a) - price(b));
        if (cheapest === undefined || !(await isThere(cheapest)) || !(await isThere(own))) continue;
        const response = await fetch(`${server().url}/api/instances`, {
          method: 'POST',
          headers: {
            ...{ authorization: `Bearer ${server().token}`, 'content-type': 'application/json' },
            'idempotency-key': `to-be-moved-${own.offerId}`,
          },
          body: JSON.stringify(body(own.offerId)),
        });
        id = ((await response.json()) as { instanceId: number }).instanceId;
        return;
      }
      throw new Error('no machine has an equal one that costs less');
    });

    const label = (index: number) => `${index} ${'a-very-long-label-'.repeat(11)}`.slice(0, 200);
    const many: Instance[] = Array.from({ length: 300 }, (_, index) => ({
      ...instanceAt(String(0.1 + index / 1_000)),
      ...{ instanceId: 1_000 + index, label: label(index), country: index === 7 ? 'IS' : 'DE' },
      ...{ sshHost: `ssh${'-long'.repeat(12)}.example.org`, sshPort: 40_000 + index },
    }));
    const answers = async (page: Page) => {
      await page.route('**/api/instances', (route) =>
        perturb<Instances>(route, (answer) => ({ ...answer, items: many })),
      );
      await page.route('**/api/volumes', (route) => route.fulfill({ status: 409, json: {} }));
    };

    it('of a long list keep their controls in view at every width, and pass axe', async () => {
      const page = await open('/instances', answers, 1440);
      await page.locator('#instance-table tbody tr').nth(299).waitFor();
      const excess = () => document.documentElement.scrollWidth - window.innerWidth;
      const dialog = page.getByRole('dialog');
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(twoFrames);
        expect([width, await controlsBeyond(page)]).toEqual([width, []]);
        expect(await page.evaluate(excess)).toBeLessThanOrEqual(0);
        await page.getByRole('button', { name: 'Destroy 1000' }).click();
        await dialog.getByText('All data on its disk (16 GB rented) is deleted for good').waitFor();
        await dialog.getByText('Whether volumes are attached is unknown').waitFor();
        const { x = -1, width: wide = width + 1 } = (await dialog.boundingBox()) ?? {};
        expect(x >= 0 && x + wide <= width).toBe(true);
        expect(await page.evaluate(excess)).toBeLessThanOrEqual(0);
        // A name as long as this is not typed.
        await page.getByLabel('Type 1000 to confirm').waitFor();
        expect(await dialog.locator('label kbd').textContent()).toBe('1000');
        await page.keyboard.press('Escape');
        if (width !== 1024) expect(await barriers(page, width === 390 ? 'dark' : 'light')).toEqual([]);
      }
    });

    it('keep their controls where they are on a phone, whatever their states become', async () => {
      const usual = { quotedUsdPerHour: '0.5', runningUsdPerHour: '0.5', hostEndsAt: '2026-12-20T10:00:00Z' };
      const hostEndsAt = '2026-12-01T10:00:00Z';
      const saving = { offerId: 1, machineId: 2, usdPerHour: 0.1, savesUsdPerDay: '9.6', hostEndsAt };
      const steps: Partial<Instance>[] = [
        { state: 'provisioning', billedUsdPerHour: null },
        { state: 'provisioning', billedUsdPerHour: '0.0044' },
        { state: 'running', billedUsdPerHour: '0.5' },
        { state: 'ready', billedUsdPerHour: '0.5', gpuUtilPercent: 3, cheaper: saving },
      ];
      let step: Partial<Instance> | undefined;
      const page = await open(
        '/instances',
        (page) =>
          page.route('**/api/instances', (route) =>
            perturb<Instances>(route, (answer) => ({
              ...answer,
              items: [1, 2].map((id) => ({ ...instanceAt('0.5'), instanceId: id, ...usual, ...step })),
            })),
          ),
        390,
      );
      const seen = new Set<string>();
      for (step of steps) {
        await page.reload();
        await page.getByRole('button', { name: 'Destroy 2' }).waitFor();
        await settled(page);
        const tops = await page
          .locator('#instance-table :is(button, input, a.cut)')
          .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
        seen.add(tops.join(' '));
        const starts = Number(step.billedUsdPerHour) < 0.5 && step.billedUsdPerHour !== null;
        expect(await page.getByText('2 start: only their disks are billed').count()).toBe(starts ? 1 : 0);
        // The total counts what starts at the price it has later.
        const total = await page.locator('#instances .figures-line strong').textContent();
        expect(total?.startsWith('Once running $')).toBe(starts);
      }
      const order = page.getByLabel('Sort by').locator('option').first();
      expect(await order.textContent()).toBe('Instance number');
      // What an equal machine costs is beside the price, and no empty line below the state.
      const row = page.locator('#instance-table tbody tr').first();
      await row.getByRole('link', { name: /^equal \$0\.1000\/h for \d/ }).waitFor();
      // Where its host ends it early the list says for how long it is to be had, on a phone too.
      expect(await row.locator('[data-ends=early]').isVisible()).toBe(true);
      const [state, use] = [row.locator('.outcome'), row.locator('td[data-head="GPU utilization"]')];
      expect((await state.boundingBox())?.height).toBeLessThan(2 * ((await use.boundingBox())?.height ?? 0));
      expect([...seen]).toHaveLength(1);
      // One that is known to be gone is no offer.
      await page.route('**/api/quotes', (route) =>
        route.fulfill({ status: 410, json: { title: 'Gone', status: 410 } }),
      );
      for (const [path, shown] of [
        ['/rent/1', '#gone'],
        ['/instances', '#instance-table'],
      ] as const) {
        await page.evaluate((href) => {
          history.pushState(null, '', href);
          dispatchEvent(new PopStateEvent('popstate'));
        }, path);
        await page.locator(shown).first().waitFor();
      }
      await row.locator('td[data-head="GPU utilization"]').waitFor();
      expect(await row.getByText('equal machine').count()).toBe(0);
    });

    it('that were just rented say what was agreed, and that the price comes in seconds', async () => {
      const page = await open(`/instances/${id}`, (page) =>
        page.route(`**/api/instances/${id}`, (route) =>
          perturb<InstanceDetail>(route, (detail) => ({
            ...detail,
            instance: {
              ...detail.instance,
              ...{ state: 'provisioning', billedUsdPerHour: null, quotedUsdPerHour: '0.4321' },
            },
          })),
        ),
      );
      const price = page.locator('#cost [data-fact=now]');
      await price.getByText('known in seconds, when the market lists it; agreed: $0.4321/hour').waitFor();
      await page.locator('#limits').getByRole('button', { name: 'Change… the limits' }).waitFor();
    });

    it('of a long list are searched, sorted, ticked and ended together, each with its outcome', async () => {
      const asked: string[] = [];
      const page = await open('/instances', async (page) => {
        await answers(page);
        await page.route(/\/api\/instances\/\d+(\/stop)?$/, async (route) => {
          const [, id] = /instances\/(\d+)/.exec(route.request().url()) ?? [];
          asked.push(`${route.request().method()} ${id}`);
          if (id === '1298') {
            const json = { title: 'Conflict', status: 409, detail: 'It is busy.', errors: [] };
            await route.fulfill({ status: 409, contentType: 'application/problem+json', json });
          } else await route.fulfill({ json: { instanceId: Number(id), outcome: 'accepted' } });
        });
      });
      const rows = page.locator('#instance-table tbody tr');
      const keys = async (count: number) =>
        (await rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.key))).slice(0, count);
      await rows.nth(299).waitFor();
      await page.getByRole('button', { name: '$/hour now' }).click();
      expect(await keys(3)).toEqual(['1299', '1298', '1297']);
      const head = page.locator('#instance-table th[aria-sort=descending]');
      expect(await head.textContent()).toBe('$/hour now');
      await page.getByRole('button', { name: 'Instance', exact: true }).click();
      await page.getByRole('button', { name: 'Instance', exact: true }).click();
      expect(await page.locator('#instance-table th[aria-sort=descending]').textContent()).toBe('Instance');
      await page.goBack();
      await page.goBack();
      await page.getByRole('searchbox', { name: 'Search' }).fill('iceland');
      await expect.poll(async () => await keys(9), patiently).toEqual(['1007']);
      await page.getByRole('searchbox', { name: 'Search' }).fill('nowhere');
      await page.getByText('Nothing matches “nowhere”').waitFor();
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await rows.nth(299).waitFor();
      expect(await page.locator('.bulk-bar button').count()).toBe(0);
      for (const id of ['1299', '1298', '1297']) await page.getByLabel(`Select ${id}`).check();
      await page.getByRole('button', { name: 'Destroy 3' }).waitFor();
      await page.getByRole('button', { name: 'Stop 3' }).click();
      const dialog = page.getByRole('dialog');
      // 0.399 + 0.398 + 0.397 less three disks of $0.10 a day.
      await dialog.getByText('$1.1815/hour ends; disks still cost $0.0125/hour.').waitFor();
      await dialog.getByRole('button', { name: 'Stop 3 instances' }).click();
      await dialog.getByText('failed: Conflict. It is busy.').waitFor();
      await expect.poll(() => dialog.getByText('accepted by the market').count(), patiently).toBe(2);
      expect(asked).toEqual(['POST 1299', 'POST 1298', 'POST 1297']);
      await dialog.getByRole('button', { name: 'Done' }).click();
      // What failed stays ticked.
      await page.getByRole('button', { name: 'Destroy 1…', exact: true }).click();
      const destroys = dialog.getByRole('button', { name: 'Destroy 1 instance' });
      expect(await destroys.isDisabled()).toBe(true);
      await dialog.getByLabel('Type destroy 1 to confirm').fill('destroy 1');
      expect(await dialog.locator('label kbd').allTextContents()).toEqual(['destroy 1']);
      await destroys.click();
      await expect.poll(() => asked.at(-1), patiently).toBe('DELETE 1298');
    });

    it('are read by a viewer without any control that acts', async () => {
      const page = await open('/instances', async (page) => {
        await answers(page);
        await page.route('**/api/status*', (route) =>
          perturb<Status>(route, (status) => ({ ...status, role: 'viewer' })),
        );
      });
      await page.locator('#instance-table tbody tr').nth(299).waitFor();
      const names = await page.locator('#instances button, .view-head button').allTextContents();
      expect(names.filter((name) => /^(Stop|Start|Destroy|Limits|Bid|Extend|Disable)/.test(name))).toEqual(
        [],
      );
      expect(await page.locator('#instance-table input').count()).toBe(0);
    });
    it('that do not run yet are not said to be the cheapest: an equal machine is looked for once they run', async () => {
      const page = await open(`/instances/${id}`, (page) =>
        page.route(`**/api/instances/${id}`, (route) =>
          perturb<InstanceDetail>(route, (detail) => ({
            ...detail,
            equal: null,
            replacement: null,
            instance: { ...detail.instance, state: 'provisioning' },
          })),
        ),
      );
      await page.locator('[data-move=none]').getByText('is looked for once it runs').waitFor();
    });
    it('have a page with their facts, to edit label and cost center, and to move to a cheaper machine across a reload', async () => {
      const page = await open(`/instances/${id}`);
      await page.locator('#instance [data-state]').waitFor();
      const fact = (name: string) => page.locator(`#instance [data-fact=${name}]`);
      const { instance, machine } = await ask<InstanceDetail>(`/api/instances/${id}`);
      expect(await fact('machine').textContent()).toBe(String(instance.machineId));
      expect(await fact('verification').textContent()).toBe(machine?.verification);
      // The words of Deals and of the rent page.
      for (const [name, head] of [
        ['vram', 'VRAM'],
        ['country', 'Country'],
      ] as const) {
        expect(await fact(name).locator('xpath=preceding-sibling::dt').textContent()).toBe(head);
      }
      expect(await fact('vram').textContent()).toBe(vramWords(machine?.gpuRamMb ?? 0, instance.numGpus));
      await page.locator('#cost [data-basis]').getByText('no bill has arrived yet').waitFor();
      await page.getByRole('button', { name: 'Edit label' }).click();
      await page.getByRole('textbox', { name: 'Label' }).fill('moved on');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'moved on' }).waitFor();
      await page.locator('#timeline').getByText('label: moved on').first().waitFor();
      await send('PATCH', `/api/instances/${id}`, { maxHours: null });
      await page
        .locator('#limits')
        .getByText(/^No limit of yours ends it; the host ends it .* copy your data before\.$/)
        .waitFor(patiently);
      await page.locator('[data-state=ready]').waitFor(patiently);
      await page.getByRole('button', { name: /^Copy/ }).waitFor();
      await page.locator('[data-move=found]').getByText('less').waitFor(patiently);
      // In what it is equal, and the machine, are seen before it is rented.
      expect(await page.locator('[data-move=found] [data-term="equal machine"]').count()).toBe(1);
      expect(await page.locator('[data-move=found] a').first().getAttribute('href')).toMatch(
        /^\/rent\/\d+\?/,
      );
      await page.getByText('No data is copied').waitFor();
      // When its host ends it is said before the button, which is recommended only if that is not early.
      const ending = page.locator('#cheaper [data-ends]');
      expect(await ending.textContent()).toMatch(/^The host ends it in \d.*, on .*20\d\d.*\.$/);
      const isEarly = (await ending.getAttribute('data-ends')) === 'early';
      expect(await page.locator('#cheaper button.primary').count()).toBe(isEarly ? 0 : 1);
      await tabTo(page, '#cheaper p.row > button');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.locator('[data-ends]').waitFor();
      expect(await dialog.getByText('UTC').count()).toBe(0);
      await dialog.getByRole('button', { name: /^Rent for \$/ }).click();
      await page.locator('[data-move=waiting]').waitFor(patiently);
      await page.reload();
      // The dialog asks once the other one is ready, and names what dies.
      await page.getByRole('dialog', { name: 'Destroy moved on?' }).waitFor(patiently);
      const { replacement } = await ask<InstanceDetail>(`/api/instances/${id}`);
      expect(replacement?.state).toBe('ready');
      expect(await dialog.locator('[data-fact=machine]').textContent()).toBe(String(instance.machineId));
      await dialog
        .locator('[data-lost]')
        .getByText('All data on its disk (16 GB rented) is deleted for good')
        .waitFor();
      await dialog.locator('input[name=typed]').fill('moved on');
      await dialog.locator('button.danger').click();
      await page.locator('[data-move=moved]').waitFor(patiently);
      await page.locator('#timeline').getByText('Destroy', { exact: true }).first().waitFor();
      await page.locator('[data-move=moved] a').click();
      await page.waitForURL(`**/instances/${replacement?.instanceId}`);
      await page.locator(`[data-replaces="${id}"]`).waitFor();
      await send('DELETE', `/api/instances/${replacement?.instanceId}`);
    });

    it('that ended have a page that opens after signing in, and are found in the history; an unknown one says what to do', async () => {
      const page = await open('/start');
      await page.context().clearCookies();
      await page.goto(`${server().url}/instances/${id}`);
      await page.locator('input[name=token]').fill(server().token);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('[data-state=destroyed]').waitFor(patiently);
      await page.locator('[data-fact=ended]').waitFor();
      expect(await page.locator('[data-fact=use]').count()).toBe(0);
      expect(await page.locator('#limits').count()).toBe(0);
      await page.goto(`${server().url}/instances?show=ended&search=${id}`);
      const row = page.locator('#instance-table tbody tr');
      await row.getByText('destroyed').waitFor();
      expect(await row.count()).toBe(1);
      // Its price now is no figure, so it has no explanation; its cost has.
      expect(await row.locator('[data-field=billedUsdPerHour]').textContent()).toBe('–');
      expect(await row.locator('[data-field=billedUsdPerHour] [data-explain]').count()).toBe(0);
      expect(await row.locator('[data-field=cost] [data-explain]').count()).toBe(1);
      expect(await page.locator('#instance-table thead').textContent()).toMatch(/CostGPU/);
      // What is in brackets is in one line.
      const lines = await row
        .locator('time .soft')
        .evaluate((bracket) => [...bracket.getClientRects()].map(({ top }) => Math.round(top)));
      expect(new Set(lines).size).toBe(1);
      await row.getByRole('link', { name: 'moved on' }).click();
      await page.locator('#timeline').waitFor();
      await settled(page);
      await page.goto(`${server().url}/instances/999`);
      await page.getByText('The account has never had an instance 999').waitFor();
    });

    it('that all ended leave a list that says where they are', async () => {
      const page = await open('/instances', async (page) => {
        await page.route('**/api/instances', (route) =>
          perturb<Instances>(route, (answer) => ({ ...answer, items: [] })),
        );
        await page.route('**/api/instances/ended*', (route) =>
          perturb<Instances>(route, (answer) => ({
            ...answer,
            items: [{ ...instanceAt('0.5'), state: 'destroyed', endedAt: '2026-01-01T00:00:00Z' }],
          })),
        );
      });
      const empty = page.getByText('Those that ended, with what they cost, are under Ended; the last was ');
      await empty.getByText(/, destroyed \d+ days ago\.$/).waitFor();
      await page.locator('#instances .notice').getByRole('link', { name: 'Ended' }).click();
      await page.locator('#instance-table').getByText('destroyed').waitFor();
    });
  });
}

/** Returns the controls of the list that are beyond the screen; a wide table scrolls, but not what acts on a row. */
const controlsBeyond = async (page: Page): Promise<(string | null)[]> =>
  await page.locator('#instances :is(button, input, select, a)').evaluateAll((found) =>
    found.flatMap((control) => {
      const { left, right, width } = control.getBoundingClientRect();
      const isShown = width > 0 && control.checkVisibility({ visibilityProperty: true });
      const isOut = isShown && (left < 0 || right > document.documentElement.clientWidth);
      const scrolls =
        control.closest('#instance-table') !== null && control.closest('.actions, .tick, .named') === null;
      return isOut && !scrolls ? [control.getAttribute('aria-label') ?? control.textContent] : [];
    }),
  );
