import type { MissingEstimate } from '../../../core/completeness.ts';
import {
  type Coverage,
  type CoverageSlice,
  complete,
  coverageOfModel,
  partial,
} from '../../../core/coverage.ts';

/** What walks over a part of the market proved. */
export interface PartCoverage {
  coverage: Coverage;
  /** null: no second pass was completed. */
  estimate: MissingEstimate | null;
  /** Offers seen. */
  offers: number;
  /** By model if walked model by model; empty: one verdict for all. */
  slices: readonly CoverageSlice[];
}

export type NamedPart = PartCoverage & { name: string };

/** Joins parts of one model each; null: all other models. */
export function joinModels(parts: readonly (NamedPart & { gpuName: string | null })[]): PartCoverage {
  return { ...joinParts(parts), slices: parts.map(({ gpuName, coverage }) => ({ gpuName, coverage })) };
}

/** Joins parts with offers of any model; a model is complete if it is complete in every part. */
export function joinTiers(parts: readonly NamedPart[]): PartCoverage {
  const names = new Set(parts.flatMap(({ slices }) => slices.map(({ gpuName }) => gpuName)));
  const slices = [...names].map((gpuName) => {
    const verdicts = parts.map((part) => coverageOfModel(part, gpuName));
    const worst = verdicts.find(({ verdict }) => verdict === 'partial');
    return { gpuName, coverage: worst ?? complete('proved') };
  });
  return { ...joinParts(parts), slices };
}

function joinParts(parts: readonly NamedPart[]): Omit<PartCoverage, 'slices'> {
  const offers = parts.reduce((sum, part) => sum + part.offers, 0);
  const bad = parts.filter(({ coverage }) => coverage.verdict === 'partial');
  const [first] = bad;
  const coverage =
    first === undefined
      ? complete('proved')
      : partial(
          'proved',
          `${bad.length} of ${parts.length} parts are not complete; ${first.name}: ${first.coverage.reason}`,
        );
  return { coverage, offers, estimate: joinEstimates(parts, offers) };
}

const certainty: readonly MissingEstimate['how'][] = ['agreed', 'chapman', 'recapture'];

function joinEstimates(parts: readonly PartCoverage[], offers: number): MissingEstimate | null {
  const joined: MissingEstimate = { how: 'agreed', share: 0, atMost: 0, atMostOffers: 0 };
  for (const { estimate, offers: seen } of parts) {
    if (estimate === null) return null;
    const weight = offers === 0 ? 0 : seen / offers;
    joined.share += estimate.share * weight;
    joined.atMost += estimate.atMost * weight;
    joined.atMostOffers += estimate.atMostOffers;
    if (certainty.indexOf(estimate.how) > certainty.indexOf(joined.how)) joined.how = estimate.how;
  }
  return joined;
}
