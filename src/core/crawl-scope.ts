/** What a crawl requests and its book covers. Source: docs/meaning.md#books-and-coverage. */
export interface CrawlScope {
  name: string;
  /** Models that the crawl is limited to, as the market names them, at least one; null: all. */
  gpuNames: readonly string[] | null;
  /** true: offers that can be rented now; false: offers that cannot. */
  rentable: boolean;
}

/** The whole rentable market. */
export const defaultScope: CrawlScope = { name: 'default', gpuNames: null, rentable: true };

/**
 * All offers that cannot be rented now. With them, a rented machine can be distinguished from one that left the market.
 */
export const rentedScope: CrawlScope = { name: 'rented', gpuNames: null, rentable: false };

/**
 * Returns the scope of the rentable offers of some models, equal for the same models in any order. Throws RangeError
 * for an empty list.
 */
export function narrowScope(gpuNames: readonly string[]): CrawlScope {
  const names = [...new Set(gpuNames)].sort();
  if (names.length === 0) throw new RangeError('a narrow scope names at least one model');
  return { name: `models:${names.join('|')}`, gpuNames: names, rentable: true };
}

/** Whether an offer of this model belongs to the scope. */
export const coversModel = ({ gpuNames }: Pick<CrawlScope, 'gpuNames'>, gpuName: string): boolean =>
  gpuNames === null || gpuNames.includes(gpuName);

/** Returns the models to request so that every scope is covered, ascending; null: all. */
export function unionOfModels(scopes: readonly CrawlScope[]): readonly string[] | null {
  const names = new Set<string>();
  for (const { gpuNames } of scopes) {
    if (gpuNames === null) return null;
    for (const name of gpuNames) names.add(name);
  }
  return [...names].sort();
}
