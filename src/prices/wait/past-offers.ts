import { readDictionaries } from '../../books/dictionaries.sql.ts';
import { defaultProfile, type TrendMetric, type UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { isUnfiltered, noFilter, type OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { type BookMoments, readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import type { CoveredBefore } from '../statistics/book-axis.ts';
import { createSpanOffers, type SpanColumns, type SpanOffers } from '../statistics/span-columns.ts';
import { newestCoveringBook } from './newest-covering.sql.ts';

export interface PastOffersRequest {
  marketId: number;
  scopeId: number;
  type: PricingType;
  /** Empty: all models. */
  gpuNames: readonly string[];
  filter: OfferFilter;
  profile: UsageProfile;
  metric: TrendMetric;
  /** How far back from the newest complete book. */
  days: number;
}

/** What was offered up to the newest book that is complete for the request. */
export interface PastOffers {
  newest: Date;
  books: BookMoments;
  /** Milliseconds of each book. */
  times: Float64Array;
  /** 1: the book is complete for all models of the request. */
  counts: Int8Array;
  /** The offers that match, with the metric's values. */
  matching: SpanColumns & { offers: SpanOffers };
  /** The same of all offers of the models. */
  readAll: () => Promise<SpanColumns & { offers: SpanOffers }>;
  /** All offers of the models with prices per GPU at the listed 8 GB. */
  readListed: () => Promise<SpanColumns>;
}

const dayMs = 86_400_000;

/** Reads the past of the offers that match; null: no complete book, or a model that was never listed. */
export async function readPastOffers(db: Db, request: PastOffersRequest): Promise<PastOffers | null> {
  const { marketId, scopeId, type, gpuNames, filter, profile, metric, days } = request;
  const newest = await newestCoveringBook(db, request);
  if (newest === null) return null;
  const { gpuModels } = await readDictionaries(db);
  const ids = gpuNames.flatMap((name) => gpuModels.get(name) ?? []);
  if (ids.length < gpuNames.length) return null;
  const gpuModelIds = gpuNames.length === 0 ? null : ids;
  const series = { marketId, scopeId, type, gpuModelIds };
  const range = { from: new Date(newest.getTime() - days * dayMs + 1), to: new Date(newest.getTime() + 1) };
  const books = await readBookMoments(db, { ...series, ...range });
  const read = async (ofFilter: OfferFilter) => {
    const spans = await readSpans(
      db,
      { ...series, metric, profile, filter: ofFilter, withOffers: true },
      books,
    );
    return { ...spans, offers: spans.offers ?? createSpanOffers(0) };
  };
  const matching = await read(filter);
  return {
    newest,
    books,
    matching,
    times: Float64Array.from(books.times, (at) => at.getTime()),
    counts: countsOf(books.ids.length, (gpuModelIds ?? [null]).map(books.coverOf)),
    readAll: async () => (isUnfiltered(filter) ? matching : await read(noFilter)),
    readListed: async () =>
      await readSpans(db, { ...series, metric: 'usdPerGpuHour', profile: defaultProfile }, books),
  };
}

function countsOf(books: number, covers: readonly CoveredBefore[]): Int8Array {
  return Int8Array.from({ length: books }, (_, at) =>
    covers.every((covered) => covered[at + 1] !== covered[at]) ? 1 : 0,
  );
}
