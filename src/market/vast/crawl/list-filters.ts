import type { Walk } from './page-walk.ts';

/** Maximum number of searches tried. */
const maxTried = 3;

/**
 * Whether a market ignores a list of values: a search for one of them alone returns offers that were mostly missing
 * from the list's responses. `searches`: one for each value of which the list found nothing.
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
