import {
  defaultMetric,
  defaultRanking,
  type RankingMetric,
  type TrendMetric,
  type UsageProfile,
} from '../../core/metric.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { createMismatch } from '../../core/offer-match.ts';
import { percentileCont } from '../../core/percentile.ts';
import { metricValue } from '../../core/price.ts';
import type { Sql } from '../../database/connection.ts';
import type { PriceCache } from '../newest/newest-offers-cache.ts';
import type { MarketOffersRequest } from '../newest/newest-offers-request.ts';
import { readBlocklist } from '../rankings/blocklist.sql.ts';
import { isListed } from '../rankings/blocklist.ts';
import { byRank, type ValuedOffer } from '../rankings/rankings.ts';
import type { TrendPoint } from '../trends/trend-point.ts';
import { type BookRow, readBookRows } from './book-rows.sql.ts';

/** An offer that a figure includes, or why it does not. */
export interface ExplainedRow {
  listingId: number;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  /** null: the market did not state it. */
  verification: Verification | null;
  /** A share of 1; null: the market did not state it. */
  reliability: number | null;
  numGpus: number;
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
  dlperf: number | null;
  /** null: rejected. */
  value: number | null;
  /** `no …`: a value the market did not state; `filter …`: the unmet condition; `blocked`. null: it was taken. */
  rejected: string | null;
  /** Number of books that held it; 1 for a single book. */
  books: number;
  /** Its market; undefined if there is only one. */
  market?: string;
  /** When the host ends the offer; null: the market did not state it; undefined: it is not of the newest book. */
  endsAt?: string | null;
}

/** A figure recomputed from the rows taken; `observations`: rows with a value. */
export type Recomputed = Pick<
  TrendPoint,
  'observations' | 'offers' | 'gpus' | 'machines' | 'min' | 'p10' | 'p25' | 'median' | 'p75' | 'p90' | 'max'
> &
  Partial<PhysicalGpus>;

/** GPUs, each counted once; undefined: not part of the figure. */
type PhysicalGpus = Pick<TrendPoint, 'physicalGpus' | 'physicalGpusIsLowerBound'>;

export interface Explanation {
  taken: ExplainedRow[];
  rejected: ExplainedRow[];
  recomputed: Recomputed;
}

interface BookQuestion {
  bookId: number;
  /** null: all models. */
  gpuName: string | null;
  metric: TrendMetric;
  filter: OfferFilter;
  profile: UsageProfile;
}

/**
 * Explains a point of one book. A matching offer without a value is rejected for percentiles but counts as supply, as
 * in the point.
 */
export async function explainBook(sql: Sql, question: BookQuestion): Promise<Explanation> {
  const { bookId, gpuName, metric, filter, profile } = question;
  const mismatch = createMismatch(filter, profile.storageGb);
  const taken: ExplainedRow[] = [];
  const rejected: ExplainedRow[] = [];
  const supply: BookRow[] = [];
  for (const row of await readBookRows(sql, bookId, gpuName)) {
    const unmet = mismatch(row);
    if (unmet !== null) {
      rejected.push(explained(row, null, `filter ${unmet}`));
      continue;
    }
    supply.push(row);
    const figure = metricValue(row, metric, profile);
    if ('value' in figure) taken.push(explained(row, figure.value, null));
    else rejected.push(explained(row, null, figure.missing));
  }
  taken.sort((a, b) => (a.value ?? 0) - (b.value ?? 0) || a.listingId - b.listingId);
  return { taken, rejected, recomputed: { ...recompute(taken, supply), ...physicalGpusOf(supply) } };
}

/** The rows of a ranking, each with its market if there are several. */
export interface RankingExplanation extends Explanation {
  by: RankingMetric;
}

