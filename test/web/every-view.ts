import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Crawl, Instances, Rankings, StandingOrder, Watch } from '../../web/core/api.ts';
import { answerOneByOne, startWatchingShifts, twoFrames, watchedShifts } from './layout-shifts.ts';
import { type PageFixture, patiently, settled, widths } from './page-fixture.ts';

const themes = ['light', 'dark'] as const;
/** Other screens with the same layout: the view may be narrow there, but nothing scrolls sideways. */
const others = { 1440: [768, 1024], 390: [320] } as const;
/** Where every control is in sight. */
const usual: readonly number[] = [1440, 1024, 390];

/** Returns the problems of a view, one line each. */
interface Flaws {
  shifts: string[];
  /** Pixels that the view is wider than the screen, and controls beyond its edges, by the screen's width. */
  excess: string[];
  light: string[];
  dark: string[];
}

/** Guarantees for every view: visits all views once at each width, then tests what was seen. */
export function describeEveryView({ server, open, ask, send }: PageFixture): void {
  describe.each(widths)('every view, %s wide', (width) => {
    let watch: Watch;
    let order: StandingOrder;
    const flaws: Record<string, Flaws> = {};

    beforeAll(async () => {
      // What tests before this one destroyed leaves the list by itself: that is no movement of the page.
      await vi.waitUntil(async () => {
        const { items } = await ask<Instances>('/api/instances');
        return items.every(({ state, wanted }) => state !== 'destroying' && wanted !== 'destroyed');
      }, patiently);
      watch = await send<Watch>('POST', '/api/watches', { name: `Seen ${width} wide` });
      const request = { image: 'ubuntu', diskGb: 16 };
      const choices = [5, 0.1].map((maxUsdPerGpuHour) => ({ watchId: watch.id, maxUsdPerGpuHour }));
      const endsAt = '2100-01-01T00:00:00Z';
      order = await send('POST', '/api/orders', { name: `Seen ${width} wide`, endsAt, choices, request });
      await send('POST', `/api/orders/${order.id}/dry-run`);
      const page = await open('/start', startWatchingShifts, width);
      const answers = await answerOneByOne(page);
      for (const path of await addresses()) {
        await page.goto(server().url + path);
        await settled(page);
        await answers.passed();
        const shifts = await watchedShifts(page);
        await openEverything(page);
        await answers.passed();
        await settled(page);
        const excess = await excessOf(page, width);
        const [light, dark] = [await barriers(page, 'light'), await barriers(page, 'dark')];
        flaws[path] = { shifts, excess, light, dark };
      }
      await page.close();
      await send('DELETE', `/api/orders/${order.id}`);
      await send('DELETE', `/api/watches/${watch.id}`);
    });

    async function addresses(): Promise<string[]> {
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      const { gpuName = '', offerId, listingId } = items[0] ?? {};
      const model = new URLSearchParams({ gpuName });
      const ended = (await ask<Instances>('/api/instances/ended?limit=1')).items[0]?.instanceId;
      const crawls = (await ask<{ items: Crawl[] }>('/api/crawls?limit=1000')).items;
      const crawl = crawls.find(({ kind, outcome }) => kind === 'offers' && outcome === 'complete')?.id;
      return [
        ...[
          '/today',
          '/market',
          '/trends',
          `/trends?${model}&type=on-demand&type=bid&compare=1`,
          `/trends?${model}`,
        ],
        `/trends?${model}&metric=index`,
        ...['/deals?minVramGb=1', `/listings/${listingId}`, `/rent/${offerId}`],
        ...['/instances', '/instances?show=all', ...(ended == null ? [] : [`/instances/${ended}`])],
        ...['/templates', '/volumes', '/spend'],
        ...['/orders', '/orders/new', `/orders/${order.id}`, `/orders/${order.id}/edit`],
        ...['/watches', '/watches/new', `/watches/${watch.id}`],
        ...['/crawls', `/crawls/${crawl}`, `/crawls/${crawl}?outcome=partial`],
        ...['/settings', '/start'],
      ];
    }

    const found = (what: keyof Flaws) =>
      Object.entries(flaws).flatMap(([path, each]) => each[what].map((flaw) => `${path}: ${flaw}`));

    it('does not move while its responses arrive one after the other', () => {
      expect(Object.keys(flaws).length).toBeGreaterThan(17);
      expect(found('shifts')).toEqual([]);
    });

    it('never scrolls sideways, not even on a narrower screen, and keeps every control in sight', () => {
      expect(found('excess')).toEqual([]);
    });

    it.each(themes)('has no serious accessibility problem, %s', (theme) => {
      expect(found(theme)).toEqual([]);
    });
  });
}

/** Opens every collapsed section; menus stay closed, because they would cover the rest. */
async function openEverything(page: Page): Promise<void> {
  await page.locator('details:not(.menu, .picker, .picker *)').evaluateAll((found) => {
    for (const each of found) (each as HTMLDetailsElement).open = true;
  });
  await page.evaluate(twoFrames);
}

async function excessOf(page: Page, width: (typeof widths)[number]): Promise<string[]> {
  const found: string[] = [];
  for (const wide of [...others[width], width]) {
    await page.setViewportSize({ width: wide, height: 900 });
    await page.evaluate(twoFrames);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) found.push(`${excess} pixels at ${wide}`);
    found.push(...(await menusBeyond(page)).map((name) => `menu ${name} at ${wide}`));
    if (usual.includes(wide)) {
      found.push(...(await controlsBeyond(page)).map((name) => `${name} is out of sight at ${wide}`));
    }
  }
  return found;
}

/** Returns the controls that lie beyond the screen's edges; heads and explained figures of a table that scrolls may. */
async function controlsBeyond(page: Page): Promise<string[]> {
  return await page.locator('button, a.button, summary, input, select, textarea').evaluateAll((found) =>
    found.flatMap((each) => {
      const { left, right, width } = each.getBoundingClientRect();
      const isSeen =
        width > 0 &&
        each.checkVisibility({ visibilityProperty: true }) &&
        !each.closest('thead, td .explained');
      const edge = document.documentElement.clientWidth;
      const name = each.getAttribute('aria-label') ?? (each.textContent || each.getAttribute('name'));
      return isSeen && (left < -0.5 || right > edge + 0.5) ? [`${each.localName} ${name?.trim()}`] : [];
    }),
  );
}

/** Opens each menu and list of choices, and returns those that extend beyond the screen. */
async function menusBeyond(page: Page): Promise<string[]> {
  return await page.locator('details:is(.menu, .picker)').evaluateAll((found) =>
    found.flatMap((each) => {
      const menu = each as HTMLDetailsElement;
      menu.open = true;
      const { left, right } = menu.lastElementChild?.getBoundingClientRect() ?? { left: -1, right: -1 };
      const name = menu.querySelector('summary')?.textContent ?? '';
      menu.open = false;
      return left < 0 || right > document.documentElement.clientWidth ? [name] : [];
    }),
  );
}

/** Returns the serious and critical problems that axe finds. */
export async function barriers(page: Page, colorScheme: (typeof themes)[number]): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(twoFrames);
  // The page has no frames, so the simple call finds everything. Rows of a table are alike: a few are enough.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .exclude('tbody tr:nth-child(n+5)')
    .options({ resultTypes: ['violations'] });
  // Everything but colors is the same in the other theme.
  if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
