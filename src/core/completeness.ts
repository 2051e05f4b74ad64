/** An estimate, from repeated passes, of the offers that no pass saw. Shares are of all offers, seen or not. */
export interface MissingEstimate {
  /**
   * `agreed`: a second look found nothing new; `chapman`: by what two passes share; `recapture`: by what a pass
   * missed of the offers seen before and after it.
   */
  how: 'agreed' | 'chapman' | 'recapture';
  share: number;
  /** The same with a cautious allowance for chance: about 2 standard deviations. */
  atMost: number;
  /** The number of offers that `atMost` corresponds to. */
  atMostOffers: number;
}

/** Above this share of unreadable rows a book does not represent its market. */
const rejectedShareLimit = 0.02;

/** A book that may lack more than this share of its offers is not complete. */
export const missingShareLimit = 0.001;
/** For small books a share says nothing: here the odds are ten to one that nothing is missing. */
const missingOffersLimit = 0.1;
const deviations = 2;

/** A second look at this many offers that finds no new one leaves a negligible share. */
export const offersToAgree = Math.ceil(3 / missingShareLimit);

/** Whether a book that misses at most this may be called complete. */
export const isNegligible = ({ atMost, atMostOffers }: MissingEstimate): boolean =>
  atMost <= missingShareLimit || atMostOffers <= missingOffersLimit;

/** Phrases in the reasons of partial books; `advice` in coverage-words.ts has the advice for each. */
export const partialReasons = {
  tooSlow: 'too slow',
  tookTooLong: 'the crawl took too long',
  hidesOffers: 'the answers hide offers',
  stillNew: 'paging by price still found',
  onePrice: 'more offers at',
  noOrder: 'the market honors neither an order by id nor a lowest price',
  unreadable: 'rows could not be read',
  empty: 'the answer was empty',
  ignoresModels: 'the market ignores the filter on models',
} as const;

/**
 * Returns why the rows themselves rule out the verdict `complete`, or null. `fatal`: nothing may be stored, because
 * there were rows but none could be read.
 */
export function rowProblem(rows: number, accepted: number): { fatal: boolean; reason: string } | null {
  const rejected = rows - accepted;
  if (rows === 0) return { fatal: false, reason: partialReasons.empty };
  if (accepted === 0) return { fatal: true, reason: `none of ${rows} rows could be read` };
  if (rejected / rows > rejectedShareLimit) {
    return { fatal: false, reason: `${rejected} of ${rows} ${partialReasons.unreadable}` };
  }
  return null;
}

/** Estimates from a second look at `looked` of `all` offers that found no new one. */
export function estimateByAgreement(looked: number, all: number): MissingEstimate {
  const atMost = looked >= all ? 0 : 3 / (looked + 1);
  return { how: 'agreed', share: 0, atMost, atMostOffers: atMost * all };
}

/**
 * Chapman's estimator over two passes: the numbers of offers seen by `first`, by `second`, and by `both`. Offers that
 * appeared or vanished in between make it too high. Source: docs/meaning.md#crawling.
 */
export function estimateByTwoPasses(seen: { first: number; second: number; both: number }): MissingEstimate {
  const { first, second, both } = seen;
  const union = first + second - both;
  const missing = ((first + 1) * (second + 1)) / (both + 1) - 1 - union;
  const variance =
    ((first + 1) * (second + 1) * (first - both) * (second - both)) / ((both + 1) ** 2 * (both + 2));
  return estimateOf('chapman', union, missing, missing + deviations * Math.sqrt(variance));
}

/**
 * Estimates the chance that a pass misses an existing offer, from `missed` of the `around` offers seen by the passes
 * before and after it; all `passes` miss an offer with that chance to the power of their number. Offers that appeared
 * or vanished for good do not count; those that vanished and returned make the estimate too high.
 */
export function estimateByRecapture(seen: {
  missed: number;
  around: number;
  passes: number;
  union: number;
}): MissingEstimate {
  const { missed, around, passes, union } = seen;
  const share = around === 0 ? 1 : missed / around;
  const ofUnion = (missing: number): number => (missing < 1 ? (union * missing) / (1 - missing) : union);
  const [usual, most] = [share ** passes, upperShare(missed, around) ** passes];
  return estimateOf('recapture', union, ofUnion(usual), ofUnion(most));
}

/** Returns Wilson's upper bound of a share observed as `hits` of `all`. */
function upperShare(hits: number, all: number): number {
  if (all === 0) return 1;
  const share = hits / all;
  const square = deviations ** 2;
  const spread = deviations * Math.sqrt((share * (1 - share)) / all + square / (4 * all ** 2));
  return Math.min(1, (share + square / (2 * all) + spread) / (1 + square / all));
}

function estimateOf(
  how: MissingEstimate['how'],
  union: number,
  missing: number,
  most: number,
): MissingEstimate {
  const usual = Math.max(0, missing);
  const expected = Math.max(usual, most);
  // From the expected number of missing offers to the actual one: a count varies by its square root.
  const atMostOffers = expected < 1 ? expected : expected + deviations * Math.sqrt(expected);
  const shareOf = (offers: number): number => (offers === 0 ? 0 : offers / (union + offers));
  return { how, share: shareOf(usual), atMost: shareOf(atMostOffers), atMostOffers };
}
