/** What a crawl asks for and its book covers. Source: docs/meaning.md#books-and-coverage. */
export interface CrawlScope {
  name: string;
  /** The market's names of the models that it is narrowed to, at least one; null: all. */
  gpuNames: readonly string[] | null;
  /** true: what can be rented now; false: what cannot. */
  rentable: boolean;
}

/** The whole rentable market. */
export const defaultScope: CrawlScope = { name: 'default', gpuNames: null, rentable: true };

/** What cannot be rented now: tells a machine that was taken from one that left the market. */
export const rentedScope: CrawlScope = { name: 'rented', gpuNames: null, rentable: false };

/**
 * The rentable offers of some models; the same models in any order are the same scope. Throws RangeError where
 * no model is named.
 */
export function narrowScope(gpuNames: readonly string[]): CrawlScope {
  const names = [...new Set(gpuNames)].sort();
  if (names.length === 0) throw new RangeError('a narrow scope names at least one model');
  return { name: `models:${names.join('|')}`, gpuNames: names, rentable: true };
}

/** Whether an offer of this model belongs to the scope. */
export const coversModel = ({ gpuNames }: Pick<CrawlScope, 'gpuNames'>, gpuName: string): boolean =>
  gpuNames === null || gpuNames.includes(gpuName);

/** The models to ask for so that every scope is answered, ascending; null: all. */
export function unionOfModels(scopes: readonly CrawlScope[]): readonly string[] | null {
  const names = new Set<string>();
  for (const { gpuNames } of scopes) {
    if (gpuNames === null) return null;
    for (const name of gpuNames) names.add(name);
  }
  return [...names].sort();
}
