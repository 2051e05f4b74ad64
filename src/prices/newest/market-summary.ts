import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { NewestBook } from '../../books/newest-books.sql.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { Sql } from '../../database/connection.ts';
import type { SharedPriceCache } from '../prices-deps.ts';
import { gradePercentile, type PriceGrade } from '../verdicts/price-grade.ts';
import type { VerdictPools } from '../verdicts/verdict-pools.ts';
import { percentileInPool } from '../verdicts/verdicts.ts';
import { offerPrices } from './offer-prices.ts';
import { type OfferSupply, supplyOf } from './offer-supply.ts';
import type { CurrentOffer } from './offers.sql.ts';
import { readPhysicalGpus } from './physical-gpus.sql.ts';

/** Days that the verdicts of a summary look back. */
export const summaryDays = 30;

/** The offers of a model and tier; null: the market did not state it. */
export interface TierSummary extends OfferSupply {
  verification: Verification | null;
  /** $/GPU/hour at 8 GB, ascending. */
  prices: Float64Array;
}

export interface ModelSummary {
  /** null: every model that is not among those with the most offers. */
  gpuName: string | null;
  tiers: TierSummary[];
  /** Prices over all tiers, ascending. */
  prices: Float64Array;
  /** The lowest price that is not an outlier; null: there is none. */
  lowest: number | null;
  /** Each GPU once; null: unknown, because the points of the book are no longer stored. */
  physicalGpus: number | null;
  /** Offers with a price by grade over the last 30 days. */
  grades: Record<PriceGrade | 'insufficient', number>;
}

/** The newest complete book of a pricing type. */
export interface BookSummary {
  book: NewestBook;
  models: ModelSummary[];
}

type Dependencies = SharedPriceCache & { sql: Sql };

interface Series {
  marketId: number;
  scopeId: number;
}

/**
 * Returns summaries of a market's newest complete books by model and tier. Of all its models, only the `maxModels` with
 * the most offers over all pricing types have one of their own. `superseded`: a newer book has landed meanwhile.
 */
export async function summarizeMarket(
  deps: Dependencies,
  series: Series,
  { books, maxModels }: { books: readonly NewestBook[]; maxModels: number },
): Promise<BookSummary[] | 'superseded'> {
  const complete = books.filter(({ verdict }) => verdict === 'complete');
  const currents = await Promise.all(complete.map((book) => deps.currentOffers(deps.sql, book)));
  if (currents.some(({ superseded }) => superseded)) return 'superseded';
  const named = mostListed(
    currents.map(({ offers }) => offers),
    maxModels,
  );
  const summaries: BookSummary[] = [];
  for (const [place, book] of complete.entries()) {
    const offers = currents[place]?.offers ?? [];
    summaries.push({ book, models: await summarizeBook(deps, series, { book, offers, named }) });
  }
  return summaries;
}

function mostListed(books: readonly (readonly CurrentOffer[])[], maxModels: number): Set<string> {
  const counts = new Map<string, number>();
  for (const { gpuName } of books.flat()) counts.set(gpuName, (counts.get(gpuName) ?? 0) + 1);
  const ordered = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1));
  return new Set(ordered.slice(0, maxModels).map(([gpuName]) => gpuName));
}

async function summarizeBook(
  { sql, outlierTests, poolsAt }: Dependencies,
  { marketId, scopeId }: Series,
  { book, offers, named }: { book: NewestBook; offers: readonly CurrentOffer[]; named: ReadonlySet<string> },
): Promise<ModelSummary[]> {
  const series = { marketId, scopeId, type: book.type };
  const [isOutlier, pools, physicalGpus] = await Promise.all([
    outlierTests(series, book.observedAt),
    poolsAt(sql, series, book),
    readPhysicalGpus(sql, scopeId, book),
  ]);
  const groups = Map.groupBy(offers, ({ gpuName }) => (named.has(gpuName) ? gpuName : null));
  const models: ModelSummary[] = [];
  for (const [gpuName, own] of groups) {
    const { lowest } = offerPrices(own, isOutlier);
    models.push({
      gpuName,
      tiers: summarizeTiers(own),
      prices: ascendingPrices(own),
      lowest,
      physicalGpus: sumKnown(new Set(own.map((offer) => offer.gpuName)), physicalGpus),
      grades: countGrades(pools, own),
    });
    // Judging a model with thousands of offers takes milliseconds.
    await letOthersRun();
  }
  return models;
}

const summarizeTiers = (offers: readonly CurrentOffer[]): TierSummary[] =>
  [...Map.groupBy(offers, ({ verification }) => verification)].map(([verification, own]) => ({
    verification,
    ...supplyOf(own),
    prices: ascendingPrices(own),
  }));

const ascendingPrices = (offers: readonly CurrentOffer[]): Float64Array =>
  Float64Array.from(
    offers.map(({ listedUsdPerGpuHour }) => listedUsdPerGpuHour).filter((price) => price !== null),
  ).sort();

function sumKnown(gpuNames: ReadonlySet<string>, of: ReadonlyMap<string, number>): number | null {
  const known = [...gpuNames].map((name) => of.get(name));
  return known.includes(undefined) ? null : known.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

function countGrades(pools: VerdictPools, offers: readonly CurrentOffer[]): ModelSummary['grades'] {
  const grades = { very_low: 0, low: 0, usual: 0, high: 0, very_high: 0, insufficient: 0 };
  for (const offer of offers) {
    const price = offer.listedUsdPerGpuHour;
    if (price === null) continue;
    const percentile = percentileInPool(pools, offer, price, summaryDays);
    grades[percentile === null ? 'insufficient' : gradePercentile(percentile)] += 1;
  }
  return grades;
}
