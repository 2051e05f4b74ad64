import { findScope } from '../../books/newest-books.sql.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Verification } from '../../core/offer-fields.ts';
import { noFilter } from '../../core/offer-filter.ts';
import type { Sql } from '../../database/connection.ts';
import { readTrends } from '../../prices/trends/read-trends.ts';
import { createOutlierTests } from '../../prices/verdicts/segment-medians.ts';
import { readAtOnce } from '../../rentals/spend-moment.sql.ts';
import { Exact, sumUsd } from '../exact-sums.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { type ChargedHour, chargedHours } from './charged-hours.sql.ts';
import {
  addCloudCosts,
  type CloudCost,
  type CloudPriceOf,
  cloudUsdOf,
  readCloudPrices,
} from './cloud-costs.ts';
import { cheaperEquals, type EqualMachine } from './equal-machines.sql.ts';

/** A charged hour and the market's prices of that model in it, with the instance's disk; rates are per GPU. */
export interface ComparedHour {
  t: Date;
  seconds: number;
  paidUsd: string;
  paidUsdPerGpuHour: number | null;
  /** null: no complete book of the hour contains the model. */
  medianUsdPerGpuHour: number | null;
  minUsdPerGpuHour: number | null;
  /** Amount paid minus what the median, or the minimum, would have cost; negative: cheaper. */
  overMedianUsd: string | null;
  overMinUsd: string | null;
  /** A GPU's share of the cheapest list price of another seller, and what the hour would have cost there. */
  cloudUsdPerGpuHour: number | null;
  cloudUsd: string | null;
}

export interface ComparedInstance extends CloudCost {
  instanceId: number | null;
  source: string | null;
  label: string | null;
  gpuName: string | null;
  numGpus: number | null;
  type: PricingType | null;
  storageGb: number | null;
  hours: ComparedHour[];
  paidUsd: string;
  /** Sums over the hours with market prices; null: there are none. */
  comparedUsd: string | null;
  overMedianUsd: string | null;
  overMinUsd: string | null;
  /** Why nothing can be compared; null: it can. */
  unattributable: string | null;
  /** The first equivalent machine that was cheaper; null: none was offered. */
  cheaperEqual: CheaperEqual | null;
}

type CheaperEqual = Pick<EqualMachine, 'machineId' | 'usdPerHour' | 'since' | 'until'>;

/** Sums over several instances. */
export type ComparedSum = Pick<ComparedInstance, 'paidUsd' | 'comparedUsd' | 'overMedianUsd' | 'overMinUsd'>;

/** Adds up what instances cost; the comparison is null if none can be compared. */
export function sumComparisons(items: readonly ComparedSum[]): ComparedSum {
  const known = items.filter(({ comparedUsd }) => comparedUsd !== null);
  const sumOf = (name: 'comparedUsd' | 'overMedianUsd' | 'overMinUsd'): string | null =>
    known.length === 0 ? null : sumUsd(known.flatMap((item) => item[name] ?? []));
  return {
    paidUsd: sumUsd(items.map(({ paidUsd }) => paidUsd)),
    comparedUsd: sumOf('comparedUsd'),
    overMedianUsd: sumOf('overMedianUsd'),
    overMinUsd: sumOf('overMinUsd'),
  };
}

/**
 * Compares the GPU and disk charges of instances with offers of the same model and type in the same hours.
 * Source: docs/meaning.md#against-the-market.
 */
export async function compareWithMarket(sql: Sql, scope: SpendScope): Promise<ComparedInstance[]> {
  return await readAtOnce(sql, async (tx) => await compareHours(tx, scope));
}

async function compareHours(sql: Sql, scope: SpendScope): Promise<ComparedInstance[]> {
  const hours = await chargedHours(sql, scope);
  const scopeId = await findScope(sql, scope.marketId);
  const groups = Map.groupBy(hours, ({ source }) => source);
  const cloudPriceOf = await readCloudPrices(sql, hours);
  const markets = new Map<string, Promise<MarketHours>>();
  const outlierTests = createOutlierTests(sql);
  const compared: ComparedInstance[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { gpuName, numGpus, type, diskGb } = first;
    if (gpuName === null || numGpus === null || type === null || scopeId === null) {
      compared.push(describe(group, { market: null, cloudPriceOf }, whyNot(first, scopeId), null));
      continue;
    }
    const storageGb = diskGb ?? defaultProfile.storageGb;
    const key = JSON.stringify([type, gpuName, storageGb]);
    const market = markets.get(key) ?? readMarketHours(sql, { scopeId, type, gpuName, storageGb, hours });
    markets.set(key, market);
    const equal = await findEqual(sql, { marketId: scope.marketId, scopeId, outlierTests }, group);
    compared.push(describe(group, { market: await market, cloudPriceOf }, null, equal));
  }
  return compared;
}

function whyNot({ gpuName, numGpus, type }: ChargedHour, scopeId: number | null): string {
  if (scopeId === null) return 'the market has no books';
  const missing = [
    gpuName === null ? 'GPU model' : null,
    numGpus === null ? 'number of GPUs' : null,
    type === null ? 'pricing type' : null,
  ].filter((each) => each !== null);
  if (missing.length === 3) {
    return 'Offerbook never saw it in the account, so its GPU model, number of GPUs and pricing type are unknown';
  }
  return `the account's list did not state its ${missing.join(' and ')}`;
}

