import { findScope } from '../books/newest-books.sql.ts';
import { metrics } from '../core/metric.ts';
import { formatUsd } from '../core/usd-words.ts';
import type { Sql } from '../database/connection.ts';
import { openEpisodes } from '../prices/listings/listing-history.ts';
import { oneLine } from './channels/notice.ts';
import { buildReport, type ReportSources } from './reports/build-report.ts';
import type { Report, ReportItem } from './reports/report.ts';
import { changeWords, placeWords, verdictWords } from './reports/report-words.ts';
import type { Watch } from './watch.ts';
import { requestsOfWatch, type WatchBooks } from './watch-books.ts';
import { watchPlaces } from './watches.sql.ts';

export const feedFormats = ['rss', 'atom', 'json'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/**
 * Returns the best offers of watches with one name as a feed, newest first: each item is an offer at a price, dated to
 * the book that first had it at that price. Its id only changes with the price or when the offer returns after it was
 * gone.
 */
export async function renderDealsFeed(
  sources: ReportSources,
  watches: readonly [Watch, ...Watch[]],
  format: FeedFormat,
  { now, address, namesMarkets }: { now: Date; address: string; namesMarkets: boolean },
): Promise<string> {
  const [first, ...others] = await Promise.all(watches.map((watch) => readDeals(sources, watch, now)));
  if (first === undefined) throw new Error('a feed without a watch');
  const all = [first, ...others];
  const items = all
    .flatMap((deals) => deals.report.items.map((item) => ({ item, ...deals, date: deals.since(item) })))
    .toSorted((a, b) => b.date.getTime() - a.date.getTime() || a.item.rank - b.item.rank);
  const name = oneLine(first.watch.name);
  const newest = all.map(({ report }) => new Date(report.observedAt ?? now).getTime());
  const { Feed } = await import('feed');
  const feed = new Feed({
    id: others.length === 0 ? `urn:uuid:${first.watch.id}` : address,
    title: `Offerbook: ${name}`,
    link: first.report.url,
    description: `The best offers of ${name} by ${[...new Set(all.map(figureOf))].join(' or ')}`,
    copyright: '',
    generator: 'Offerbook',
    language: 'en',
    updated: items[0]?.date ?? new Date(Math.max(...newest)),
    feedLinks: { [format]: address },
  });
  for (const { item, report, watch, moments, date } of items) {
    const place = placeWords(report, item);
    const named = namesMarkets && watch.markets.length === 1 ? [item.market, ...place] : place;
    const text = [
      `${named.join(', ')}; offer ${item.offerId}, machine ${item.machineId}.`,
      `${formatUsd(item.usdPerGpuHour)} per GPU, all-in ${formatUsd(item.allInUsdPerHour)}/hour; ${verdictWords(item)}.`,
      changeWords(item),
    ];
    const words = escapeHtml(text.filter((line) => line !== '').join(' '));
    const title = `${item.numGpus}× ${item.gpuName} at ${formatUsd(item.usdPerHour)}/hour`;
    feed.addItem({
      title: format === 'json' ? title : escapeHtml(title),
      // Partial books have no episodes.
      id: `urn:offerbook:${watch.id}:${item.listingId}:${moments.get(Number(item.listingId))?.getTime() ?? `at-${item.usdPerHour}`}`,
      link: item.url,
      date,
      published: date,
      description: words,
      content: words,
    });
  }
  return { rss: () => feed.rss2(), atom: () => feed.atom1(), json: () => feed.json1() }[format]();
}

const figureOf = ({ report: { by } }: { report: Report }): string =>
  `${metrics[by].label}, ${metrics[by].shownUnit}`;

/** Returns a watch's report, and since when each of its offers is listed at its price. */
async function readDeals(sources: ReportSources, watch: Watch, now: Date) {
  const report = await buildReport(sources, watch, now);
  const moments = await findMoments(sources.sql, watch, report);
  const since = ({ listingId }: ReportItem): Date =>
    moments.get(Number(listingId)) ?? new Date(report.observedAt ?? now);
  return { watch, report, moments, since };
}

/**
 * Returns since when offers are listed at their price: the earliest time in the watch's own books or those of the whole
 * market, whichever the report used, market by market.
 */
async function findMoments(sql: Sql, watch: Watch, { items }: Report): Promise<Map<number, Date>> {
  const [requests, places] = [await requestsOfWatch(sql, watch), await watchPlaces(sql, watch.id)];
  const each = requests.map(async (request) => {
    const ownId = places.find(({ marketId }) => marketId === request.marketId)?.scopeId;
    const own = items.filter(({ market }) => market === request.market);
    return await momentsIn(sql, request, ownId, own);
  });
  return new Map((await Promise.all(each)).flatMap((moments) => [...moments]));
}

async function momentsIn(
  sql: Sql,
  request: WatchBooks,
  ownScopeId: number | undefined,
  items: readonly ReportItem[],
): Promise<Map<number, Date>> {
  const whole = await findScope(sql, request.marketId);
  const listingIds = items.map(({ listingId }) => Number(listingId));
  const shown = await openEpisodes(sql, request.scopeId, listingIds);
  const others = [ownScopeId, whole].filter((id) => id != null && id !== request.scopeId);
  const moments = new Map([...shown].map(([listingId, { startedAt }]) => [listingId, startedAt]));
  for (const scopeId of new Set(others as number[])) {
    for (const [listingId, { startedAt, lastAskUsdPerGpuHour }] of await openEpisodes(
      sql,
      scopeId,
      listingIds,
    )) {
      const known = moments.get(listingId);
      const isSamePrice = shown.get(listingId)?.lastAskUsdPerGpuHour === lastAskUsdPerGpuHour;
      if (known !== undefined && isSamePrice && startedAt < known) moments.set(listingId, startedAt);
    }
  }
  return moments;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Readers display descriptions as HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => entities[char] ?? char);
