import type { Page, Route } from 'playwright-core';

/** Shifts below this share of the screen come from rounding to pixels. */
const least = 0.0005;

/** Makes each document of a page record its layout shifts from the beginning. */
export async function startWatchingShifts(page: Page): Promise<void> {
  await page.addInitScript((least) => {
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const found: string[] = [];
    Object.assign(window, { foundShifts: found });
    const placeOf = ({ x, y, width, height }: DOMRectReadOnly) =>
      [x, y, width, height].map(Math.round).join(' ');
    const nameOf = (node: Node | null) =>
      node instanceof Element
        ? node.outerHTML.slice(0, 80)
        : (node?.parentElement?.outerHTML ?? '').slice(0, 80);
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput || value < least) continue;
        const moved = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${nameOf(node)} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`,
        );
        found.push(`${value.toFixed(4)}: ${moved.join('; ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  }, least);
}

/** Returns the shifts of the current document so far, each with what moved, from where and to where. */
export async function watchedShifts(page: Page): Promise<string[]> {
  await page.evaluate(twoFrames);
  return await page.evaluate(() => (window as unknown as { foundShifts: string[] }).foundShifts);
}

/** In the page: resolves after the current content is painted. */
export const twoFrames = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/**
 * Makes each response of the API visible on its own: it arrives once the page without it has been painted.
 * `passed` waits until all requests are answered.
 */
export async function answerOneByOne(page: Page): Promise<{ passed: () => Promise<void> }> {
  let last: Promise<void> = Promise.resolve();
  const answer = async (route: Route, before: Promise<void>): Promise<void> => {
    await before;
    // A page that was closed meanwhile accepts no response.
    try {
      const response = await route.fetch();
      await page.evaluate(twoFrames);
      await route.fulfill({ response });
    } catch {
      await route.abort().catch(() => {});
    }
  };
  await page.route(
    (url) => url.pathname.startsWith('/api/') && url.pathname !== '/api/events',
    (route) => {
      last = answer(route, last);
    },
  );
  return {
    async passed() {
      for (let known: Promise<void> | null = null; known !== last; ) {
        known = last;
        await known;
        await page.evaluate(twoFrames);
      }
    },
  };
}
