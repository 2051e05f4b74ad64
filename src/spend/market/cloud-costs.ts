import type { Sql } from '../../database/connection.ts';
import { readCheapestSteps } from '../../prices/catalogs/cheapest-cloud.ts';
import type { ListPrice } from '../../prices/catalogs/cheapest-prices.sql.ts';
import { Exact, sumUsd } from '../exact-sums.ts';
import type { ChargedHour } from './charged-hours.sql.ts';

/** Returns the cheapest list price in force when an hour began; null: none is known, or the model is not. */
export type CloudPriceOf = (hour: ChargedHour) => ListPrice | null;

const hourMs = 3_600_000;

/** Reads the list prices to compare the hours with. Source: docs/meaning.md#against-the-market. */
export async function readCloudPrices(sql: Sql, hours: readonly ChargedHour[]): Promise<CloudPriceOf> {
  const keyOf = ({ type, gpuName }: ChargedHour) => JSON.stringify([type, gpuName]);
  const steps = new Map<string, Awaited<ReturnType<typeof readCheapestSteps>>>();
  for (const [key, group] of Map.groupBy(hours, keyOf)) {
    const [{ type, gpuName }] = group as [ChargedHour];
    if (type === null || gpuName === null) continue;
    const times = group.map(({ t }) => t.getTime());
    const from = new Date(times.reduce((a, b) => Math.min(a, b)));
    const to = new Date(times.reduce((a, b) => Math.max(a, b)) + hourMs);
    steps.set(key, await readCheapestSteps(sql, { type, gpuName, from, to }));
  }
  return (hour) => steps.get(keyOf(hour))?.findLast(({ t }) => t <= hour.t)?.price ?? null;
}

/** Returns what the GPUs of an hour would have cost at a list price, exact; null: price or GPU count is unknown. */
export function cloudUsdOf({ seconds, numGpus }: ChargedHour, price: ListPrice | null): string | null {
  if (price === null || numGpus === null) return null;
  const usd = new Exact(seconds).times(numGpus).div(3600).times(price.usdPerHour).div(price.numGpus);
  return usd.toDecimalPlaces(12).toString();
}

/** Total cost of charged hours at the cheapest cloud. */
export interface CloudCost {
  /** What the comparable hours would have cost there; null: none is comparable. */
  cloudUsd: string | null;
  /** Amount paid for these hours; null if none is comparable. */
  cloudComparedUsd: string | null;
}

/** Adds up the comparable parts. */
export function addCloudCosts(parts: readonly { paidUsd: string; cloudUsd: string | null }[]): CloudCost {
  const known = parts.flatMap(({ paidUsd, cloudUsd }) => (cloudUsd === null ? [] : [{ paidUsd, cloudUsd }]));
  if (known.length === 0) return { cloudUsd: null, cloudComparedUsd: null };
  return {
    cloudUsd: sumUsd(known.map(({ cloudUsd }) => cloudUsd)),
    cloudComparedUsd: sumUsd(known.map(({ paidUsd }) => paidUsd)),
  };
}

/** Total of a range's instances, and what cannot be compared. */
export interface CloudSum extends CloudCost {
  notComparedUsd: string;
  /** Instances without any comparable hour. */
  notComparedInstances: number;
}

/** Adds up the costs of instances. */
export function sumCloudCosts(items: readonly (CloudCost & { paidUsd: string })[]): CloudSum {
  const known = items.filter(({ cloudUsd }) => cloudUsd !== null);
  const compared = sumUsd(known.flatMap(({ cloudComparedUsd }) => cloudComparedUsd ?? []));
  const paid = sumUsd(items.map(({ paidUsd }) => paidUsd));
  return {
    cloudUsd: known.length === 0 ? null : sumUsd(known.flatMap(({ cloudUsd }) => cloudUsd ?? [])),
    cloudComparedUsd: known.length === 0 ? null : compared,
    notComparedUsd: new Exact(paid).minus(compared).toString(),
    notComparedInstances: items.length - known.length,
  };
}