const nothingThen = 'no complete book of those hours has its GPU model';

type MarketHours = Map<number, { median: number | null; min: number | null }>;

async function readMarketHours(
  sql: Sql,
  options: {
    scopeId: number;
    type: PricingType;
    gpuName: string;
    storageGb: number;
    hours: readonly ChargedHour[];
  },
): Promise<MarketHours> {
  const { scopeId, type, gpuName, storageGb, hours } = options;
  const times = hours
    .filter((hour) => hour.gpuName === gpuName && hour.type === type)
    .map(({ t }) => t.getTime());
  const { series } = await readTrends(sql, {
    scopeId,
    types: [type],
    gpuNames: [gpuName],
    bucket: '1h',
    metric: 'usdPerGpuHour',
    filter: noFilter,
    profile: { ...defaultProfile, storageGb },
    from: new Date(times.reduce((a, b) => Math.min(a, b))),
    to: new Date(times.reduce((a, b) => Math.max(a, b)) + 3_600_000),
  });
  const points = series[0]?.points ?? [];
  return new Map(points.map(({ t, median, min }) => [t.getTime(), { median, min }]));
}

async function findEqual(
  sql: Sql,
  {
    marketId,
    scopeId,
    outlierTests,
  }: { marketId: number; scopeId: number; outlierTests: ReturnType<typeof createOutlierTests> },
  group: readonly ChargedHour[],
): Promise<CheaperEqual | null> {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) return null;
  const { machineId, gpuName, numGpus, type, diskGb } = first;
  if (machineId === null || gpuName === null || numGpus === null || type === null) return null;
  const seconds = group.reduce((sum, hour) => sum + hour.seconds, 0);
  const usdPerHour = new Exact(sumUsd(group.map(({ paidUsd }) => paidUsd))).div(seconds / 3600).toNumber();
  const offers = await cheaperEquals(sql, {
    marketId,
    scopeId,
    machineId,
    gpuName,
    numGpus,
    type,
    usdPerHour,
    diskGb: diskGb ?? defaultProfile.storageGb,
    from: first.t,
    to: new Date(last.t.getTime() + 3_600_000),
  });
  for (const { verification, listedUsdPerGpuHour, ...offer } of offers) {
    const isOutlier = await outlierTests({ marketId, scopeId, type }, offer.since);
    const priced = { gpuName, verification: verification as Verification | null, listedUsdPerGpuHour };
    if (isOutlier(priced) !== true) return offer;
  }
  return null;
}

function describe(
  group: readonly ChargedHour[],
  known: { market: MarketHours | null; cloudPriceOf: CloudPriceOf },
  unattributable: string | null,
  cheaperEqual: CheaperEqual | null,
): ComparedInstance {
  const [first] = group as [ChargedHour];
  const hours = group.map((hour) => compareHour(hour, known));
  const compared = hours.filter(({ overMedianUsd }) => overMedianUsd !== null);
  const sumOf = (amounts: string[]) => (compared.length === 0 ? null : sumUsd(amounts));
  return {
    instanceId: first.instanceId,
    source: first.source,
    label: first.label,
    gpuName: first.gpuName,
    numGpus: first.numGpus,
    type: first.type,
    storageGb: first.diskGb,
    hours,
    paidUsd: sumUsd(hours.map(({ paidUsd }) => paidUsd)),
    comparedUsd: sumOf(compared.map(({ paidUsd }) => paidUsd)),
    overMedianUsd: sumOf(compared.flatMap(({ overMedianUsd }) => overMedianUsd ?? [])),
    overMinUsd: sumOf(compared.flatMap(({ overMinUsd }) => overMinUsd ?? [])),
    ...addCloudCosts(hours),
    unattributable: unattributable ?? (compared.length === 0 ? nothingThen : null),
    cheaperEqual,
  };
}

function compareHour(
  hour: ChargedHour,
  { market, cloudPriceOf }: { market: MarketHours | null; cloudPriceOf: CloudPriceOf },
): ComparedHour {
  const { t, seconds, paidUsd, numGpus } = hour;
  const cloud = cloudPriceOf(hour);
  const point = market?.get(t.getTime()) ?? null;
  const gpuHours = numGpus === null ? null : new Exact(seconds).times(numGpus).div(3600);
  const over = (rate: number | null | undefined): string | null =>
    rate === null || rate === undefined || gpuHours === null
      ? null
      : new Exact(paidUsd).minus(gpuHours.times(rate)).toDecimalPlaces(12).toString();
  return {
    t,
    seconds,
    paidUsd,
    paidUsdPerGpuHour: gpuHours === null ? null : Number(new Exact(paidUsd).div(gpuHours).toPrecision(9)),
    medianUsdPerGpuHour: point?.median ?? null,
    minUsdPerGpuHour: point?.min ?? null,
    overMedianUsd: over(point?.median),
    overMinUsd: over(point?.min),
    cloudUsdPerGpuHour: cloud?.usdPerGpuHour ?? null,
    cloudUsd: cloudUsdOf(hour, cloud),
  };
}
