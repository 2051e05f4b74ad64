import { getRankings, listRankingGroups } from '../../../client/operations.js';
import { defaultMetric, defaultRanking, metricLabel, metricNames } from '../../core/metrics.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { choiceNames } from '../../parts/filter-fields.ts';

/** Metrics to rank by. */
export const rankingOptions = metricNames.rankings.map((value) => ({
  value,
  label: sentenceCase(metricLabel(value)),
}));

/** Parameters of the order of a ranking, which do not change its ranks. */
export const orderNames = ['sort', 'order', 'deverifiedLast', 'outliersLast', 'endingLast'] as const;

/**
 * Returns the metric that a query ranks by unless another is chosen: the price per GPU of one model, the cost of speed
 * of several.
 */
export const defaultKey = (query: URLSearchParams): string =>
  query.getAll('gpuName').length === 1 ? defaultMetric : defaultRanking;

/** Returns the metric that a query ranks by. */
export const chosenKey = (query: URLSearchParams): string => query.get('by') ?? defaultKey(query);

/** Returns the path of a query's ranking, by rank. */
export const rankingPath = (query: URLSearchParams, limit: number) =>
  pathTo(getRankings, { ...valuesOf(query, choiceNames), by: chosenKey(query), limit });

/** Returns the path of a query's ranking in its order: outlier prices last unless the query says otherwise. */
export const orderedPath = (query: URLSearchParams, limit: number) =>
  pathTo(getRankings, {
    ...valuesOf(query, [...choiceNames, ...orderNames]),
    outliersLast: query.get('outliersLast') ?? 'true',
    by: chosenKey(query),
    limit,
  });

/** Returns the path of the models that have offers for a query, whichever models it names, by price per GPU. */
export const modelsPath = (query: URLSearchParams) =>
  pathTo(listRankingGroups, {
    ...valuesOf(
      query,
      choiceNames.filter((name) => name !== 'gpuName'),
    ),
    by: defaultMetric,
    groupBy: 'gpuName',
  });
