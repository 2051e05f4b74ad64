import { defaultProfile, metrics, type RankingMetric } from '../../core/metric.ts';
import { noFilter } from '../../core/offer-filter.ts';
import { formatUsd } from '../../core/usd-words.ts';
import type { Sql } from '../../database/connection.ts';
import type { OutlierTests } from '../../prices/newest/newest-offers.ts';
import type { PriceCache } from '../../prices/newest/newest-offers-cache.ts';
import { rankMarkets } from '../../prices/rankings/market-rankings.ts';
import type { RankedOffer, UnrankedOffers } from '../../prices/rankings/rankings.ts';
import { readTrends } from '../../prices/trends/read-trends.ts';
import { oneLine } from '../channels/notice.ts';
import type { NoticeOf } from '../channels/notice-schema.ts';
import { offerLink } from '../quote-link.ts';
import { typesOfWatch, type Watch } from '../watch.ts';
import { requestsOfWatch, type WatchBooks } from '../watch-books.ts';
import { countMatches, momentOf, untilStanding } from './count-matches.ts';
import { rankingWords } from './ranking-words.ts';
import type { Report, ReportBook, ReportCoverage, ReportItem, ReportTrend } from './report.ts';
import { readOutlook, readWait } from './report-outlook.ts';
import { findLastReport, type ReportedOffer } from './watch-reports.sql.ts';

/** Dependencies of reports. */
export type ReportSources = {
  sql: Sql;
  outlierTests: OutlierTests;
  publicUrl: string;
  /** Returns the name of the market whose offers can be rented; null: there is none. */
  rentsIn: () => Promise<string | null>;
} & PriceCache;

const dayMs = 86_400_000;
const trendDays = 7;
const maxTrends = 3;
/** Additional offers to read, because outliers are left out. If that is not enough, several times as many. */
const spare = 100;
const moreTimes = 8;
const maxAttempts = 3;

type MarketOffer = RankedOffer & { market: string };

/**
 * Returns the report of a watch as of now; changes are relative to the last report sent. If a book lands while it is
 * read, it is read again, so that all its figures are of the same books.
 */
export async function buildReport(sources: ReportSources, watch: Watch, now: Date): Promise<Report> {
  let requests = await requestsOfWatch(sources.sql, watch);
  for (let attempt = 1; ; attempt += 1) {
    const report = await readReport(sources, watch, requests, now);
    const after = await requestsOfWatch(sources.sql, watch);
    if (attempt === maxAttempts || String(bookIdsOf(after)) === String(bookIdsOf(requests))) return report;
    requests = after;
  }
}

const bookIdsOf = (requests: readonly WatchBooks[]): number[] =>
  requests.flatMap(({ books, history }) => [...books, ...history.books].map(({ id }) => id));

async function readReport(
  sources: ReportSources,
  watch: Watch,
  requests: readonly WatchBooks[],
  now: Date,
): Promise<Report> {
  const { sql, publicUrl } = sources;
  const last = await findLastReport(sql, watch.id);
  const since = last?.sentAt.toISOString() ?? null;
  const { ranked, by, unranked } = await rankWithoutOutliers(sources, watch, requests);
  const { markets, listingIds, ...availability } = await countMatches(sources, watch);
  const rentMarket = await sources.rentsIn();
  const items = ranked.map((offer, index) => {
    const canRent = offer.market === rentMarket;
    const url = offerLink(publicUrl, { ...offer, storageGb: watch.profile.storageGb, canRent });
    return itemOf(offer, index + 1, last?.items ?? null, { url, canRent });
  });
  const listed = new Set(items.map(({ listingId }) => listingId));
  const gone = Object.entries(last?.items ?? {})
    .filter(([listingId]) => !listed.has(listingId) && !listingIds.has(listingId))
    // Reports from before watches had several markets do not state it.
    .map(([, offer]) => ({ ...offer, market: offer.market ?? watch.market }));
  const books: ReportBook[] = [];
  for (const { market, observedAt, bookVerdict, ...counts } of markets) {
    const request = requests.find((each) => each.market === market);
    books.push({
      market,
      bookVerdict,
      ...counts,
      observedAt: observedAt?.toISOString() ?? null,
      dataAgeMinutes: observedAt === null ? null : minutesUntil(now, observedAt),
      coverage: request === undefined ? noBooks : await coverageOf(sql, watch, request),
    });
  }
  const oldest = books
    .filter((book) => book.observedAt !== null)
    .reduce<ReportBook | null>(
      (old, book) => (old === null || (book.dataAgeMinutes ?? 0) > (old.dataAgeMinutes ?? 0) ? book : old),
      null,
    );
  const waits = await Promise.all(requests.map((request) => readWait(sources, watch, request)));
  return {
    watch: { id: watch.id, name: oneLine(watch.name), market: watch.market, markets: [...watch.markets] },
    at: now.toISOString(),
    url: `${publicUrl}/watches`,
    observedAt: oldest?.observedAt ?? null,
    bookVerdict: availability.bookVerdict,
    dataAgeMinutes: oldest?.dataAgeMinutes ?? null,
    coverage: sumCoverage(books.map(({ coverage }) => coverage)),
    books,
    by,
    unit: metrics[by].unit,
    ranking: rankingWords(by, watch),
    since,
    items,
    gone,
    unranked,
    availability: {
      offers: availability.offers,
      gpus: availability.gpus,
      machines: availability.machines,
      daysOfLast30: availability.daysOfLast30,
    },
    trends: await trendsOf(sql, requests, ranked, now),
    waits: waits.filter((wait) => wait !== null),
  };
}

