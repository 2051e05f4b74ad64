import type { MissingEstimate } from './completeness.ts';

/** One pass over the pages of a part of the market. */
export type CoveragePass = {
  /**
   * `full`: all pages of the part. `sample`: some of them, drawn at random. `probe`: the pages that showed that the
   * market cannot page by id.
   */
  kind: 'full' | 'sample' | 'probe';
  /** The part's name: `RTX 4090`, `verified`; null: everything requested. */
  part: string | null;
  pages: number;
  rows: number;
  /** Offers that no earlier pass over this part had. */
  unseen: number;
};

/** What a crawl or an importer can say about how much of its scope a book holds. */
export interface CoverageCertificate {
  /** Pages requested in all passes, without retries; 0 for an imported book. */
  pages: number;
  /** Of the first 1,000 pages, in request order. */
  rowsPerPage: number[];
  /** Rows requested per page; null for an imported book. */
  pageLimit: number | null;
  rows: number;
  /** Rows that became offers of the book. */
  accepted: number;
  /** The market's row limit, seen when it returned fewer rows while more existed; null: not seen. */
  rowCap: number | null;
  /** Rows whose id the book already had; equal ones of a moment count once. */
  duplicates: number;
  /** Rows seen again on a later page because their price moved. */
  movedRows: number;
  /** Rows that could not be read, by reason. */
  rejected: Record<string, number>;
  /** Rows that are not offers in US dollars, such as prices in another currency, by reason; not in `rows`. */
  leftOut: Record<string, number>;
  /** The first 50 rows with contradictory prices: the amounts as delivered, by name. */
  doubtfulPrices: { offerId: number; amounts: Readonly<Record<string, number>> }[];
  /** U+0000 and lone surrogates replaced by U+FFFD. */
  replacedCharacters: number;
  retries: number;
  throttles: number;
  durationMs: number;
  /** Offers estimated unseen, as a share of all; null when no second pass was made. */
  estimatedMissingShare: number | null;
  /** The same with an allowance for chance; null with it. */
  missingShareAtMost: number | null;
  /** How it was estimated; of several parts the least certain one; null with it. */
  estimate: MissingEstimate['how'] | null;
  /** In the order of reading; empty for an imported book. */
  passes: CoveragePass[];
  /** Whether a second request confirmed that no offer from the start of the pass is after the last one. */
  endConfirmed: boolean;
  /** Why the market was read in parts: it ignores lists of tiers or models, or cuts responses off; null: it was not. */
  apart: 'tiers' | 'models' | null;
  /** How the pages were read: by id, by price, all in one response, or not at all (import). */
  paging: 'id' | 'price' | 'whole' | 'none';
}

export type CoverageProof = 'proved' | 'declared';

export type Coverage =
  | { verdict: 'complete'; reason: null; proof: CoverageProof }
  | { verdict: 'partial'; reason: string; proof: CoverageProof };

/** The verdict on one part of a book. */
export interface CoverageSlice {
  /** null: all models that have no slice of their own. */
  gpuName: string | null;
  coverage: Coverage;
}

export const complete = (proof: CoverageProof): Coverage => ({ verdict: 'complete', reason: null, proof });
export const partial = (proof: CoverageProof, reason: string): Coverage => ({
  verdict: 'partial',
  reason,
  proof,
});

/** Returns what was proved for one model: its own slice's verdict, else that of all others, else that of the whole. */
export function coverageOfModel(
  { coverage, slices }: { coverage: Coverage; slices: readonly CoverageSlice[] },
  gpuName: string | null,
): Coverage {
  const slice =
    slices.find((each) => each.gpuName === gpuName) ?? slices.find((each) => each.gpuName === null);
  return slice?.coverage ?? coverage;
}

/** Returns an empty certificate. */
export function blankCertificate(paging: CoverageCertificate['paging']): CoverageCertificate {
  return {
    pages: 0,
    rowsPerPage: [],
    pageLimit: null,
    rows: 0,
    accepted: 0,
    rowCap: null,
    duplicates: 0,
    movedRows: 0,
    rejected: {},
    leftOut: {},
    doubtfulPrices: [],
    replacedCharacters: 0,
    retries: 0,
    throttles: 0,
    durationMs: 0,
    estimatedMissingShare: null,
    missingShareAtMost: null,
    estimate: null,
    passes: [],
    endConfirmed: false,
    apart: null,
    paging,
  };
}
