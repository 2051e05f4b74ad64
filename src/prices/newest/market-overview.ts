import type { NewestBook } from '../../books/newest-books.sql.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { noFilter } from '../../core/offer-filter.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Sql } from '../../database/connection.ts';
import { describeChanges, type PriceChange } from '../index/index-change.ts';
import { lacksIndex, readNewestIndexDays, type StoredIndexDay } from '../index/index-days.sql.ts';
import { windowDays } from '../index/index-window.ts';
import { readTrends } from '../trends/read-trends.ts';
import type { TrendPoint } from '../trends/trend-point.ts';
import { seriesVersion } from '../verdicts/segment-prices.sql.ts';
import type { CurrentOffers } from './current-offers.ts';
import type { OutlierTests } from './newest-offers.ts';
import type { PriceCache } from './newest-offers-cache.ts';
import { bidSpreadPercent, offerPrices } from './offer-prices.ts';
import { supplyOf } from './offer-supply.ts';
import type { CurrentOffer } from './offers.sql.ts';

const sparklineDays = 30;
const dayMs = 86_400_000;
/** Series read at once. */
const seriesPerStep = 25;

export interface ModelOverview {
  gpuName: string;
  offers: number;
  /** As listed, so that overlapping offers each count. */
  gpus: number;
  /** Each GPU once, as in the book's trend point; null: the book is partial and has no point. */
  physicalGpus: number | null;
  /** Some machine lists no GPU ids; null if the book is partial. */
  physicalGpusIsLowerBound: boolean | null;
  machines: number;
  /** $/GPU/hour at 8 GB; null: no offer has a price. */
  median: number | null;
  /** The lowest price that is not an outlier. */
  lowest: number | null;
  /** Over 1, 7 and 27 days up to the model's newest day with a complete book. */
  changes: PriceChange[];
  /** Medians of the last days that have one. */
  sparkline: { t: Date; median: number }[];
  /** Median of the minimum bids in the newest book of bids; null: there is none. */
  bidMedian: number | null;
  /** How far the bid median is below the median, in percent of it. */
  bidSpreadPercent: number | null;
}

interface Dependencies extends PriceCache {
  sql: Sql;
  outlierTests: OutlierTests;
}

interface OverviewRequest {
  marketId: number;
  scopeId: number;
  book: NewestBook;
  /** The newest book of bids; null: there is none, or `book` is one. */
  bids: NewestBook | null;
}

/** Creates `readOverview(deps, request)`: a row per model of the newest book, cached until another book lands. */
export function createMarketOverview(): (
  deps: Dependencies,
  request: OverviewRequest,
) => Promise<ModelOverview[] | 'superseded'> {
  const kept = new Map<string, { version: string; rows: Promise<ModelOverview[] | 'superseded'> }>();
  return async (deps, request) => {
    const { scopeId, book, bids } = request;
    const key = `${scopeId} ${book.type}`;
    const versions = await Promise.all(
      [book.type, ...(bids === null ? [] : [bids.type])].map((type) =>
        seriesVersion(deps.sql, { scopeId, type }),
      ),
    );
    const version = [book.id, bids?.id, ...versions].join(' ');
    const known = kept.get(key);
    if (known?.version === version) return await known.rows;
    const rows = overview(deps, request);
    kept.set(key, { version, rows });
    const forget = () => kept.get(key)?.rows === rows && kept.delete(key);
    rows.then((made) => made === 'superseded' && forget(), forget);
    return await rows;
  };
}

