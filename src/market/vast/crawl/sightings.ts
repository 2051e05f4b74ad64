import {
  estimateByRecapture,
  estimateByTwoPasses,
  type MissingEstimate,
} from '../../../core/completeness.ts';
import type { CoverageCertificate, CoveragePass } from '../../../core/coverage.ts';
import type { OfferPage } from '../offers.ts';

/** Which pass over a part of the market saw which offer. */
export interface Sightings {
  /** Starts a pass, which appears in the certificate at once. */
  beginPass: (kind: 'full' | 'sample') => CoveragePass;
  /** Records the offers of a page in the current pass. */
  note: (page: OfferPage) => void;
  /** Offers seen in any pass. */
  size: () => number;
  /** The highest id seen, including those of unreadable rows; -Infinity before the first. */
  highestId: () => number;
  /** Offers that an earlier full pass saw but the last one did not. */
  missedInLastPass: () => number;
  /** Returns what two or more full passes suggest is missing. */
  estimate: () => MissingEstimate;
}

/** Creates the sightings of a part of the market, named `part` in the certificate; null: the whole market. */
export function createSightings(
  certificate: Pick<CoverageCertificate, 'passes'>,
  part: string | null,
): Sightings {
  /** By offer id, one bit for each full pass that saw it, the first pass lowest. */
  const seenIn = new Map<number, number>();
  let fullPasses = 0;
  let current: CoveragePass | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  return {
    beginPass(kind) {
      if (kind === 'full') fullPasses += 1;
      current = { kind, part, pages: 0, rows: 0, unseen: 0 };
      certificate.passes.push(current);
      return current;
    },
    note(page) {
      if (current === null) throw new Error('no pass has begun');
      current.pages += 1;
      current.rows += page.rows;
      const bit = current.kind === 'full' ? 1 << (fullPasses - 1) : 0;
      for (const { offerId } of page.offers) {
        const before = seenIn.get(offerId);
        if (before === undefined) current.unseen += 1;
        seenIn.set(offerId, (before ?? 0) | bit);
      }
      for (const id of page.ids) if (id > highest) highest = id;
    },
    size: () => seenIn.size,
    highestId: () => highest,
    missedInLastPass: () => {
      const last = 1 << (fullPasses - 1);
      return [...seenIn.values()].filter((seen) => (seen & last) === 0).length;
    },
    estimate() {
      const histories = [...seenIn.values()];
      return fullPasses === 2 ? ofTwoPasses(histories) : ofMorePasses(histories, fullPasses);
    },
  };
}

function ofTwoPasses(histories: readonly number[]): MissingEstimate {
  const count = (mask: number): number => histories.filter((seen) => (seen & mask) === mask).length;
  return estimateByTwoPasses({ first: count(1), second: count(2), both: count(3) });
}

/** Pools the passes that have others around them: an offer seen before and after a pass existed during it. */
function ofMorePasses(histories: readonly number[], passes: number): MissingEstimate {
  let missed = 0;
  let around = 0;
  for (const seen of histories) {
    for (let pass = 1; pass < passes - 1; pass += 1) {
      const before = seen & ((1 << pass) - 1);
      if (before === 0 || seen >> (pass + 1) === 0) continue;
      around += 1;
      if ((seen & (1 << pass)) === 0) missed += 1;
    }
  }
  return estimateByRecapture({ missed, around, passes, union: histories.length });
}
