import type { CoverageCertificate } from '../domain/coverage.ts';
import type { Offer, RejectedOffer } from '../domain/offer.ts';
import type { MarketClient } from '../market/client.ts';
import type { OfferQuery } from '../market/offer-query.ts';
import type { OfferPage } from '../market/offers.ts';

/** How one walk over the market's pages ended. */
export type WalkEnd =
  | { kind: 'whole' }
  /** The market does not page by id: walk by price instead. */
  | { kind: 'unpageable'; reason: string }
  /** Something can be missing. */
  | { kind: 'cut'; reason: string };

export interface Walk {
  client: Pick<MarketClient, 'searchOffers'>;
  /** The search without order and position. */
  search: Omit<OfferQuery, 'order' | 'afterId' | 'minUsdPerHour' | 'exactUsdPerHour'>;
  certificate: CoverageCertificate;
  /** Takes the offers of a page that no earlier page had. */
  take: (offers: Offer[]) => Promise<void>;
  /** Listed price by offer id, of every offer taken. */
  seen: Map<number, number>;
  /** Ids of the rows that could not be read: counted once, however many pages show them. */
  rejectedIds: Set<number>;
  signal?: AbortSignal | undefined;
}

/**
 * Pages by `id > last` until a page is empty: an offer that exists from the first request to the last is on
 * exactly one page, whatever its price does and wherever the market cuts its answers. Each page proves that
 * the market honours it: ids ascend and start above the last. Source: semantics.md, Search defaults.
 */
export async function walkById(walk: Walk): Promise<WalkEnd> {
  let afterId: number | undefined;
  for (;;) {
    const page = await ask(walk, { order: 'id', afterId });
    if (page.rows === 0) return { kind: 'whole' };
    await takePage(walk, page);
    const problem = idProblem(page.ids, afterId);
    if (problem !== null) return { kind: 'unpageable', reason: problem };
    const last = page.ids.at(-1);
    if (last === undefined) return { kind: 'cut', reason: 'a page had no readable id' };
    noteCap(walk, page);
    afterId = last;
  }
}

function idProblem(ids: readonly number[], afterId: number | undefined): string | null {
  const [first] = ids;
  if (afterId !== undefined && first !== undefined && first <= afterId) {
    return 'the market ignores the filter on ids';
  }
  const ascending = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id));
  return ascending ? null : 'the market does not sort by id';
}

/**
 * The fallback: pages by listed price, each beginning at the last price of the one before. An offer that is
 * repriced meanwhile can be missed, so a whole second walk must find nothing new.
 */
export async function walkByPrice(walk: Walk): Promise<WalkEnd> {
  let floor: number | undefined;
  for (;;) {
    const page = await ask(walk, { order: 'price-id', minUsdPerHour: floor });
    if (page.rows === 0) return { kind: 'whole' };
    await takePage(walk, page);
    const [lowest, highest] = priceRange(page);
    if (lowest === null || highest === null) return { kind: 'cut', reason: 'a page had no readable price' };
    if (floor !== undefined && lowest < floor) {
      return { kind: 'cut', reason: 'the market honours neither an order by id nor a lowest price' };
    }
    noteCap(walk, page);
    if (highest > lowest) {
      floor = highest;
      continue;
    }
    const end = await walkPlateau(walk, page, highest);
    if (end !== null) return end;
    floor = nextUp(highest);
  }
}

/** All offers of one price that fill a page: the rest of them by id. null: nothing is missing. */
async function walkPlateau(walk: Walk, first: OfferPage, price: number): Promise<WalkEnd | null> {
  let afterId = Math.max(...first.ids);
  for (;;) {
    const page = await ask(walk, { order: 'price-id', exactUsdPerHour: price, afterId });
    if (page.rows === 0) return null;
    if (page.ids.some((id) => id <= afterId)) {
      const unseen = page.offers.some((offer) => !walk.seen.has(offer.offerId));
      await takePage(walk, page);
      const cut = unseen || page.rows >= Math.max(...walk.certificate.rowsPerPage.slice(0, -1));
      return cut ? { kind: 'cut', reason: `more offers at $${price}/hour than one answer holds` } : null;
    }
    await takePage(walk, page);
    afterId = Math.max(...page.ids);
  }
}

async function ask(
  walk: Walk,
  position: Pick<OfferQuery, 'order' | 'afterId' | 'minUsdPerHour' | 'exactUsdPerHour'>,
): Promise<OfferPage> {
  const page = await walk.client.searchOffers({ ...walk.search, ...position }, { signal: walk.signal });
  const { certificate } = walk;
  certificate.pages += 1;
  certificate.rowsPerPage.push(page.rows);
  certificate.rows += page.rows;
  certificate.replacedCharacters += page.replacedCharacters;
  certificate.retries += page.retries;
  certificate.throttles += page.throttles;
  for (const rejected of page.rejected) noteRejected(walk, rejected);
  return page;
}

function noteRejected({ certificate, rejectedIds }: Walk, { reason, offerId }: RejectedOffer): void {
  if (offerId !== null && rejectedIds.has(offerId)) {
    certificate.duplicates += 1;
    return;
  }
  if (offerId !== null) rejectedIds.add(offerId);
  certificate.rejected[reason] = (certificate.rejected[reason] ?? 0) + 1;
}

async function takePage(walk: Walk, page: OfferPage): Promise<void> {
  const { seen, certificate } = walk;
  const fresh: Offer[] = [];
  for (const offer of page.offers) {
    const price = seen.get(offer.offerId);
    if (price === undefined) fresh.push(offer);
    else {
      certificate.duplicates += 1;
      if (price !== offer.listedUsdPerHour) certificate.movedRows += 1;
    }
    seen.set(offer.offerId, offer.listedUsdPerHour);
  }
  certificate.accepted += fresh.length;
  await walk.take(fresh);
}

/** A page with offers after it shows how many rows the market gives at most, if that is fewer than asked. */
function noteCap({ certificate, search }: Walk, page: OfferPage): void {
  const before = certificate.rowsPerPage.at(-2);
  if (before !== undefined && page.rows > 0 && before < search.limit) {
    certificate.rowCap = Math.max(certificate.rowCap ?? 0, before);
  }
}

function priceRange(page: OfferPage): [lowest: number | null, highest: number | null] {
  const prices = page.offers.map((offer) => offer.listedUsdPerHour);
  return prices.length === 0 ? [null, null] : [Math.min(...prices), Math.max(...prices)];
}

/** The next larger double: "above this price" where only "at least" can be asked. */
function nextUp(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  return view.getFloat64(0);
}
