import { getRankings } from '../../../client/operations.js';
import { defaultRanking, metricLabel, metricNames } from '../../core/metrics.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { choiceNames } from '../../parts/filter-fields.ts';

/** Metrics to rank by. */
export const rankingOptions = metricNames.rankings.map((value) => ({
  value,
  label: sentenceCase(metricLabel(value)),
}));

/** Returns the metric that a query ranks by. */
export const chosenKey = (query: URLSearchParams): string => query.get('by') ?? defaultRanking;

/** Returns the path of a query's ranking. */
export const rankingPath = (query: URLSearchParams, limit: number) =>
  pathTo(getRankings, { ...valuesOf(query, choiceNames), by: chosenKey(query), limit });
