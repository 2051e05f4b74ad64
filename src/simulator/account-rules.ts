import type { AccountRules } from './account/account.ts';
import { createChance } from './model/chance.ts';
import type { SimulatorOptions } from './simulator-options.ts';
import { noThrottle, publicThrottle, type ThrottleRules } from './throttle.ts';

const bootSeconds = [60, 300] as const;
const failures = { exited: 0.02, unknown: 0.01, offline: 0.01 };

/** Returns how the account of a simulator behaves, with defaults filled in. */
export function accountRules(options: SimulatorOptions, seed: number): AccountRules {
  return {
    // A separate random source, so that an instance's fate does not depend on the machine with the same number.
    chance: createChance(seed + 7),
    bootSeconds: options.bootSeconds ?? bootSeconds,
    failures: { ...failures, ...options.failures },
    sshKeyRegistered: options.sshKeyRegistered ?? true,
    billing: options.billing ?? 'second',
    storageWhileOffline: options.storageWhileOffline ?? true,
    traffic: options.traffic ?? { downGbPerHour: 0, upGbPerHour: 0 },
    openingCreditUsd: options.openingCreditUsd ?? (options.pastRentals ? 0 : 100),
    autoTopUp: options.autoTopUp === undefined ? { belowUsd: 10, amountUsd: 25 } : options.autoTopUp,
    pastPayments: options.pastPayments ?? 0,
  };
}

/** Returns the rate limits of a simulator with these options. */
export function throttleRules({ throttle = 'off' }: SimulatorOptions): ThrottleRules {
  return throttle === 'off'
    ? noThrottle
    : throttle === 'public'
      ? publicThrottle
      : { ...noThrottle, ...throttle };
}
