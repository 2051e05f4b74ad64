import { type Flagged, listNewestOffers } from './newest-offers.ts';
import type { MarketOffersRequest } from './newest-offers-request.ts';
import type { BookOffer } from './offers.sql.ts';

/** Returns offers of the markets' newest books by model and price per GPU, each with its market. */
export async function listMarketOffers(
  deps: Parameters<typeof listNewestOffers>[0],
  requests: readonly MarketOffersRequest[],
): Promise<{ items: Flagged<BookOffer & { market: string }>[]; more: boolean } | 'superseded'> {
  const { skip = 0, limit = 0 } = requests[0] ?? {};
  const isPlural = requests.length > 1;
  const lists = await Promise.all(
    requests.map((request) =>
      listNewestOffers(deps, isPlural ? { ...request, skip: 0, limit: skip + limit } : request),
    ),
  );
  const read = lists.filter((list) => list !== 'superseded');
  if (read.length < lists.length) return 'superseded';
  const named = read.flatMap(({ items }, index) =>
    items.map((item) => ({ ...item, market: requests[index]?.market ?? '' })),
  );
  const more = read.some((list) => list.more);
  if (!isPlural) return { items: named, more };
  const all = named.sort(byModelAndPrice);
  return { items: all.slice(skip, skip + limit), more: more || all.length > skip + limit };
}

/** The order within one market's list; equals of several markets stay in the order of the request. */
function byModelAndPrice(a: BookOffer, b: BookOffer): number {
  if (a.gpuName !== b.gpuName) return a.gpuName < b.gpuName ? -1 : 1;
  return (a.usdPerGpuHour ?? Number.POSITIVE_INFINITY) - (b.usdPerGpuHour ?? Number.POSITIVE_INFINITY) || 0;
}
