import { signal } from '@preact/signals';
import { isKept } from './kept-answers.ts';

/** A difference that does not matter, or that the way of an answer explains, in milliseconds. */
const toleratedMs = 120_000;

/** How far the server's clock is ahead of this computer's, in milliseconds. */
const aheadMs = signal(0);

/** Learns the server's time from an answer; one that the service worker had kept tells nothing. */
export function noteServerTime(response: Response): void {
  const at = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(at) || isKept(response)) return;
  const ms = at - Date.now();
  aheadMs.value = Math.abs(ms) < toleratedMs ? 0 : ms;
}

/** Returns the time now in milliseconds, by the server's clock where this computer's is wrong: answers are of its times. */
export const getNow = (): number => Date.now() + aheadMs.value;
