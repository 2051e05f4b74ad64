/** What a crawl or an importer can say about how much of its scope a book holds. */
export interface CoverageCertificate {
  /** Pages asked, retries not counted; 0 for an imported book. */
  pages: number;
  rowsPerPage: number[];
  rows: number;
  /** Rows that became offers of the book. */
  accepted: number;
  /** The market gave fewer rows than asked while more existed: its cap, or null when none showed. */
  rowCap: number | null;
  /** Rows whose id the book already had; equal ones of a moment count once. */
  duplicates: number;
  /** Rows seen again on a later page because their price moved. */
  movedRows: number;
  /** Rows that could not be read, by reason. */
  rejected: Record<string, number>;
  /** U+0000 and lone surrogates replaced by U+FFFD. */
  replacedCharacters: number;
  retries: number;
  throttles: number;
  durationMs: number;
  /** Offers estimated unseen, as a share of all; null when no second pass was made. */
  estimatedMissingShare: number | null;
  /** How pages were asked for: by id, by price, or not at all (import). */
  paging: 'id' | 'price' | 'none';
}

export type CoverageProof = 'proved' | 'declared';

export type Coverage =
  | { verdict: 'complete'; reason: null; proof: CoverageProof }
  | { verdict: 'partial'; reason: string; proof: CoverageProof };

export const complete = (proof: CoverageProof): Coverage => ({ verdict: 'complete', reason: null, proof });
export const partial = (proof: CoverageProof, reason: string): Coverage => ({
  verdict: 'partial',
  reason,
  proof,
});

/** Above this share of unreadable rows a book no longer stands for its market. */
const rejectedShareLimit = 0.02;

/**
 * Why the rows themselves forbid the verdict `complete`, or null. `fatal` means that nothing may be stored:
 * rows came and none could be read.
 */
export function rowProblem(rows: number, accepted: number): { fatal: boolean; reason: string } | null {
  const rejected = rows - accepted;
  if (rows === 0) return { fatal: false, reason: 'the answer was empty' };
  if (accepted === 0) return { fatal: true, reason: `none of ${rows} rows could be read` };
  if (rejected / rows > rejectedShareLimit) {
    return { fatal: false, reason: `${rejected} of ${rows} rows could not be read` };
  }
  return null;
}

/** An empty certificate to be filled in. */
export function blankCertificate(paging: CoverageCertificate['paging']): CoverageCertificate {
  return {
    pages: 0,
    rowsPerPage: [],
    rows: 0,
    accepted: 0,
    rowCap: null,
    duplicates: 0,
    movedRows: 0,
    rejected: {},
    replacedCharacters: 0,
    retries: 0,
    throttles: 0,
    durationMs: 0,
    estimatedMissingShare: null,
    paging,
  };
}
