import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { PricingType, Verification } from '../../core/offer.ts';
import type { CurrentOffers } from '../newest/current-offers.ts';
import type { CurrentOffer } from '../newest/offers.sql.ts';
import type { OutlierTest } from './segment-medians.ts';
import { type PoolSegment, type PoolWindow, percentileOf, type VerdictPools } from './verdict-pools.ts';

export interface VerdictWindow {
  days: number;
  /** Of the offer's price in the window's pool, 0 to 100, the cheapest the lowest; null: insufficient. */
  percentile: number | null;
  status: 'ok' | 'insufficient';
  /** Prices pooled: one a machine and UTC day. */
  samples: number;
  machines: number;
  hosts: number;
  /** Share of the window's days with a complete book. */
  coverage: number;
  /** What there is too little of, in words; empty: nothing. */
  missing: string[];
}

/** How unusual an offer's price is. Source: docs/meaning.md#verdicts. */
export interface Verdict {
  /** What it was compared with; `model`: all tiers, because the offer's own has too little history. */
  segment: {
    level: 'verification' | 'model';
    type: PricingType;
    gpuName: string;
    /** null: every tier at level `model`, else those whose tier is unknown. */
    verification: Verification | null;
  };
  /** null: there is no complete book before. */
  lowestInDays: number | null;
  windows: VerdictWindow[];
  /** Among the offers of the same segment in the same book: no word about history. */
  comparableNow: { percentile: number | null; offers: number };
}

/** Days that a verdict looks back. */
export const verdictDays = [7, 30, 90] as const;

const enough = { samples: 30, machines: 4, hosts: 3, coverage: 0.7 };

/** What verdicts at one complete book are made of. */
export interface VerdictSources {
  pools: VerdictPools;
  current: CurrentOffers;
  outlierTest: OutlierTest;
}

/** The verdict of an offer; null: its price is not known. */
export function judgeOffer(sources: VerdictSources, offer: CurrentOffer): Verdict | null {
  const price = offer.listedUsdPerGpuHour;
  if (price === null) return null;
  const { gpuName, type, verification } = offer;
  const segment = segmentOf(sources.pools, offer);
  const byModel = segment.verification === 'all';
  const usualOf = (tier: Verification | null) => sources.outlierTest.usual({ gpuName, verification: tier });
  const comparable = sources.current.prices.get(`${gpuName}|${segment.verification ?? ''}`);
  return {
    segment: {
      level: byModel ? 'model' : 'verification',
      type,
      gpuName,
      verification: byModel ? null : verification,
    },
    lowestInDays: sources.pools.lowestInDays(segment, price, usualOf),
    windows: judgeWindows(sources.pools, segment, price),
    comparableNow: {
      percentile: comparable === undefined ? null : percentileOf(comparable, price),
      offers: comparable?.length ?? 0,
    },
  };
}

/**
 * Makes what verdicts of a book's offers look up, segment by segment, so that no request has to: a large segment takes
 * tens of milliseconds, and others run in between.
 */
export async function prepareVerdicts(sources: VerdictSources): Promise<void> {
  const segments = new Map<string, CurrentOffer>();
  for (const offer of sources.current.offers) {
    if (offer.listedUsdPerGpuHour !== null)
      segments.set(`${offer.gpuName}|${offer.verification ?? ''}`, offer);
  }
  for (const offer of segments.values()) {
    judgeOffer(sources, offer);
    await letOthersRun();
  }
}

/** What an offer is compared with: its own tier; all of the model where no window of that has enough and one of all has. */
function segmentOf(
  pools: VerdictPools,
  { gpuName, verification }: { gpuName: string; verification: Verification | null },
): PoolSegment {
  const own = { gpuName, verification };
  const all = { gpuName, verification: 'all' as const };
  const isJudged = (segment: PoolSegment): boolean =>
    verdictDays.some((days) => missingOf(pools.window(segment, days)).length === 0);
  return !isJudged(own) && isJudged(all) ? all : own;
}

function judgeWindows(pools: VerdictPools, segment: PoolSegment, price: number): VerdictWindow[] {
  return verdictDays.map((days) => {
    const pool = pools.window(segment, days);
    const missing = missingOf(pool);
    return {
      days,
      percentile: missing.length === 0 ? percentileOf(pool.values, price) : null,
      status: missing.length === 0 ? 'ok' : 'insufficient',
      samples: pool.values.length,
      machines: pool.machines,
      hosts: pool.hosts,
      coverage: pool.coverage,
      missing,
    };
  });
}

/** The percentile of a price in the pool of what its verdict compares with, over some days; null: too little history. */
export function percentileInPool(
  pools: VerdictPools,
  offer: { gpuName: string; verification: Verification | null },
  usdPerGpuHour: number,
  days: number,
): number | null {
  const pool = pools.window(segmentOf(pools, offer), days);
  return missingOf(pool).length === 0 ? percentileOf(pool.values, usdPerGpuHour) : null;
}

/** What a pool has too little of for a percentile of it to mean anything; empty: nothing. */
function missingOf({ values, machines, hosts, coverage }: PoolWindow): string[] {
  const missing: string[] = [];
  if (values.length < enough.samples) missing.push(`${values.length} of ${enough.samples} values`);
  if (machines < enough.machines) missing.push(`${machines} of ${enough.machines} machines`);
  if (hosts < enough.hosts) missing.push(`${hosts} of ${enough.hosts} hosts`);
  if (coverage < enough.coverage) {
    const percent = (share: number) => Math.floor(share * 100);
    missing.push(
      `complete books on ${percent(coverage)} % of the days, ${percent(enough.coverage)} % needed`,
    );
  }
  return missing;
}
