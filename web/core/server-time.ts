import { signal } from '@preact/signals';
import { isKept } from './kept-answers.ts';

/** A difference that does not matter, or that the way of an answer explains, in milliseconds. */
const toleratedMs = 120_000;

/** How often the page's clock goes on, in milliseconds: ages are in whole minutes. */
const tickMs = 5_000;

/** The page's clock: how far the server's is ahead of this computer's, in milliseconds. A new one with each tick. */
const clock = signal({ aheadMs: 0 });

/** Lets the clock of the page go on, so that all ages shown change together. */
export function startClock(page: Pick<Window, 'setInterval'>): void {
  page.setInterval(() => {
    clock.value = { ...clock.value };
  }, tickMs);
}

/** Learns the server's time from an answer; one that the service worker had kept tells nothing. */
export function noteServerTime(response: Response): void {
  const at = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(at) || isKept(response)) return;
  const ms = at - Date.now();
  const aheadMs = Math.abs(ms) < toleratedMs ? 0 : ms;
  if (aheadMs !== clock.peek().aheadMs) clock.value = { aheadMs };
}

/**
 * Returns the time now in milliseconds, by the server's clock where this computer's is wrong: answers are of its times.
 * What shows it is drawn again as the clock of the page goes on.
 */
export const getNow = (): number => Date.now() + clock.value.aheadMs;
