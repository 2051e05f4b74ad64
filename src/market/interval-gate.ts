import type { Clock } from './clock.ts';

/**
 * Keeps at least `minIntervalSeconds[endpoint]` between the starts of two requests to one endpoint, in the
 * order of asking; 0 or none: no wait. One gate a key: the market counts by endpoint and identity.
 */
export function createIntervalGate(
  minIntervalSeconds: Readonly<Record<string, number>>,
  { now, sleep }: Clock,
): (endpoint: string, signal?: AbortSignal) => Promise<void> {
  const freeAt = new Map<string, number>();
  return async (endpoint, signal) => {
    const intervalMs = (minIntervalSeconds[endpoint] ?? 0) * 1_000;
    if (intervalMs <= 0) return;
    const at = now();
    const turnAt = Math.max(at, freeAt.get(endpoint) ?? at);
    freeAt.set(endpoint, turnAt + intervalMs);
    if (turnAt > at) await sleep(turnAt - at, signal);
  };
}
