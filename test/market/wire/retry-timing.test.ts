import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseRetryAfter,
  defaultRetryPolicy as policy,
  retryDelayMs,
} from '../../../src/market/wire/retry-timing.ts';

const reasons = fc.constantFrom('transient' as const, 'throttled' as const);
const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe('the wait before a retry', () => {
  it('is bounded and doubles around the base, whatever the jitter', () => {
    fc.assert(
      fc.property(reasons, fc.integer({ min: 1, max: 20 }), unit, (reason, failures, chance) => {
        const allowed = reason === 'transient' ? policy.maxTransientRetries : policy.maxThrottledRetries;
        const base = reason === 'transient' ? policy.transientBaseMs : policy.throttledBaseMs;
        const wait = retryDelayMs(reason, failures, null, () => chance);
        if (failures > allowed) return wait === null;
        const center = Math.min(base * 2 ** (failures - 1), policy.maxBackoffMs);
        return wait !== null && wait >= center * 0.75 && wait <= center * 1.25;
      }),
    );
  });

  it('is never shorter than Retry-After up to the cap, and at most a second longer', () => {
    fc.assert(
      fc.property(reasons, fc.double({ min: 1, max: 1e12, noNaN: true }), unit, (reason, after, chance) => {
        const asked = Math.min(after, policy.maxRetryAfterMs);
        const wait = retryDelayMs(reason, 1, after, () => chance);
        return wait !== null && wait >= asked && wait <= asked + 1_000;
      }),
    );
  });

  it('is a backoff, never a tight loop, for a Retry-After of 0', () => {
    expect(retryDelayMs('throttled', 1, 0, () => 0)).toBe(1_500);
  });
});

describe('Retry-After', () => {
  it.each([
    ['3', 3_000],
    [' 1.5 ', 1_500],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:20 GMT', 10_000],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['', null],
    ['1 apple', null],
    [`1${'0'.repeat(400)}`, null],
    [undefined, null],
  ])('of %j waits %j ms', (header, expected) => {
    expect(parseRetryAfter(header, 10_000)).toBe(expected);
  });

  it('is null or a finite wait for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = parseRetryAfter(text, 0);
        return ms === null || (Number.isFinite(ms) && ms >= 0);
      }),
    );
  });
});
