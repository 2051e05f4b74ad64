import { defaultProfile, metrics, type RankingMetric } from '../../core/metric.ts';
import { noFilter } from '../../core/offer-filter.ts';
import type { Sql } from '../../database/connection.ts';
import type { BooksRequest, OutlierTests } from '../../prices/newest/newest-offers.ts';
import type { PriceCache } from '../../prices/newest/newest-offers-cache.ts';
import { type RankedOffer, rankAll, rankNewestOffers } from '../../prices/rankings/rankings.ts';
import { readTrends } from '../../prices/trends/read-trends.ts';
import { type Notice, oneLine } from '../channels/notice.ts';
import { quoteLink } from '../quote-link.ts';
import { typesOfWatch, type Watch } from '../watch.ts';
import { requestOfWatch } from '../watch-books.ts';
import { countMatchingDays } from '../watch-matches.sql.ts';
import type { Report, ReportItem, ReportTrend, ReportVerdict } from './report.ts';
import { readOutlook, readWait } from './report-outlook.ts';
import { findLastReport, type ReportedOffer } from './watch-reports.sql.ts';

/** Dependencies of reports. */
export type ReportSources = { sql: Sql; outlierTests: OutlierTests; publicUrl: string } & PriceCache;

const dayMs = 86_400_000;
const trendDays = 7;
const maxTrends = 3;
const verdictDays = 30;
/** Additional offers to read, because outliers are left out. If that is not enough, several times as many. */
const spare = 100;
const moreTimes = 8;

/** What matches a watch now, and on how many of the 30 days before its newest book something did. */
export interface WatchMatches {
  /** null: there is no book yet. */
  observedAt: Date | null;
  bookVerdict: 'complete' | 'partial' | null;
  offers: number;
  gpus: number;
  machines: number;
  daysOfLast30: number;
}

const noMatches: WatchMatches = {
  ...{ observedAt: null, bookVerdict: null, offers: 0, gpus: 0, machines: 0, daysOfLast30: 0 },
};

/** Counts them. */
export async function countMatches(sources: ReportSources, watch: Watch): Promise<WatchMatches> {
  const request = await requestOfWatch(sources.sql, watch);
  return request === null ? noMatches : await matchesOf(sources, watch, request);
}

async function matchesOf(sources: ReportSources, watch: Watch, request: BooksRequest): Promise<WatchMatches> {
  const ranks = await untilStanding(sources.sql, watch, request, (asked) =>
    rankAll(sources, asked, watch.rankBy),
  );
  const offers = ranks === null ? [] : ranks.valued.map(({ offer }) => offer);
  const without = ranks?.unranked.filter(({ reason }) => reason !== 'blocked') ?? [];
  const observedAt = momentOf(request);
  const daysOfLast30 = await countMatchingDays(sources.sql, {
    ...{ marketId: request.marketId, scopeId: request.scopeId, types: typesOfWatch(watch.filters) },
    ...{ gpuNames: request.gpuNames, filter: request.filter, storageGb: request.profile.storageGb },
    ...{ from: new Date(observedAt.getTime() - 30 * dayMs), to: observedAt },
  });
  return {
    observedAt,
    bookVerdict: request.books.every(({ verdict }) => verdict === 'complete') ? 'complete' : 'partial',
    offers: offers.length + without.reduce((sum, each) => sum + each.offers, 0),
    gpus: offers.reduce((sum, { numGpus }) => sum + numGpus, 0),
    machines: new Set(offers.map(({ machineId }) => machineId)).size,
    daysOfLast30,
  };
}

/** A newer book can land while one is read: then the newest ones are read again. */
async function untilStanding<T>(
  sql: Sql,
  watch: Watch,
  first: BooksRequest,
  read: (request: BooksRequest) => Promise<T | 'superseded'>,
): Promise<T | null> {
  let request: BooksRequest | null = first;
  for (let attempt = 0; request !== null && attempt < 10; attempt += 1) {
    const answer = await read(request);
    if (answer !== 'superseded') return answer;
    request = await requestOfWatch(sql, watch);
  }
  return null;
}

const momentOf = ({ books }: BooksRequest): Date =>
  new Date(Math.min(...books.map(({ observedAt }) => observedAt.getTime())));

/** Returns the report of a watch as of now; changes are relative to the last report sent. */
export async function buildReport(sources: ReportSources, watch: Watch, now: Date): Promise<Report> {
  const { sql, publicUrl } = sources;
  const url = `${publicUrl}/watches`;
  const common = {
    watch: { id: watch.id, name: oneLine(watch.name), market: watch.market },
    at: now.toISOString(),
    url,
  };
  const [request, last] = [await requestOfWatch(sql, watch), await findLastReport(sql, watch.id)];
  const since = last?.sentAt.toISOString() ?? null;
  if (request === null) {
    const { observedAt: _, bookVerdict: __, ...availability } = noMatches;
    return {
      ...{
        ...common,
        observedAt: null,
        bookVerdict: null,
        dataAgeMinutes: null,
        by: watch.rankBy,
        since,
        availability,
      },
      ...{ unit: metrics[watch.rankBy].unit, items: [], gone: [], trends: [], wait: null },
      coverage: { books: 0, complete: 0, partial: 0, failed: 0 },
    };
  }
  const { ranked, by } = await rankWithoutOutliers(sources, watch, request);
  const matches = await matchesOf(sources, watch, request);
  const items = ranked.map((offer, index) => {
    const link = quoteLink(publicUrl, { ...offer, storageGb: watch.profile.storageGb });
    return itemOf(offer, index + 1, last?.items ?? null, link);
  });
  const listed = new Set(items.map(({ listingId }) => listingId));
  const still = await stillMatching(sources, watch, request);
  const gone = Object.entries(last?.items ?? {})
    .filter(([listingId]) => !listed.has(listingId) && !still.has(listingId))
    .map(([, offer]) => offer);
  const observedAt = momentOf(request);
  const { trends, coverage } = await trendsOf(sql, watch, request, ranked, { observedAt, now });
  const wait = await readWait(sources, watch, request);
  const { offers, gpus, machines, daysOfLast30 } = matches;
  return {
    ...common,
    observedAt: observedAt.toISOString(),
    bookVerdict: matches.bookVerdict,
    dataAgeMinutes: (now.getTime() - observedAt.getTime()) / 60_000,
    ...{ coverage, by, unit: metrics[by].unit, since, items, gone, trends, wait },
    availability: { offers, gpus, machines, daysOfLast30 },
  };
}

