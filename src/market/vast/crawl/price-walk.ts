import { partialReasons } from '../../../core/completeness.ts';
import type { OfferPage } from '../offers.ts';
import { fetchPage, noteCap, type Walk, type WalkEnd } from './page-walk.ts';

/**
 * Walks by listed price when ids cannot be paged, each page starting at the previous one's last price. An offer that is
 * repriced meanwhile can be missed, so a whole second walk must find nothing new.
 */
export async function walkByPrice(walk: Walk): Promise<WalkEnd> {
  let floor: number | undefined;
  let rowsBefore = Number.POSITIVE_INFINITY;
  let confirming = false;
  for (;;) {
    if (walk.isTooLate()) return { kind: 'cut', reason: partialReasons.tookTooLong };
    const page = await fetchPage(walk, { order: 'price-id', minUsdPerHour: floor });
    if (page.rows === 0) {
      walk.certificate.endConfirmed ||= confirming;
      if (confirming) return { kind: 'whole' };
      confirming = true;
      continue;
    }
    confirming = false;
    const [lowest, highest] = priceRange(page);
    if (lowest === null || highest === null) return { kind: 'cut', reason: 'a page had no readable price' };
    if (floor !== undefined && lowest < floor) {
      if (isWhole(walk, page)) return { kind: 'whole' };
      return { kind: 'cut', reason: partialReasons.noOrder };
    }
    noteCap(walk, rowsBefore);
    rowsBefore = page.rows;
    if (highest > lowest) {
      floor = highest;
      continue;
    }
    const end = await walkPlateau(walk, page, highest);
    if (end !== null) return end;
    floor = nextUp(highest);
  }
}

/** Reads the remaining offers of one price that fills a page by id. null: nothing is missing. */
async function walkPlateau(walk: Walk, first: OfferPage, price: number): Promise<WalkEnd | null> {
  let afterId = Math.max(...first.ids);
  for (;;) {
    const page = await fetchPage(walk, { order: 'price-id', exactUsdPerHour: price, afterId });
    if (page.rows === 0) return null;
    if (page.ids.some((id) => id <= afterId)) {
      if (isWhole(walk, page)) return null;
      return { kind: 'cut', reason: `${partialReasons.onePrice} $${price}/hour than one answer holds` };
    }
    afterId = Math.max(...page.ids);
  }
}

/**
 * Whether a response that cannot be paged is complete: the market has returned twice as many rows in another. Twice,
 * because a response that hides rows after the limit is shorter than it.
 */
const isWhole = ({ gathered }: Walk, page: OfferPage): boolean => page.rows * 2 <= gathered.largestPage();

function priceRange(page: OfferPage): [lowest: number | null, highest: number | null] {
  const prices = page.offers.map((offer) => offer.listedUsdPerHour);
  return prices.length === 0 ? [null, null] : [Math.min(...prices), Math.max(...prices)];
}

/** Returns the next larger double, to search above a price with "at least". */
function nextUp(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  return view.getFloat64(0);
}
