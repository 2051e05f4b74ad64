import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Budgets,
  Instances,
  LowestVerdicts,
  Market,
  MarketAlert,
  RankingGroups,
  SpendProjection,
  Status,
} from '../../web/core/api.ts';
import { instanceAt } from './made-instance.ts';
import { type PageFixture, patiently, perturb, settled, widths } from './page-fixture.ts';
import { rawValues } from './shown-values.ts';

/** What Deals asks for at first. */
const reliable = 'verification=verified&minReliability=0.98';

/** Tests of the first view in a real browser. */
export function describeToday({ open, ask, send }: PageFixture): void {
  describe('Today', () => {
    const lowestOf = async (names: readonly string[]) => {
      const asked = new URLSearchParams(names.map((name) => ['gpuName', name]));
      const { items } = await ask<LowestVerdicts>(`/api/verdicts?${asked}&${reliable}`);
      const lowest = (name: string) => items.find(({ gpuName }) => gpuName === name)?.lowest?.usdPerGpuHour;
      return names.map((name) => String(lowest(name)));
    };
    let mostListed: string[];

    beforeAll(async () => {
      const { groups } = await ask<RankingGroups>(
        `/api/rankings/groups?by=usdPerGpuHour&groupBy=gpuName&${reliable}`,
      );
      mostListed = groups
        .toSorted((a, b) => b.offers - a.offers)
        .slice(0, 4)
        .map(({ gpuName }) => gpuName ?? '');
    });

    it.each(widths)(
      "is the first view, with the API's figures and the deals of pinned models, %s wide",
      async (width) => {
        const made = await send<{ id: string }>('POST', '/api/budgets', { monthlyUsd: '125.5' });
        const page = await open('/', undefined, width);
        await settled(page);
        const main = page.getByRole('navigation', { name: 'Main' });
        expect(await main.locator('[aria-current]').textContent()).toBe('Today');
        expect(await main.getByRole('link').first().textContent()).toBe('Today');
        const tile = async (name: string) =>
          Number(await page.locator(`[data-tile=${name}] [data-value]`).getAttribute('data-value'));
        const { totalUsdPerHour } = await ask<Instances>('/api/instances');
        const { projectedUsd } = await ask<SpendProjection>('/api/spend/projection');
        const { items: budgets } = await ask<Budgets>('/api/budgets');
        expect(await tile('burn')).toBeCloseTo(Number(totalUsdPerHour), 6);
        // It grows with the estimate of the running hours.
        expect(await tile('month')).toBeCloseTo(Number(projectedUsd), 1);
        const left = budgets.find(({ id }) => id === made.id)?.state.leftUsd;
        expect(await tile('budget')).toBeCloseTo(Number(left), 1);
        // What is wrong stands beside what was told, and prices beside prices, so that no column is empty.
        const topOf = async (part: string) => (await page.locator(part).boundingBox())?.y ?? null;
        for (const [one, other] of [
          ['#needs', '#today-alerts'],
          ['#drops', '#cheapest-offers'],
        ] as const) {
          const tops = [await topOf(one), await topOf(other)];
          expect(tops).not.toContain(null);
          expect(tops[0] === tops[1]).toBe(width === 1440);
        }
        await page.locator('[data-tile=month] [data-explain]').click();
        await page.locator('#explanation').getByText('Burn rate × Hours left').waitFor();
        await page.keyboard.press('Escape');

        const deals = page.locator('#cheapest-offers');
        const shown = () => deals.locator('[data-field=lowest]').evaluateAll(rawValues);
        await deals
          .getByText('one for each of the 4 models with the most offers, reliable offers only')
          .waitFor();
        expect(await shown()).toEqual(await lowestOf(mostListed));
        const third = mostListed[2] ?? '';
        await deals.getByRole('button', { name: `Pin ${third}`, exact: true }).click();
        await deals.getByText('of 1 pinned model').waitFor();
        expect(await shown()).toEqual(await lowestOf([third]));
        // By what a time to rent is called good.
        await deals.getByRole('button', { name: 'good time' }).click();
        await deals.getByText(/higher in at least 75% .+ very good time: in at least 90%/).waitFor();
        await page.keyboard.press('Escape');
        await deals.getByRole('link', { name: third, exact: true }).click();
        await page.locator('#ranking tbody tr').first().waitFor();
        expect(new URL(page.url()).searchParams.get('gpuName')).toBe(third);
        await send('DELETE', `/api/budgets/${made.id}`);
      },
    );

    it('keeps the height of the cheapest offers while they are loading', async () => {
      const answers: (() => void)[] = [];
      const page = await open('/today', (page) =>
        page.route('**/api/verdicts?*', async (route) => {
          await new Promise<void>((done) => answers.push(done));
          await route.continue();
        }),
      );
      const deals = page.locator('#cheapest-offers');
      await deals.getByText('Loading the cheapest offers…').waitFor();
      await expect.poll(() => answers.length, patiently).toBeGreaterThan(0);
      const before = (await deals.boundingBox())?.height ?? 0;
      for (const answer of answers) answer();
      await deals.locator('tbody tr').first().waitFor();
      const after = (await deals.boundingBox())?.height ?? 0;
      expect(Math.abs(after - before)).toBeLessThan(40);
    });

    it('does not say that there is too little history while it asks anew', async () => {
      let isHeld = false;
      const held: (() => void)[] = [];
      const page = await open('/today', (page) =>
        page.route('**/api/verdicts?*', async (route) => {
          if (isHeld) await new Promise<void>((done) => held.push(done));
          await perturb<LowestVerdicts>(route, ({ items, ...rest }) => ({
            ...rest,
            items: items.map((item) => ({ ...item, timing: null })),
          }));
        }),
      );
      const deals = page.locator('#cheapest-offers');
      await deals.getByText('not enough history yet').first().waitFor();
      isHeld = true;
      await page.locator('.masthead').getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await page.locator('.masthead').getByRole('link', { name: 'Today' }).click();
      await deals.getByText('Checking past prices…').first().waitFor();
      expect(await deals.getByText('not enough history yet').count()).toBe(0);
      isHeld = false;
      for (const release of held) release();
      await deals.getByText('not enough history yet').first().waitFor();
    });

    it('begins with three steps, until they are hidden', async () => {
      const page = await open('/today');
      await settled(page);
      const steps = page.locator('#first-run');
      expect(await steps.locator('.steps > li').count()).toBe(3);
      // What is ticked is what the program did, not what the reader should do.
      expect(await steps.locator('.done').allTextContents()).toEqual(['Start in the simulator (done)']);
      const [top, cost] = [await steps.boundingBox(), await page.locator('#today-cost').boundingBox()];
      expect(top?.y ?? 9e9).toBeLessThan(cost?.y ?? 0);
      await page.getByRole('button', { name: 'Hide the first steps' }).click();
      await steps.waitFor({ state: 'detached' });
      await page.reload();
      await page.locator('#today-cost').waitFor();
      await settled(page);
      expect(await steps.count()).toBe(0);
    });

    it('shows which instances and budgets need the reader and why, each with its action, and a viewer no action', async () => {
      let role: Status['role'] = 'operator';
      let items = [
        instanceAt('0.5'),
        { ...instanceAt('0.1'), instanceId: 78, label: 'kept', state: 'stopped', stoppedUsdPerDay: '0.24' },
        { ...instanceAt('0.7'), instanceId: 79, label: 'lost', state: 'start-failed' },
      ];
      const page = await open('/today', async (page) => {
        await page.route('**/api/instances', (route) =>
          perturb<Instances>(route, (answer) => ({ ...answer, items, totalUsdPerHour: '1.3' })),
        );
        await page.route('**/api/spend/projection', (route) =>
          perturb<SpendProjection>(route, (answer) => ({
            ...answer,
            spentUsd: '241.05',
            projectedUsd: '310.58',
          })),
        );
        await page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({ ...status, role })),
        );
      });
      const needs = page.locator('#needs');
      await needs.getByText('2 of 3 instances').waitFor();
      const kinds = () =>
        needs.locator('li').evaluateAll((lines) => lines.map((line) => (line as HTMLElement).dataset.need));
      expect(await kinds()).toEqual(['start-failed', 'stopped']);
      await needs.getByText('its disk is still charged at $0.0100/hour').waitFor();
      expect(await page.locator('[data-tile=burn]').textContent()).toContain('$1.3000/hour');
      const month = page.locator('[data-tile=month]');
      await month.getByText('$241.05 so far').waitFor();
      // A label leads elsewhere, its figure explains itself: they look different.
      for (const name of ['burn', 'month', 'budget']) {
        const [lines, colors] = await page.locator(`[data-tile=${name}]`).evaluate((tile) => {
          const parts = [tile.querySelector('dt a'), tile.querySelector('dd .explained')];
          const styles = parts.flatMap((part) => (part === null ? [] : [getComputedStyle(part)]));
          return [styles.map((each) => each.textDecorationLine), styles.map(({ color }) => color)];
        });
        expect([name, lines?.[0]]).toEqual([name, 'none']);
        expect(lines?.[1] ?? 'underline').toBe('underline');
        expect(colors?.[0]).not.toBe(colors?.[1]);
      }
      expect(await month.textContent()).toContain('$310.58');
      await needs.getByRole('button', { name: 'Destroy kept' }).click();
      await page.getByRole('dialog', { name: 'Destroy kept?' }).waitFor();
      role = 'viewer';
      await page.reload();
      await needs.getByText('2 of 3 instances').waitFor();
      expect(await kinds()).toEqual(['start-failed', 'stopped']);
      expect(await needs.getByRole('button').count()).toBe(0);
      // Many of them do not push the prices away.
      const lost = (index: number) => ({ ...instanceAt('0.7'), instanceId: index, state: 'start-failed' });
      items = Array.from({ length: 25 }, (_, index) => lost(100 + index));
      await page.reload();
      await needs.getByText('The first 10 of 25 items.').waitFor();
      expect((await kinds()).length).toBe(10);
      await needs.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(async () => (await kinds()).length, patiently).toBe(25);
    });

    it('does not say that nothing needs the reader where budgets or channels could not be read', async () => {
      let isBroken = true;
      const page = await open('/today', async (page) => {
        await page.route('**/api/instances', (route) =>
          perturb<Instances>(route, (answer) => ({ ...answer, items: [], totalUsdPerHour: '0' })),
        );
        await page.route('**/api/budgets*', (route) =>
          isBroken ? route.fulfill({ status: 409, json: {} }) : route.continue(),
        );
      });
      const needs = page.locator('#needs');
      await needs.getByText('Budgets could not be read: what needs you there is unknown.').waitFor();
      await needs.getByText('No instance needs you').waitFor();
      expect(await needs.locator('[data-unread]').count()).toBe(1);
      isBroken = false;
      await needs.getByRole('button', { name: 'Try again' }).click();
      await needs.locator('[data-unread]').waitFor({ state: 'detached' });
      await needs.getByText('Nothing needs you').waitFor();
    });

    it('lists the alerts since midnight and the clear price drops, with what each rests on', async () => {
      const alert: MarketAlert = {
        ...{
          id: 'a1',
          market: 'simulator',
          at: new Date().toISOString(),
          title: 'H100 below $2',
          value: 1.9,
        },
        ...{
          ruleId: 'r1',
          kind: 'priceBelow',
          watchId: 'w1',
          gpuNames: [],
          listingId: '7',
          suppressed: 'daily-cap',
          undeliveredTo: ['pager'],
        },
      };
      let asked = '';
      const page = await open('/today', async (page) => {
        await page.route('**/api/alerts?*', (route) => {
          asked = route.request().url();
          return perturb<{ items: MarketAlert[] }>(route, (answer) => ({ ...answer, items: [alert] }));
        });
        await page.route('**/api/verdicts?*', (route) =>
          perturb<LowestVerdicts>(route, ({ items, nextCursor }) => ({
            nextCursor,
            items: items.map((item) => ({
              ...{ ...item, observedAt: new Date().toISOString() },
              lowest: item.lowest && { ...item.lowest, maxDurationHours: 8.5 },
            })),
          })),
        );
        await page.route('**/api/market', (route) =>
          perturb<Market>(route, (market) => ({
            ...market,
            items: market.items.map((row, place) => ({
              ...row,
              changes: [1, 7, 27].map((days) => ({
                ...{ days, percent: place < 7 ? -5 - place : 3, stderrPercent: 0.5, medianPercent: -1 },
                ...{ mixPercent: 4.2, status: 'clear' as const, words: 'lower than usual' },
              })),
            })),
          })),
        );
      });
      const alerts = page.locator('#today-alerts');
      await alerts.getByText('1 alert', { exact: true }).waitFor();
      const hrefs = await alerts
        .locator('[data-alert] a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(hrefs).toEqual(['/listings/7', '/watches/w1', '/watches?at=deliveries']);
      expect(await alerts.locator('[data-alert] p').textContent()).toMatch(
        /H100 below \$2 · Listing · Watch sent to nobody: daily cap · not delivered to pager$/,
      );
      const pill = alerts.locator('[data-alert] .tag');
      expect(await pill.evaluate((tag) => getComputedStyle(tag).display)).toBe('inline-block');
      // Midnight where the reader is.
      const from = Date.parse(new URL(asked).searchParams.get('from') ?? '');
      const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' });
      expect(hour.format(from)).toBe('00:00');
      await page
        .locator('#cheapest-offers .tag.warn')
        .getByText(/^host ends it in 8 h/)
        .first()
        .waitFor();
      const drops = page.locator('#drops');
      await drops.getByText(/of the same machines in 7 days: 7 of \d+ models/).waitFor();
      expect(await drops.locator('[data-field=percent]').evaluateAll(rawValues)).toEqual([
        ...['-11', '-10', '-9', '-8', '-7'],
      ]);
      const more = drops.getByRole('link', { name: '2 more in Market' });
      expect(await more.getAttribute('href')).toBe('/market?sort=change7');
      const head = drops.getByRole('link', { name: 'Biggest price drops' });
      expect(await head.getAttribute('href')).toBe('/market?sort=change7');
      expect(await drops.locator('[data-field=percent]').first().textContent()).toContain('±\u00a00.5');
      await drops.getByRole('columnheader', { name: 'Mix of machines' }).waitFor();
      expect(await drops.locator('[data-field=mixPercent]').first().textContent()).toBe('+4.2%');
      // The explanation of a median has that very figure, and is not of the day's.
      const median = drops.locator('[data-field=median]').first();
      await drops.getByRole('columnheader', { name: 'Newest book’s median' }).waitFor();
      await median.locator('[data-explain]').click();
      await page
        .locator('#explanation')
        .getByText((await median.textContent()) ?? '')
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      // What the day's median is, is said where it is shown.
      const dayMedian = drops.getByText('The day’s median is of all prices');
      const shown = async () => [
        await dayMedian.isVisible(),
        await drops.locator('.change small').first().isVisible(),
      ];
      expect(await shown()).toEqual([true, true]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await shown()).toEqual([false, false]);
      await expect.poll(() => drops.locator('.scroll[data-wide]').count(), patiently).toBe(0);
    });

    it('has no empty card beside the deals, and on a phone words that begin at the left', async () => {
      const page = await open('/today', undefined, 1440);
      const now = page.locator('#cheapest-offers td[data-head=Now]').first();
      await now.waitFor();
      await page.locator('#drops h2').waitFor();
      const left = await page.locator('#drops').evaluate((card) => {
        const last = card.querySelector('.content')?.getBoundingClientRect().bottom ?? 0;
        return card.getBoundingClientRect().bottom - last;
      });
      expect(left).toBeLessThan(24);
      await page.setViewportSize({ width: 390, height: 844 });
      const words = now.locator('small').first();
      expect(
        await words.evaluate((element) => {
          const { textAlign, fontSize } = getComputedStyle(element);
          return [textAlign, fontSize];
        }),
      ).toEqual(['left', '13px']);
    });

    it('has tiles of two lines of words on a phone, and what is below them when they cannot push it down', async () => {
      const { promise: isAsked, resolve: answerNow } = Promise.withResolvers<void>();
      const page = await open(
        '/today',
        (page) =>
          page.route('**/api/budgets', async (route) => {
            await isAsked;
            await perturb<Budgets>(route, (answer) => ({ ...answer, items: [] }));
          }),
        390,
      );
      const [burn, month] = ['burn', 'month'].map((name) => page.locator(`[data-tile=${name}]`));
      await month?.locator('[data-value]').waitFor({ state: 'attached' });
      expect(await month?.isVisible()).toBe(false);
      answerNow();
      await month?.waitFor();
      expect((await burn?.boundingBox())?.height).toBeLessThan(100);
    });

    it('shows only prices where there is no account, and says why', async () => {
      const page = await open('/today', (page) =>
        page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({ ...status, mode: 'replay' })),
        ),
      );
      await page.getByText('A recorded market has no account').waitFor();
      await page.locator('#cheapest-offers [data-field=lowest]').first().waitFor();
      for (const part of ['#today-cost', '#needs', '#today-alerts', '#first-run']) {
        expect([part, await page.locator(part).count()]).toEqual([part, 0]);
      }
    });

    it('shows the problem of one part, and the others', async () => {
      const page = await open('/today', async (page) => {
        await page.route('**/api/alerts?*', (route) =>
          route.fulfill({ json: { items: [], nextCursor: null } }),
        );
        await page.route('**/api/spend/projection', (route) =>
          route.fulfill({
            status: 404,
            contentType: 'application/problem+json',
            json: { title: 'No bills' },
          }),
        );
      });
      // One that was deleted may have fired.
      await page.locator('#today-alerts').getByText('None of your alerts has fired since midnight').waitFor();
      await page.locator('[data-tile=month]').getByText('No bills').waitFor();
      await page.locator('#cheapest-offers [data-field=lowest]').first().waitFor();
      await page.unroute('**/api/spend/projection');
      await page.locator('[data-tile=month]').getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => page.locator('[data-tile=month] [data-value]').count(), patiently).toBe(1);
    });
  });
}
