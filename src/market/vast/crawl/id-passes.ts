import { type Coverage, complete, partial, partialReasons } from '../../../core/coverage.ts';
import {
  estimateByAgreement,
  isNegligible,
  type MissingEstimate,
  missingShareLimit,
} from '../../../core/missing-share.ts';
import { type IdRange, type Walk, type WalkEnd, walkById, walkRange } from './page-walk.ts';
import { chooseRanges } from './sampled-ranges.ts';

/** What passes over a part of the market gave. */
export type PartOutcome =
  | { kind: 'judged'; coverage: Coverage; estimate: MissingEstimate | null }
  /** Ids do not page. */
  | { kind: 'unpageable'; reason: string }
  /** An answer was cut and there is no way to page: smaller parts may fit. */
  | { kind: 'cut'; reason: string }
  /** The market has to be asked tier by tier or model by model. */
  | { kind: 'apart'; by: 'tiers' | 'models' };

export interface PassOptions {
  random: () => number;
  /** Called once when all pages have been read for the first time; may ask for other parts. */
  afterFirstPass: () => Promise<'tiers' | 'models' | null>;
}

/** Full passes at most; beyond the third only where one more is likely to settle it. */
const maxPasses = { long: 4, short: 5 };
/** A part of no more pages is short: passes over it cost little, and of its few offers one says little. */
const shortPages = 5;

/**
 * Reads a part of the market by id until it is known how much of it may be missing: a full pass, a sample of it
 * again, and where that finds an offer which the first had not, further full passes. Complete only where at most
 * 0.1 % is missing. Source: docs/decisions/0008-when-a-book-is-complete.md.
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
  if (again.unseen === 0) return judged(estimateByAgreement(again.rows, sightings.size()));
  return await repeatPasses(walk, first.pages);
}

/** Full passes until what is missing is negligible, or more of them are not worth it. */
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

/** Of so many passes p^k is missing, of one more p^(k + 1). */
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

/** `0.25 %`: two significant digits. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))}%`;