/** A book that has landed since `now` is not of the future. */
const minutesUntil = (now: Date, at: Date): number => Math.max(0, (now.getTime() - at.getTime()) / 60_000);

const noBooks: ReportCoverage = { books: 0, complete: 0, partial: 0, failed: 0 };

const sumCoverage = (each: readonly ReportCoverage[]): ReportCoverage =>
  each.reduce(
    (sum, { books, complete, partial, failed }) => ({
      books: sum.books + books,
      complete: sum.complete + complete,
      partial: sum.partial + partial,
      failed: sum.failed + failed,
    }),
    noBooks,
  );

/** Returns the first offers that are not outliers, however many outliers come first. */
async function rankWithoutOutliers(
  sources: ReportSources,
  watch: Watch,
  requests: readonly WatchBooks[],
): Promise<{ ranked: MarketOffer[]; by: RankingMetric; unranked: UnrankedOffers[] }> {
  const none = { ranked: [], by: watch.rankBy, unranked: [] };
  if (requests.length === 0) return none;
  for (let limit = watch.top + spare; ; limit *= moreTimes) {
    const ranking = await untilStanding(sources.sql, watch, requests, (asked) =>
      rankMarkets(
        sources,
        asked.map((request) => ({ ...request, skip: 0, limit })),
        watch.rankBy,
      ),
    );
    if (ranking === null) return none;
    const { by, more } = ranking;
    const unranked = ranking.unranked.filter(({ reason }) => reason !== 'blocked');
    const ranked = ranking.items.filter(({ isOutlier }) => isOutlier !== true);
    if (ranked.length >= watch.top || !more) return { ranked: ranked.slice(0, watch.top), by, unranked };
  }
}

function itemOf(
  offer: MarketOffer,
  rank: number,
  before: Readonly<Record<string, ReportedOffer>> | null,
  place: { url: string; canRent: boolean },
): ReportItem {
  const { usdPerHour } = offer;
  const listingId = String(offer.listingId);
  const previous = before?.[listingId]?.usdPerHour ?? null;
  const moved = previous === null ? 0 : usdPerHour - previous;
  const change =
    before === null ? null : previous === null ? 'new' : moved > 0 ? 'up' : moved < 0 ? 'down' : 'same';
  return {
    market: offer.market,
    rank,
    offerId: offer.offerId,
    listingId,
    machineId: offer.machineId,
    hostId: offer.hostId,
    numGpus: offer.numGpus,
    type: offer.type,
    value: offer.value,
    usdPerHour,
    usdPerGpuHour: offer.usdPerGpuHour,
    allInUsdPerHour: offer.allInUsdPerHour,
    isOutlier: offer.isOutlier,
    change,
    previousUsdPerHour: previous,
    gpuName: oneLine(offer.gpuName, 100),
    verification: offer.verification,
    country: offer.country === null ? null : oneLine(offer.country, 40),
    reliability: offer.reliability,
    verdict: offer.verdict?.summary ?? null,
    ...place,
  };
}

/** Returns the week up to a market's newest book, for trends, of the scope with the longest history. */
function weekOf({ history: { scopeId }, ...request }: WatchBooks) {
  const observedAt = momentOf(request);
  return {
    scopeId,
    bucket: '1d' as const,
    metric: 'usdPerGpuHour' as const,
    filter: noFilter,
    profile: defaultProfile,
    from: new Date(observedAt.getTime() - trendDays * dayMs),
    to: new Date(observedAt.getTime() + 1),
  };
}

async function coverageOf(sql: Sql, watch: Watch, request: WatchBooks): Promise<ReportCoverage> {
  const ask = { ...weekOf(request), types: typesOfWatch(watch.filters), gpuNames: [] };
  return (await readTrends(sql, ask)).coverage;
}

/** Returns trends for the models of the first offers, each in its market. */
async function trendsOf(
  sql: Sql,
  requests: readonly WatchBooks[],
  ranked: readonly MarketOffer[],
  now: Date,
): Promise<ReportTrend[]> {
  const kinds = new Map(
    ranked.map(({ market, gpuName, type }) => [`${market}|${type}|${gpuName}`, { market, gpuName, type }]),
  );
  const trends: ReportTrend[] = [];
  for (const { market, gpuName, type } of [...kinds.values()].slice(0, maxTrends)) {
    const request = requests.find((each) => each.market === market);
    if (request === undefined) continue;
    const ask = { ...weekOf(request), types: [type], gpuNames: [gpuName] };
    const points = (await readTrends(sql, ask)).series[0]?.points ?? [];
    const moment = { observedAt: momentOf(request), now };
    trends.push({
      market,
      gpuName: oneLine(gpuName, 100),
      type,
      points: points.map(({ t, median }) => ({ t: t.toISOString(), median })),
      ...(await readOutlook(sql, { marketId: request.marketId, type, gpuName }, moment)),
    });
  }
  return trends;
}

/** Returns the notice that carries a report. */
export function reportNotice(report: Report): NoticeOf<'report'> {
  const [first] = report.items;
  const best =
    first === undefined
      ? 'nothing matches'
      : `${first.numGpus}× ${first.gpuName} from ${formatUsd(first.usdPerHour)}/hour${
          report.watch.markets.length > 1 ? ` in ${first.market}` : ''
        }`;
  return {
    kind: 'report',
    title: oneLine(`${report.watch.name}: ${best}`, 200),
    lines: [],
    link: report.url,
    at: report.at,
    watchId: report.watch.id,
    ruleId: null,
    data: { report },
  };
}
