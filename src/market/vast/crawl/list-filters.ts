import type { Walk } from './page-walk.ts';

/** Searches tried at most. */
const maxTried = 3;

/**
 * Whether a market ignores a list of values: asked for one of them alone it answers offers of which most were
 * not in the answers to the list. `searches` ask for the values that the list found nothing of, one each.
 */
export async function listsAreIgnored(walk: Walk, searches: readonly Walk['search'][]): Promise<boolean> {
  for (const search of searches.slice(0, maxTried)) {
    const page = await walk.client.searchOffers({ ...search, order: 'id' }, { signal: walk.signal });
    const unseen = page.offers.filter(({ offerId }) => !walk.gathered.has(offerId)).length;
    await walk.gathered.add(page);
    if (unseen * 2 > page.offers.length) return true;
  }
  return false;
}
