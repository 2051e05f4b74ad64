import {
  estimateByAgreement,
  isNegligible,
  type MissingEstimate,
  missingShareLimit,
  partialReasons,
} from '../../../core/completeness.ts';
import { type Coverage, complete, partial } from '../../../core/coverage.ts';
import { type IdRange, type Walk, type WalkEnd, walkById, walkRange } from './page-walk.ts';
import { chooseRanges } from './sampled-ranges.ts';

/** The result of passes over a part of the market. */
export type PartOutcome =
  | { kind: 'judged'; coverage: Coverage; estimate: MissingEstimate | null }
  /** Ids cannot be paged. */
  | { kind: 'unpageable'; reason: string }
  /** A response was cut off and cannot be paged: smaller parts may fit. */
  | { kind: 'cut'; reason: string }
  /** The market must be searched tier by tier or model by model. */
  | { kind: 'apart'; by: 'tiers' | 'models' };

export interface PassOptions {
  random: () => number;
  /** Called once after the first read of all pages; may require smaller parts. */
  afterFirstPass: () => Promise<'tiers' | 'models' | null>;
}

/** Maximum number of full passes; beyond the third only if one more is likely to be enough. */
const maxPasses = { long: 4, short: 5 };
/** Parts with up to this many pages are short: passes cost little, and one pass over few offers proves little. */
const shortPages = 5;

/**
 * Reads a part of the market by id until the missing share is known: one full pass, a sample of it again and, if that
 * finds a new offer, more full passes. Complete only if what may be missing is negligible.
 * Source: docs/decisions/0008-when-a-book-is-complete.md.
 */
export async function coverById(walk: Walk, options: PassOptions): Promise<PartOutcome> {
  const { sightings } = walk;
  const pages: (IdRange & { rows: number })[] = [];
  const first = sightings.beginPass('full');
  const end = await walkById(walk, (page) => pages.push(page));
  if (end.kind !== 'whole') return cut(end);
  const by = await options.afterFirstPass();
  if (by !== null) return { kind: 'apart', by };
  if (pages.length === 0) return judged(estimateByAgreement(0, 0));

  const sample = chooseRanges(pages, options.random);
  if (sample === 'all') return await repeatPasses(walk, first.pages);
  const again = sightings.beginPass('sample');
  for (const range of sample) {
    const rangeEnd = await walkRange(walk, range);
    if (rangeEnd.kind !== 'whole') return cut(rangeEnd);
  }
  const agreed = estimateByAgreement(again.rows, sightings.size());
  if (again.unseen === 0 && isNegligible(agreed)) return judged(agreed);
  return await repeatPasses(walk, first.pages);
}

/** Repeats full passes until the missing share is negligible or more passes are not worthwhile. */
async function repeatPasses(walk: Walk, firstPages: number): Promise<PartOutcome> {
  const { sightings } = walk;
  const isShort = firstPages <= shortPages;
  for (let made = 2; ; made += 1) {
    const pass = sightings.beginPass('full');
    const end = await walkById(walk);
    if (end.kind !== 'whole') return cut(end);
    const estimate = sightings.estimate();
    if (made === 2 && pass.unseen === 0 && (!isShort || sightings.missedInLastPass() === 0)) {
      return judged(estimateByAgreement(pass.rows, sightings.size()));
    }
    if (isNegligible(estimate) && !(isShort && made === 2)) return judged(estimate);
    const hopeful = made === 2 || isShort || expectedAfterAnother(estimate, made) <= missingShareLimit;
    if (!hopeful || made === maxPasses[isShort ? 'short' : 'long']) {
      return judged(estimate, tooUncertain(estimate));
    }
  }
}

/** If k passes miss p^k, one more misses p^(k + 1). */
const expectedAfterAnother = ({ atMost }: MissingEstimate, made: number): number =>
  atMost ** ((made + 1) / made);

const judged = (
  estimate: MissingEstimate,
  coverage: Coverage = complete('proved'),
): Extract<PartOutcome, { kind: 'judged' }> => ({ kind: 'judged', coverage, estimate });

const cut = (end: Exclude<WalkEnd, { kind: 'whole' }>): PartOutcome =>
  end.kind === 'unpageable'
    ? end
    : { kind: 'judged', coverage: partial('proved', end.reason), estimate: null };

const tooUncertain = ({ atMost }: MissingEstimate): Coverage =>
  partial('proved', `${partialReasons.hidesOffers}: up to ${percent(atMost)} of them may be missing`);

/** Rounds to two significant digits: `0.25%`. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))}%`;
