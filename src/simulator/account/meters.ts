import type { InstanceState, LifePhase, VolumeState } from './account-state.ts';
import { amountOver, type ExactUsd, type Rate, rateOf } from './exact-usd.ts';

/** What is billed, and how. */
export interface BillingRules {
  /** `second`: each second; `hour`: each started hour of a period in full. */
  billing: 'second' | 'hour';
  /** Whether a disk costs while its host is disconnected. */
  storageWhileOffline: boolean;
  /** Traffic of every running instance, GB per hour. */
  traffic: { downGbPerHour: number; upGbPerHour: number };
}

export type ItemType = 'gpu' | 'disk' | 'bwd' | 'bwu';

/** Seconds of one item at one rate, as periods without a gap between them. */
export interface Meter {
  item: ItemType;
  rate: Rate;
  /** The rate for people, `$0.389/hour`. */
  rateText: string;
  stretches: readonly Stretch[];
}

/** Unix seconds, the end exclusive; Infinity: ongoing. */
interface Stretch {
  startS: number;
  endS: number;
}

/**
 * Returns the meters of an instance: GPUs and traffic while it runs, disk as long as it exists.
 * Source: docs/marketplace.md#1-what-it-offers.
 */
export function instanceMeters(instance: InstanceState, rules: BillingRules): Meter[] {
  const { offer, diskGb } = instance;
  const { traffic } = rules;
  const computes = (phase: LifePhase) => phase === 'running';
  const stores = (phase: LifePhase) =>
    phase !== 'destroyed' && (phase !== 'offline' || rules.storageWhileOffline);
  const moved = (item: ItemType, usdPerGb: unknown, gbPerHour: number): Meter[] =>
    gbPerHour === 0
      ? []
      : [
          meter(
            item,
            [decimal(usdPerGb), gbPerHour],
            1,
            `${gbPerHour} GB/hour`,
            stretchesOf(instance, computes),
          ),
        ];
  const rates = [...new Set(instance.steps.map(({ usdPerHour }) => usdPerHour))];
  return [
    ...rates.map((usdPerHour) =>
      meter(
        'gpu',
        [usdPerHour],
        1,
        `$${roundedRate(usdPerHour)}/hour`,
        stretchesOf(instance, (phase, usd) => usd === usdPerHour && computes(phase)),
      ),
    ),
    meter(
      'disk',
      [decimal(offer.storage_cost), diskGb],
      720,
      `$${roundedRate(decimal(offer.storage_cost))}/GB/month for ${diskGb} GB`,
      stretchesOf(instance, stores),
    ),
    ...moved('bwd', offer.inet_down_cost, traffic.downGbPerHour),
    ...moved('bwu', offer.inet_up_cost, traffic.upGbPerHour),
  ].filter(({ stretches }) => stretches.length > 0);
}

/** Returns the meter of a volume: its size as long as it exists. */
export function volumeMeters(volume: VolumeState): Meter[] {
  const { usdPerGbHour, sizeGb, createdS, deletedS } = volume;
  const stretches = [{ startS: createdS, endS: deletedS ?? Number.POSITIVE_INFINITY }];
  return [
    meter(
      'disk',
      [usdPerGbHour, sizeGb],
      1,
      `$${roundedRate(String(usdPerGbHour))}/GB/hour for ${sizeGb} GB`,
      stretches,
    ),
  ];
}

/** Returns the total of a meter by a moment. */
export function meteredUsd(meter: Meter, rules: BillingRules, atS: number): ExactUsd {
  return amountOver(meter.rate, meteredSeconds(meter, rules, atS));
}

/** Returns the billed seconds by a moment, in whole hours if hours are billed. */
export function meteredSeconds({ stretches }: Meter, { billing }: BillingRules, atS: number): number {
  return stretches.reduce((sum, { startS, endS }) => {
    const seconds = Math.max(0, Math.min(endS, atS) - startS);
    return sum + (billing === 'hour' ? Math.ceil(seconds / 3600) * 3600 : seconds);
  }, 0);
}

function meter(
  item: ItemType,
  factors: readonly (number | string)[],
  hours: Rate['hours'],
  rateText: string,
  stretches: readonly Stretch[],
): Meter {
  return { item, rate: rateOf(factors, hours), rateText, stretches };
}

/** Returns the periods of an instance's life that pass a test; adjacent steps become one. */
function stretchesOf(
  { steps }: InstanceState,
  passes: (phase: LifePhase, usdPerHour: string) => boolean,
): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, { fromS, phase, usdPerHour }] of steps.entries()) {
    const endS = steps[index + 1]?.fromS ?? Number.POSITIVE_INFINITY;
    if (endS === fromS || !passes(phase, usdPerHour)) continue;
    const last = stretches.at(-1);
    if (last !== undefined && last.endS === fromS) last.endS = endS;
    else stretches.push({ startS: fromS, endS });
  }
  return stretches;
}

/** Returns a rate with at most six significant digits, as bills have it for people. */
const roundedRate = (usd: string): string => String(Number(Number(usd).toPrecision(6)));

/** Returns a price of an offer as a decimal; an unlisted one costs nothing. */
const decimal = (value: unknown): string => String(typeof value === 'number' ? value : 0);
