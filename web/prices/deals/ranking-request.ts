import { defaultRanking, metricLabel, metricNames } from '../../core/metrics.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { choiceNames, pickParameters } from '../../parts/filter-fields.ts';

/** Metrics to rank by. */
export const rankingOptions = metricNames.rankings.map((value) => ({
  value,
  label: sentenceCase(metricLabel(value)),
}));

/** Returns the metric that a query ranks by. */
export const chosenKey = (query: URLSearchParams): string => query.get('by') ?? defaultRanking;

/** Returns the path of a query's ranking. */
export function rankingPath(query: URLSearchParams, limit: number): string {
  const asked = pickParameters(query, choiceNames);
  asked.set('by', chosenKey(query));
  asked.set('limit', String(limit));
  return `/api/rankings?${asked}`;
}
