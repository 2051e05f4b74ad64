import { findScope } from '../../books/newest-books.sql.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { Sql } from '../../database/connection.ts';
import { isOutlierAt } from '../../prices/verdicts/segment-medians.ts';
import { readAtOnce } from '../../rentals/spend-moment.sql.ts';
import { Exact, sumUsd } from '../exact-sums.ts';
import type { SpendScope } from '../spend-grouping.ts';
import {
  type ChargedHour,
  chargedHours,
  consumptionBesideHours,
  type OtherConsumption,
} from './charged-hours.sql.ts';
import {
  addCloudCosts,
  type CloudCost,
  type CloudPriceOf,
  cloudUsdOf,
  readCloudPrices,
} from './cloud-costs.ts';
import { cheaperEquals, type EqualMachine } from './equal-machines.sql.ts';
import { type HourPrices, readMarketHours } from './market-hours.ts';
import { orderBySaving, type Saved, savedAtEqual } from './saved-at-equal.ts';
import { whyNoHour, whyNot } from './why-not-compared.ts';

/** A charged hour and the market's prices of that model in it, with the instance's disk; rates are per GPU. */
export interface ComparedHour {
  t: Date;
  seconds: number;
  paidUsd: string;
  paidUsdPerGpuHour: number | null;
  /** null: no complete book of the hour contains the model. */
  medianUsdPerGpuHour: number | null;
  minUsdPerGpuHour: number | null;
  /** The lowest price that is no outlier; the minimum if all are. */
  lowestUsdPerGpuHour: number | null;
  /** Amount paid minus what the median, the minimum or the lowest price would have cost; negative: cheaper. */
  overMedianUsd: string | null;
  overMinUsd: string | null;
  overLowestUsd: string | null;
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
  overLowestUsd: string | null;
  /** Why nothing can be compared; null: it can. */
  unattributable: string | null;
  /** The first equivalent machine that would have saved money; null: none is known. */
  cheaperEqual: CheaperEqual | null;
}

type CheaperEqual = Pick<EqualMachine, 'machineId' | 'listingId' | 'usdPerHour' | 'since' | 'until'> & Saved;

type Compared = Pick<ComparedInstance, 'paidUsd' | ComparedAmount>;
type ComparedAmount = 'comparedUsd' | 'overMedianUsd' | 'overMinUsd' | 'overLowestUsd';

/** Sums over several instances. */
export interface ComparedSum extends Compared {
  /** How much less they would have cost on equal machines that were cheaper; null: none can be compared. */
  savedUsd: string | null;
}

/** Adds up what instances cost; the comparison is null if none can be compared. */
export function sumComparisons(
  items: readonly (Compared & { cheaperEqual: Pick<Saved, 'savedUsd'> | null })[],
): ComparedSum {
  const known = items.filter(({ comparedUsd }) => comparedUsd !== null);
  const sumOf = (name: ComparedAmount): string | null =>
    known.length === 0 ? null : sumUsd(known.flatMap((item) => item[name] ?? []));
  return {
    paidUsd: sumUsd(items.map(({ paidUsd }) => paidUsd)),
    comparedUsd: sumOf('comparedUsd'),
    overMedianUsd: sumOf('overMedianUsd'),
    overMinUsd: sumOf('overMinUsd'),
    overLowestUsd: sumOf('overLowestUsd'),
    savedUsd:
      known.length === 0 ? null : sumUsd(known.flatMap(({ cheaperEqual }) => cheaperEqual?.savedUsd ?? [])),
  };
}

/**
 * Compares the GPU and disk charges of instances with offers of the same model and type in the same hours.
 * Source: docs/meaning.md#against-the-market.
 */
export async function compareWithMarket(sql: Sql, scope: SpendScope): Promise<ComparedInstance[]> {
  return await readAtOnce(sql, async (tx) => (await compareHours(tx, scope)).items);
}

/** Returns the same beside the consumption that is in no hour of it, of one moment. */
export async function compareAllWithMarket(
  sql: Sql,
  scope: SpendScope,
): Promise<{ items: ComparedInstance[]; others: OtherConsumption[] }> {
  return await readAtOnce(sql, async (tx) => {
    const { items, diskAlone } = await compareHours(tx, scope);
    return { items, others: [...diskAlone, ...(await consumptionBesideHours(tx, scope))] };
  });
}

async function compareHours(
  sql: Sql,
  scope: SpendScope,
): Promise<{ items: ComparedInstance[]; diskAlone: OtherConsumption[] }> {
  const { hours, diskAlone } = await chargedHours(sql, scope);
  const scopeId = await findScope(sql, scope.marketId);
  const groups = Map.groupBy(hours, ({ source }) => source);
  const cloudPriceOf = await readCloudPrices(sql, hours);
  const keyOf = ({ type, gpuName, diskGb }: ChargedHour) =>
    JSON.stringify([type, gpuName, diskGb ?? defaultProfile.storageGb]);
  const alike = Map.groupBy(hours, keyOf);
  const markets = new Map<string, MarketHours>();
  const compared: ComparedInstance[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { gpuName, type, diskGb } = first;
    const reason = whyNot(first, scopeId);
    if (reason !== null || gpuName === null || type === null || scopeId === null) {
      compared.push(describe(group, { market: null, cloudPriceOf }, reason, null));
      continue;
    }
    const storageGb = diskGb ?? defaultProfile.storageGb;
    const key = keyOf(first);
    const times = (alike.get(key) ?? []).map(({ t }) => t.getTime());
    const series = { marketId: scope.marketId, scopeId, type, gpuName, storageGb, times };
    const market = markets.get(key) ?? (await readMarketHours(sql, series));
    markets.set(key, market);
    const equal = await findEqual(sql, { marketId: scope.marketId, scopeId }, group);
    const isPriced = group.some(({ t }) => (market.get(t.getTime())?.median ?? null) !== null);
    const starts = group.map(({ t }) => t);
    const without = isPriced ? null : await whyNoHour(sql, scopeId, type, starts);
    compared.push(describe(group, { market, cloudPriceOf }, without, equal));
  }
  return { items: compared, diskAlone };
}

type MarketHours = ReadonlyMap<number, HourPrices>;

async function findEqual(
  sql: Sql,
  { marketId, scopeId }: { marketId: number; scopeId: number },
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
  for (const { verification, listedUsdPerGpuHour, ...offer } of orderBySaving(group, offers)) {
    const saved = savedAtEqual(group, offer);
    if (Number(saved.savedUsd) <= 0) continue;
    const priced = { gpuName, verification: verification as Verification | null, listedUsdPerGpuHour };
    if ((await isOutlierAt(sql, { marketId, scopeId, type }, offer.since, priced)) !== true)
      return { ...offer, ...saved };
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
    overLowestUsd: sumOf(compared.flatMap(({ overLowestUsd }) => overLowestUsd ?? [])),
    ...addCloudCosts(hours),
    unattributable,
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
    lowestUsdPerGpuHour: point?.lowest ?? null,
    overMedianUsd: over(point?.median),
    overMinUsd: over(point?.min),
    overLowestUsd: over(point?.lowest),
    cloudUsdPerGpuHour: cloud?.usdPerGpuHour ?? null,
    cloudUsd: cloudUsdOf(hour, cloud),
  };
}
