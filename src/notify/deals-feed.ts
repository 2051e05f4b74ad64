import { Feed } from 'feed';
import { findOfferMoments } from '../db/notify/offer-moments.ts';
import { rankingUnits } from '../domain/metric.ts';
import { oneLine } from '../domain/notice.ts';
import type { Watch } from '../domain/watch.ts';
import { buildReport, type ReportSources } from './report/build-report.ts';
import { changeWords, formatUsd, type ReportItem, verdictWords } from './report/report.ts';
import { requestOfWatch } from './report/watch-books.ts';

export const feedFormats = ['rss', 'atom', 'json'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/**
 * A watch's best offers now as a feed, the newest first: an item is an offer at a price, dated to the book that first
 * had it so. Its id changes when the price does or the offer comes back after it was gone.
 */
export async function renderDealsFeed(
  sources: ReportSources,
  watch: Watch,
  format: FeedFormat,
  { now, address }: { now: Date; address: string },
): Promise<string> {
  const report = await buildReport(sources, watch, now);
  const request = await requestOfWatch(sources.sql, watch);
  const listingIds = report.items.map(({ listingId }) => Number(listingId));
  const moments =
    request === null
      ? new Map<number, Date>()
      : await findOfferMoments(sources.sql, request.scopeId, listingIds);
  const since = (item: ReportItem): Date =>
    moments.get(Number(item.listingId)) ?? new Date(report.observedAt ?? now);
  const items = report.items.toSorted((a, b) => since(b).getTime() - since(a).getTime() || a.rank - b.rank);
  const feed = new Feed({
    ...{ id: `urn:uuid:${watch.id}`, title: `Offerbook: ${oneLine(watch.name)}`, link: report.url },
    description: `The best offers of ${oneLine(watch.name)} by ${rankingUnits[report.by]}`,
    ...{ copyright: '', generator: 'Offerbook', language: 'en' },
    updated: items[0] === undefined ? new Date(report.observedAt ?? now) : since(items[0]),
    feedLinks: { [format]: address },
  });
  for (const item of items) {
    const date = since(item);
    const place = [item.type, item.verification ?? 'tier unknown', item.country ?? 'country unknown'].join(
      ', ',
    );
    const text = [
      `${place}; offer ${item.offerId}, machine ${item.machineId}.`,
      `${formatUsd(item.usdPerGpuHour)} a GPU, all-in ${formatUsd(item.allInUsdPerHour)}/h; ${verdictWords(item)}.`,
      changeWords(item),
    ];
    const words = escapeHtml(text.filter((line) => line !== '').join(' '));
    const title = `${item.numGpus}× ${item.gpuName} at ${formatUsd(item.usdPerHour)}/h`;
    feed.addItem({
      title: format === 'json' ? title : escapeHtml(title),
      id: `urn:offerbook:${watch.id}:${item.listingId}:${date.getTime()}`,
      ...{ link: item.url, date, published: date, description: words, content: words },
    });
  }
  return { rss: () => feed.rss2(), atom: () => feed.atom1(), json: () => feed.json1() }[format]();
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Readers show descriptions as HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => entities[char] ?? char);
