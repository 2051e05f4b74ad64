import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './play-server-case.ts';
import { targetOf } from './raw-socket.ts';

/** A running marketplace as a stage; its clock runs at `speed` seconds per second. */
export function openMarketStage(options: {
  baseUrl: string;
  apiKey: string;
  /** Speed of the market's clock: a simulator's `--speed`. */
  speed: number;
  /** Minimum seconds between two requests. */
  intervalSeconds: number;
  timeoutMs: number;
}): Stage {
  const { baseUrl, apiKey, speed, intervalSeconds, timeoutMs } = options;
  const target = targetOf(baseUrl);
  const startedMs = Date.now();
  let freeAtMs = 0;
  return {
    target,
    variables: new Map<string, unknown>([
      ['key', apiKey],
      ['host', target.hostHeader],
      ['x', 'x'],
      // Dollars: its clock continues during the requests.
      ['slack', 0.005],
    ]),
    marketSeconds: () => (startedMs + (Date.now() - startedMs) * speed) / 1_000,
    passTime: async (seconds) => {
      await sleep((seconds * 1_000) / speed);
    },
    awaitTurn: async () => {
      await sleep(Math.max(0, freeAtMs - Date.now()));
      freeAtMs = Date.now() + intervalSeconds * 1_000;
    },
    timeoutMs,
    isComplete: false,
    truth: null,
    remembered: new Map(),
  };
}
