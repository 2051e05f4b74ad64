import { readDictionaries } from '../../books/dictionaries.sql.ts';
import { defaultProfile, type TrendMetric, type UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { isUnfiltered, noFilter, type OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { type BookMoments, readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import type { CoveredBefore } from '../statistics/book-axis.ts';
import { createSpanOffers, type SpanColumns } from '../statistics/span-columns.ts';
import type { Offered } from './bid-chains.ts';
import { listedModels, newestCoveringBook } from './newest-covering.sql.ts';

export interface PastOffersRequest {
  marketId: number;
  scopeId: number;
  type: PricingType;
  /** Empty: all models. */
  gpuNames: readonly string[];
  filter: OfferFilter;
  profile: UsageProfile;
  metric: TrendMetric;
  /** Days before the newest complete book. */
  days: number;
}

/** Offers up to the newest book that is complete for the request. */
export interface PastOffers {
  newest: Date;
  books: BookMoments;
  /** Milliseconds of each book. */
  times: Float64Array;
  /** 1: the book is complete for all requested models. */
  counts: Int8Array;
  /** By model, because no listing has two models and a whole market would take a gigabyte. */
  models: PastModel[];
}

/** The past offers of a model. */
export interface PastModel {
  gpuModelId: number;
  /** Returns the matching offers with the metric's values. */
  readMatching: () => Promise<Offered>;
  /** Returns all offers of the model with these values; `matching` itself if all match. */
  readAll: (matching: Offered) => Promise<Offered>;
  /** Returns all offers of the model with prices per GPU at the listed 8 GB. */
  readListed: (matching: Offered) => Promise<SpanColumns>;
}

const dayMs = 86_400_000;

/** Reads the past of matching offers; null: no complete book, or a model that was never listed. */
export async function readPastOffers(db: Db, request: PastOffersRequest): Promise<PastOffers | null> {
  const { marketId, scopeId, type, gpuNames, filter, profile, metric, days } = request;
  const newest = await newestCoveringBook(db, request);
  if (newest === null) return null;
  const { gpuModels } = await readDictionaries(db);
  const ids = gpuNames.flatMap((name) => gpuModels.get(name) ?? []);
  if (ids.length < gpuNames.length) return null;
  const range = { from: new Date(newest.getTime() - days * dayMs + 1), to: new Date(newest.getTime() + 1) };
  const books = await readBookMoments(db, { scopeId, type, ...range });
  const modelOf = (gpuModelId: number): PastModel => {
    const series = { marketId, scopeId, type, gpuModelIds: [gpuModelId] };
    const read = async (ofFilter: OfferFilter): Promise<Offered> => {
      const asked = { ...series, metric, profile, filter: ofFilter, withOffers: true };
      const spans = await readSpans(db, asked, books);
      return { ...spans, offers: spans.offers ?? createSpanOffers(0) };
    };
    return {
      gpuModelId,
      readMatching: async () => await read(filter),
      readAll: async (matching) => (isUnfiltered(filter) ? matching : await read(noFilter)),
      readListed: async (matching) =>
        isUnfiltered(filter)
          ? { ...matching, value: matching.offers.listedUsdPerGpuHour }
          : await readSpans(db, { ...series, metric: 'usdPerGpuHour', profile: defaultProfile }, books),
    };
  };
  const modelIds = gpuNames.length === 0 ? await listedModels(db, request) : [...new Set(ids)];
  const covers = gpuNames.length === 0 ? [null] : ids;
  return {
    newest,
    books,
    times: Float64Array.from(books.times, (at) => at.getTime()),
    counts: countsOf(books.ids.length, covers.map(books.coverOf)),
    models: modelIds.map(modelOf),
  };
}

function countsOf(books: number, covers: readonly CoveredBefore[]): Int8Array {
  return Int8Array.from({ length: books }, (_, at) =>
    covers.every((covered) => covered[at + 1] !== covered[at]) ? 1 : 0,
  );
}
