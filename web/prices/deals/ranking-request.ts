import { defaultRanking, metricLabel, metricNames } from '../../core/metrics.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { choiceNames, pickParameters } from '../../parts/filter-fields.ts';

/** Figures to rank by. */
export const rankingOptions = metricNames.rankings.map((value) => ({
  value,
  label: sentenceCase(metricLabel(value)),
}));

/** The figure that a query ranks by. */
export const chosenKey = (query: URLSearchParams): string => query.get('by') ?? defaultRanking;

/** Path of the ranking that a query asks for. */
export function rankingPath(query: URLSearchParams, limit: number): string {
  const asked = pickParameters(query, choiceNames);
  asked.set('by', chosenKey(query));
  asked.set('limit', String(limit));
  return `/api/rankings?${asked}`;
}
