/** Why a request may be repeated: the response failed by chance, or the market throttled it. */
export type RetryReason = 'transient' | 'throttled';

/** How often to retry and how long to wait. Durations in milliseconds. */
export interface RetryPolicy {
  maxTransientRetries: number;
  maxThrottledRetries: number;
  transientBaseMs: number;
  throttledBaseMs: number;
  /** Maximum backoff, before jitter. */
  maxBackoffMs: number;
  /** Maximum wait that a `Retry-After` can set. */
  maxRetryAfterMs: number;
}

/**
 * The waits of 2 to 60 s add up to more than the minute over which searches are counted.
 * Source: docs/marketplace.md#8-limits.
 */
export const defaultRetryPolicy: RetryPolicy = {
  maxTransientRetries: 4,
  maxThrottledRetries: 6,
  transientBaseMs: 500,
  throttledBaseMs: 2_000,
  maxBackoffMs: 60_000,
  maxRetryAfterMs: 120_000,
};

const jitterShare = 0.25;

/**
 * Returns milliseconds to wait before the next attempt, or null if there is none. `failures` counts the failures of
 * this reason including this one. Without `Retry-After` the wait doubles from the base, ± 25 %; with it, it is that
 * time, at most `maxRetryAfterMs`, plus up to 1 s. A `Retry-After` of 0 counts as none, because it would allow a tight
 * loop.
 */
export function retryDelayMs(
  reason: RetryReason,
  failures: number,
  retryAfterMs: number | null,
  random: () => number,
  policy: RetryPolicy = defaultRetryPolicy,
): number | null {
  const allowed = reason === 'throttled' ? policy.maxThrottledRetries : policy.maxTransientRetries;
  if (failures > allowed) return null;
  if (retryAfterMs !== null && retryAfterMs > 0) {
    return Math.min(retryAfterMs, policy.maxRetryAfterMs) + random() * 1_000;
  }
  const base = reason === 'throttled' ? policy.throttledBaseMs : policy.transientBaseMs;
  const backoff = Math.min(base * 2 ** (failures - 1), policy.maxBackoffMs);
  return backoff * (1 - jitterShare + 2 * jitterShare * random());
}

/**
 * Returns milliseconds after `nowMs` (Unix) requested by a `Retry-After` header, in seconds or as an HTTP date; 0 for
 * the past, null if missing or invalid. Source: RFC 9110 10.2.3.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const ms = Number(text) * 1_000;
    return Number.isFinite(ms) ? ms : null;
  }
  // Date.parse accepts far more than HTTP dates ("-5", "1 apple"), so require the weekday.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
