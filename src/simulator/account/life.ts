import { type Chance, logBetween, purposeOf } from '../model/chance.ts';
import { epochAt } from '../model/epochs.ts';
import type { InstanceState, LifePhase, LifeStep } from './account-state.ts';

const failurePhases = ['exited', 'unknown', 'offline'] as const;
export type FailurePhase = (typeof failurePhases)[number];

/** Probabilities and times of instance lives. */
export interface LifeRules {
  chance: Chance;
  /** Virtual seconds from the rent to running. */
  bootSeconds: readonly [shortest: number, longest: number];
  /** The share of instances that ever ends like this. */
  failures: Readonly<Record<FailurePhase, number>>;
}

const p = {
  boot: purposeOf('boot time'),
  failure: purposeOf('failure'),
  failsInBoot: purposeOf('fails in boot'),
  failsAfter: purposeOf('fails after'),
  floor: purposeOf('bid floor'),
  floorPhase: purposeOf('bid floor phase'),
};

const maxPullWaitS = 15;
const floorLastsS = 1800;
const minuteS = 60;

/** Advances an instance to a moment by recording everything that has happened until then. Idempotent. */
export function liveOn(instance: InstanceState, rules: LifeRules, atS: number): void {
  for (;;) {
    const step = nextStep(instance, rules, atS);
    if (step === null || step.fromS > atS) return;
    instance.steps.push(step);
  }
}

/** Returns the phase of an instance at a moment; null: not created yet. */
export function stepAt(instance: InstanceState, atS: number): LifeStep | null {
  return instance.steps.findLast(({ fromS }) => fromS <= atS) ?? null;
}

/** Returns the newest step. */
export function lastStep({ steps }: InstanceState): LifeStep {
  const step = steps.at(-1);
  if (step === undefined) throw new Error('an instance has at least one step');
  return step;
}

/** Returns when the current phase began; a new bid does not begin a phase. */
function phaseStartS({ steps }: InstanceState, phase: LifePhase): number {
  const other = steps.findLastIndex((step) => step.phase !== phase);
  return steps[other + 1]?.fromS ?? 0;
}

export const createdAtS = ({ steps }: InstanceState): number => steps[0]?.fromS ?? 0;

/** Returns when it was destroyed, unix seconds; null: it exists. */
export function destroyedAtS({ steps }: InstanceState): number | null {
  return steps.find(({ phase }) => phase === 'destroyed')?.fromS ?? null;
}

/** Whether it never runs again, whatever its owner does. Source: docs/marketplace.md#3-states. */
export const hasFailed = (phase: LifePhase): phase is FailurePhase =>
  (failurePhases as readonly string[]).includes(phase);

/** Returns the next automatic step up to `untilS`; null: none. */
function nextStep(instance: InstanceState, rules: LifeRules, untilS: number): LifeStep | null {
  const { phase, usdPerHour } = lastStep(instance);
  const fromS = phaseStartS(instance, phase);
  const to = (next: LifePhase, atS: number): LifeStep => ({
    phase: next,
    // A later change of the bid must not be overtaken by an earlier step.
    fromS: Math.max(atS, lastStep(instance).fromS),
    usdPerHour,
  });
  const bootS = bootTime(instance, rules);
  const pullWaitS = Math.min(maxPullWaitS, Math.floor(bootS / 4));
  if (phase === 'created') return to('loading', fromS + pullWaitS);
  // It fails at most once.
  const failure = instance.steps.some((step) => hasFailed(step.phase))
    ? null
    : failureOf(instance, rules, bootS);
  if (phase === 'loading') {
    const runsAtS = fromS + bootS - pullWaitS;
    return failure !== null && failure.atS < runsAtS
      ? to(failure.phase, failure.atS)
      : to('running', runsAtS);
  }
  if (phase === 'running') {
    const outbidS = nextFloorS(instance, rules, fromS, untilS, (floorUsd, bidUsd) => floorUsd > bidUsd);
    const failsAtS = failure === null ? null : Math.max(fromS, failure.atS);
    if (failure !== null && failsAtS !== null && (outbidS === null || failsAtS <= outbidS)) {
      return to(failure.phase, failsAtS);
    }
    return outbidS === null ? null : to('outbid', outbidS);
  }
  if (phase === 'outbid') {
    const wonS = nextFloorS(
      instance,
      rules,
      lastStep(instance).fromS,
      untilS,
      (floorUsd, bidUsd) => floorUsd <= bidUsd,
    );
    return wonS === null ? null : to('running', wonS);
  }
  return null;
}

function bootTime(instance: InstanceState, { chance, bootSeconds }: LifeRules): number {
  const [shortest, longest] = bootSeconds;
  return Math.round(shortest + (longest - shortest) * chance(p.boot, instance.id));
}

/** Returns how and when an instance fails, half of them before they ever run; null: never. */
function failureOf(
  instance: InstanceState,
  { chance, failures }: LifeRules,
  bootS: number,
): { phase: FailurePhase; atS: number } | null {
  let left = chance(p.failure, instance.id);
  const phase = failurePhases.find((candidate) => {
    left -= failures[candidate];
    return left < 0;
  });
  if (phase === undefined) return null;
  const inBoot = chance(p.failsInBoot, instance.id) < 0.5;
  const after = chance(p.failsAfter, instance.id);
  const afterS = inBoot
    ? bootS * (0.5 + 0.5 * after) - 1
    : bootS + logBetween(10 * minuteS, 3 * 86_400, after);
  return { phase, atS: createdAtS(instance) + Math.round(afterS) };
}

/**
 * Returns the first moment from `fromS` at which the market's floor has this relation to the bid; null: not by
 * `untilS`.
 */
function nextFloorS(
  instance: InstanceState,
  { chance }: LifeRules,
  fromS: number,
  untilS: number,
  stands: (floorUsd: number, bidUsd: number) => boolean,
): number | null {
  if (!instance.isBid) return null;
  const bidUsd = Number(lastStep(instance).usdPerHour);
  const phase = chance(p.floorPhase, instance.id);
  const minBidUsd = Number(instance.offer.min_bid ?? 0);
  for (let atS = Math.max(fromS, lastStep(instance).fromS); atS <= untilS; ) {
    const epoch = epochAt(atS, floorLastsS, phase);
    // The floor reaches at most 1.6 times the minimum bid: a higher bid is never lost.
    const floorUsd = minBidUsd * (0.7 + 0.9 * chance(p.floor, instance.id, epoch.index) ** 2);
    // The accepted bid holds for the epoch of the rent.
    const rentEpoch = epochAt(createdAtS(instance), floorLastsS, phase).index === epoch.index;
    if (stands(rentEpoch ? Math.min(floorUsd, bidUsd) : floorUsd, bidUsd)) return atS;
    atS = Math.max(atS + 1, Math.ceil(epoch.endS));
  }
  return null;
}