/** Explains a ranking of the markets' newest books; taken rows are in its order. `superseded`: request it again. */
export async function explainRanking(
  { sql, currentOffers }: { sql: Sql } & PriceCache,
  requests: readonly MarketOffersRequest[],
  asked: RankingMetric,
): Promise<RankingExplanation | 'superseded'> {
  const read = await Promise.all(
    requests.map(async (request) => ({
      request,
      blocklist: await readBlocklist(sql, request.marketId),
      currents: await Promise.all(
        request.books.map(async (book) => ({
          ...(await currentOffers(sql, book)),
          observedAt: book.observedAt,
        })),
      ),
    })),
  );
  const all = read.flatMap(({ currents }) => currents);
  if (all.some(({ superseded }) => superseded)) return 'superseded';
  const by = asked !== defaultRanking || all.some(({ hasDlperf }) => hasDlperf) ? asked : defaultMetric;
  const valued: (ValuedOffer & { market: string; endsAt: string | null })[] = [];
  const rejected: ExplainedRow[] = [];
  const named = (row: ExplainedRow, market: string): ExplainedRow =>
    requests.length > 1 ? { ...row, market } : row;
  for (const { request, blocklist, currents } of read) {
    const { gpuNames, filter, profile, market } = request;
    const mismatch = createMismatch(filter, profile.storageGb);
    for (const { offer, observedAt } of currents.flatMap(({ offers, ...of }) =>
      offers.map((offer) => ({ offer, observedAt: of.observedAt })),
    )) {
      if (gpuNames.length > 0 && !gpuNames.includes(offer.gpuName)) continue;
      const unmet = mismatch(offer);
      const figure = metricValue(offer, by, profile);
      const endsAt = endOf(offer, observedAt);
      const leave = (reason: string) =>
        rejected.push(named(explained({ ...offer, endsAt }, null, reason), market));
      if (unmet !== null) leave(`filter ${unmet}`);
      else if (isListed(blocklist.block, offer)) leave('blocked');
      else if ('missing' in figure) leave(figure.missing);
      else valued.push({ offer, value: figure.value, market, endsAt });
    }
  }
  const taken = valued
    .sort(byRank)
    .map(({ offer, value, market, endsAt }) => named(explained({ ...offer, endsAt }, value, null), market));
  return { by, taken, rejected, recomputed: recompute(taken, taken) };
}

/** Returns when the host ends an offer of a book; null: the market did not state it. */
export const endOf = (
  { maxDurationHours }: { maxDurationHours: number | null },
  observedAt: Date,
): string | null =>
  maxDurationHours === null
    ? null
    : new Date(observedAt.getTime() + maxDurationHours * 3_600_000).toISOString();

/** Returns the offer of a row with its value or the reason for having none. */
export const explained = (
  row: Omit<ExplainedRow, 'value' | 'rejected' | 'books' | 'market'>,
  value: number | null,
  rejected: string | null,
  books = 1,
): ExplainedRow => ({
  listingId: row.listingId,
  machineId: row.machineId,
  hostId: row.hostId,
  gpuName: row.gpuName,
  verification: row.verification,
  reliability: row.reliability,
  ...(row.endsAt === undefined ? {} : { endsAt: row.endsAt }),
  numGpus: row.numGpus,
  baseUsdPerHour: row.baseUsdPerHour,
  storageUsdPerGbMonth: row.storageUsdPerGbMonth,
  inetDownUsdPerGb: row.inetDownUsdPerGb,
  inetUpUsdPerGb: row.inetUpUsdPerGb,
  dlperf: row.dlperf,
  value,
  rejected,
  books,
});

function recompute(
  taken: readonly ExplainedRow[],
  supply: readonly { numGpus: number; machineId: number }[],
): Recomputed {
  const values = Float64Array.from(taken, ({ value }) => value ?? Number.NaN).sort();
  const at = (share: number): number | null => percentileCont(values, share);
  return {
    observations: values.length,
    offers: supply.length,
    gpus: supply.reduce((sum, { numGpus }) => sum + numGpus, 0),
    machines: new Set(supply.map(({ machineId }) => machineId)).size,
    min: values[0] ?? null,
    p10: at(0.1),
    p25: at(0.25),
    median: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    max: values.at(-1) ?? null,
  };
}

/** Counts the GPUs of offers by model and machine: the ids in any of its offers, or its largest offer without ids. */
export function physicalGpusOf(supply: readonly BookRow[]): PhysicalGpus {
  const machines = [...Map.groupBy(supply, ({ machineId, gpuName }) => `${machineId} ${gpuName}`).values()];
  const counts = machines.map((offers) => {
    const listed = offers.flatMap(({ gpuIds }) => (gpuIds === null ? [] : [gpuIds]));
    return listed.length > 0
      ? { gpus: new Set(listed.flat()).size, isAtLeast: false }
      : { gpus: offers.reduce((most, { numGpus }) => Math.max(most, numGpus), 0), isAtLeast: true };
  });
  return {
    physicalGpus: counts.reduce((sum, { gpus }) => sum + gpus, 0),
    physicalGpusIsLowerBound: counts.some(({ isAtLeast }) => isAtLeast),
  };
}