/** Returns the first offers that are not outliers, however many outliers come first. */
async function rankWithoutOutliers(
  sources: ReportSources,
  watch: Watch,
  request: BooksRequest,
): Promise<{ ranked: RankedOffer[]; by: RankingMetric }> {
  for (let limit = watch.top + spare; ; limit *= moreTimes) {
    const ranking = await untilStanding(sources.sql, watch, request, (asked) =>
      rankNewestOffers(sources, { ...asked, skip: 0, limit }, watch.rankBy),
    );
    if (ranking === null) return { ranked: [], by: watch.rankBy };
    const ranked = ranking.items.filter(({ isOutlier }) => isOutlier !== true);
    if (ranked.length >= watch.top || !ranking.more)
      return { ranked: ranked.slice(0, watch.top), by: ranking.by };
  }
}

/** Listings that match now, beyond the page too: an offer that is only further down is not gone. */
async function stillMatching(
  sources: ReportSources,
  watch: Watch,
  request: BooksRequest,
): Promise<Set<string>> {
  const ranks = await untilStanding(sources.sql, watch, request, (asked) =>
    rankAll(sources, asked, watch.rankBy),
  );
  return new Set((ranks?.valued ?? []).map(({ offer }) => String(offer.listingId)));
}

function itemOf(
  offer: RankedOffer,
  rank: number,
  before: Readonly<Record<string, ReportedOffer>> | null,
  url: string,
): ReportItem {
  const {
    offerId,
    machineId,
    hostId,
    numGpus,
    type,
    value,
    usdPerHour,
    usdPerGpuHour,
    allInUsdPerHour,
    isOutlier,
  } = offer;
  const listingId = String(offer.listingId);
  const previous = before?.[listingId]?.usdPerHour ?? null;
  const moved = previous === null ? 0 : usdPerHour - previous;
  const change =
    before === null ? null : previous === null ? 'new' : moved > 0 ? 'up' : moved < 0 ? 'down' : 'same';
  return {
    ...{ rank, offerId, listingId, machineId, hostId, numGpus, type, value },
    ...{ usdPerHour, usdPerGpuHour, allInUsdPerHour, isOutlier, change, previousUsdPerHour: previous },
    gpuName: oneLine(offer.gpuName, 100),
    verification: offer.verification,
    country: offer.country === null ? null : oneLine(offer.country, 40),
    reliability: offer.reliability,
    verdict: verdictOf(offer),
    url,
  };
}

function verdictOf({ verdict }: RankedOffer): ReportVerdict | null {
  const window = verdict?.windows.find(({ days }) => days === verdictDays);
  if (window === undefined) return null;
  const { days, percentile, missing } = window;
  return { days, percentile, status: percentile === null ? missing.join(', ') : 'ok' };
}

async function trendsOf(
  sql: Sql,
  watch: Watch,
  { marketId, scopeId }: BooksRequest,
  ranked: readonly RankedOffer[],
  moment: { observedAt: Date; now: Date },
): Promise<{ trends: ReportTrend[]; coverage: Report['coverage'] }> {
  const { observedAt } = moment;
  const range = {
    from: new Date(observedAt.getTime() - trendDays * dayMs),
    to: new Date(observedAt.getTime() + 1),
  };
  const common = {
    scopeId,
    bucket: '1d' as const,
    metric: 'usdPerGpuHour' as const,
    filter: noFilter,
    ...range,
  };
  const kinds = new Map(ranked.map(({ gpuName, type }) => [`${type}|${gpuName}`, { gpuName, type }]));
  const trends: ReportTrend[] = [];
  for (const { gpuName, type } of [...kinds.values()].slice(0, maxTrends)) {
    const ask = { ...common, types: [type], gpuNames: [gpuName], profile: defaultProfile };
    const points = (await readTrends(sql, ask)).series[0]?.points ?? [];
    trends.push({
      ...{ gpuName: oneLine(gpuName, 100), type },
      points: points.map(({ t, median }) => ({ t: t.toISOString(), median })),
      ...(await readOutlook(sql, { marketId, type, gpuName }, moment)),
    });
  }
  const types = typesOfWatch(watch.filters);
  const { coverage } = await readTrends(sql, { ...common, types, gpuNames: [], profile: defaultProfile });
  return { trends, coverage };
}

/** Returns the notice that carries a report. */
export function reportNotice(report: Report): Notice {
  const [first] = report.items;
  const best =
    first === undefined
      ? 'nothing matches'
      : `${first.numGpus}× ${first.gpuName} from $${first.usdPerHour.toFixed(3)}/h`;
  return {
    ...{ kind: 'report', title: oneLine(`${report.watch.name}: ${best}`, 200), lines: [], link: report.url },
    ...{ at: report.at, watchId: report.watch.id, ruleId: null, data: { report } },
  };
}
