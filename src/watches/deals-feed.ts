import { Feed } from 'feed';
import { findScope } from '../books/newest-books.sql.ts';
import { metrics } from '../core/metric.ts';
import type { Sql } from '../database/connection.ts';
import { openEpisodes } from '../prices/listings/listing-history.ts';
import { oneLine } from './channels/notice.ts';
import { buildReport, type ReportSources } from './reports/build-report.ts';
import {
  changeWords,
  formatUsd,
  placeWords,
  type Report,
  type ReportItem,
  verdictWords,
} from './reports/report.ts';
import type { Watch } from './watch.ts';
import { requestsOfWatch, type WatchBooks } from './watch-books.ts';
import { watchPlaces } from './watches.sql.ts';

export const feedFormats = ['rss', 'atom', 'json'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/**
 * Returns a watch's best offers as a feed, newest first: each item is an offer at a price, dated to the book that first
 * had it at that price. Its id only changes with the price or when the offer returns after it was gone.
 */
export async function renderDealsFeed(
  sources: ReportSources,
  watch: Watch,
  format: FeedFormat,
  { now, address }: { now: Date; address: string },
): Promise<string> {
  const report = await buildReport(sources, watch, now);
  const moments = await findMoments(sources.sql, watch, report);
  const since = ({ listingId }: ReportItem): Date =>
    moments.get(Number(listingId)) ?? new Date(report.observedAt ?? now);
  const items = report.items.toSorted((a, b) => since(b).getTime() - since(a).getTime() || a.rank - b.rank);
  const feed = new Feed({
    id: `urn:uuid:${watch.id}`,
    title: `Offerbook: ${oneLine(watch.name)}`,
    link: report.url,
    description: `The best offers of ${oneLine(watch.name)} by ${metrics[report.by].label}, ${metrics[report.by].shownUnit}`,
    copyright: '',
    generator: 'Offerbook',
    language: 'en',
    updated: items[0] === undefined ? new Date(report.observedAt ?? now) : since(items[0]),
    feedLinks: { [format]: address },
  });
  for (const item of items) {
    const date = since(item);
    const place = placeWords(report, item).join(', ');
    const text = [
      `${place}; offer ${item.offerId}, machine ${item.machineId}.`,
      `${formatUsd(item.usdPerGpuHour)} per GPU, all-in ${formatUsd(item.allInUsdPerHour)}/h; ${verdictWords(item)}.`,
      changeWords(item),
    ];
    const words = escapeHtml(text.filter((line) => line !== '').join(' '));
    const title = `${item.numGpus}× ${item.gpuName} at ${formatUsd(item.usdPerHour)}/h`;
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