async function overview(
  deps: Dependencies,
  { marketId, scopeId, book, bids }: OverviewRequest,
): Promise<ModelOverview[] | 'superseded'> {
  const { sql } = deps;
  const { type, observedAt } = book;
  const lastDay = utcDayNumber(observedAt);
  const [current, bidOffers, indexDays] = await Promise.all([
    deps.currentOffers(sql, book),
    bids === null ? null : deps.currentOffers(sql, bids),
    readNewestIndexDays(sql, { scopeId, type }, { first: lastDay - windowDays, last: lastDay }),
  ]);
  if (current.superseded || bidOffers?.superseded) return 'superseded';
  const isOutlier =
    book.verdict === 'complete'
      ? await deps.outlierTests({ marketId, scopeId, type }, observedAt)
      : () => null;
  const byModel = offersByModel(current);
  const bidsByModel = bidOffers === null ? new Map<string, CurrentOffer[]>() : offersByModel(bidOffers);
  const gpuNames = [...byModel.keys()].sort();
  const lacks = indexDays.size === 0 && (await lacksIndex(sql, { scopeId, type }));
  const query = { scopeId, type, gpuNames, observedAt };
  const [dailyMedians, points] = await Promise.all([
    readDailyMedians(sql, query),
    book.verdict === 'complete' ? readBookPoints(sql, query) : new Map<string, TrendPoint>(),
  ]);
  return gpuNames.map((gpuName) => {
    const offers = byModel.get(gpuName) ?? [];
    const { median, lowest } = offerPrices(offers, isOutlier);
    const { median: bidMedian } = offerPrices(bidsByModel.get(gpuName) ?? [], () => null);
    const medians = dailyMedians.get(gpuName) ?? [];
    return {
      gpuName,
      ...supplyOf(offers),
      physicalGpus: points.get(gpuName)?.physicalGpus ?? null,
      physicalGpusIsLowerBound: points.get(gpuName)?.physicalGpusIsLowerBound ?? null,
      median,
      lowest,
      changes: changesOf(indexDays.get(gpuName), medians, lacks),
      sparkline: medians.filter(({ t }) => utcDayNumber(t) > lastDay - sparklineDays),
      bidMedian,
      bidSpreadPercent: bidSpreadPercent(median, bidMedian),
    };
  });
}

const offersByModel = ({ offers }: CurrentOffers) => Map.groupBy(offers, ({ gpuName }) => gpuName);

/** Returns the changes up to a model's newest index day; undefined: it has none in the last 28 days. */
function changesOf(
  day: StoredIndexDay | undefined,
  medians: readonly { t: Date; median: number }[],
  lacks: boolean,
): PriceChange[] {
  const byDay = new Map(medians.map(({ t, median }) => [t.getTime() / dayMs, median]));
  return describeChanges(day ?? null, (before) => (day && byDay.get(day.day - before)) ?? null, lacks);
}

interface ModelsQuery {
  scopeId: number;
  type: PricingType;
  gpuNames: readonly string[];
  observedAt: Date;
}

/** Two index windows long, because the newest day may be a day earlier, and so may the day that it is compared with. */
async function readDailyMedians(
  sql: Sql,
  query: ModelsQuery,
): Promise<Map<string, { t: Date; median: number }[]>> {
  const from = new Date(query.observedAt.getTime() - 2 * windowDays * dayMs);
  const byModel = await pointsByModel(sql, query, { bucket: '1d', from });
  return new Map(
    [...byModel].map(([gpuName, points]) => [
      gpuName,
      points.flatMap(({ t, median }) => (median === null ? [] : [{ t, median }])),
    ]),
  );
}

/** Returns the book's own point by model, with the figures that trends show. */
async function readBookPoints(sql: Sql, query: ModelsQuery): Promise<Map<string, TrendPoint>> {
  const byModel = await pointsByModel(sql, query, { bucket: 'book', from: query.observedAt });
  return new Map([...byModel].flatMap(([gpuName, points]) => points.map((point) => [gpuName, point])));
}

async function pointsByModel(
  sql: Sql,
  { scopeId, type, gpuNames, observedAt }: ModelsQuery,
  { bucket, from }: { bucket: 'book' | '1d'; from: Date },
): Promise<Map<string, readonly TrendPoint[]>> {
  const to = new Date(observedAt.getTime() + 1);
  const common = { metric: 'usdPerGpuHour', profile: defaultProfile, filter: noFilter } as const;
  const byModel = new Map<string, readonly TrendPoint[]>();
  for (let at = 0; at < gpuNames.length; at += seriesPerStep) {
    const step = gpuNames.slice(at, at + seriesPerStep);
    const asked = { ...common, scopeId, types: [type], gpuNames: step, bucket, from, to };
    const { series } = await readTrends(sql, asked);
    for (const [index, { points }] of series.entries()) byModel.set(step[index] ?? '', points);
  }
  return byModel;
}
