import { setTimeout as delay } from 'node:timers/promises';

/**
 * Caches for a minute a query that becomes slower as data grows. Returns its last value, or null if the first one takes
 * longer than half a second. Throws what `read` throws. `refreshPatienceMs`: how long a caller waits for a later value,
 * by default as long as for the first.
 */
export function createSlowReading<T>(
  read: () => Promise<T>,
  options: {
    retentionMs?: number;
    patienceMs?: number;
    refreshPatienceMs?: number;
    elapsedMs?: () => number;
  } = {},
): () => Promise<T | null> {
  const { retentionMs = 60_000, patienceMs = 500, elapsedMs = () => performance.now() } = options;
  const { refreshPatienceMs = patienceMs } = options;
  let last: { value: T; at: number } | null = null;
  let current: Promise<T> | null = null;
  const readNow = async (): Promise<T> => {
    const at = elapsedMs();
    const value = await read();
    last = { value, at };
    return value;
  };
  return async () => {
    if (last !== null && elapsedMs() - last.at < retentionMs) return last.value;
    current ??= readNow().finally(() => {
      current = null;
    });
    // No caller waits for a failure that comes later.
    current.catch(() => {});
    return await Promise.race([
      current,
      delay(last === null ? patienceMs : refreshPatienceMs, undefined, { ref: false }).then(
        () => last?.value ?? null,
      ),
    ]);
  };
}
