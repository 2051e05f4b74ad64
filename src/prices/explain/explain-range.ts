import { findNewest } from '../../books/newest-books.sql.ts';
import { countOf } from '../../core/count-of.ts';
import { readFilter, readProfile } from '../../core/http/query.ts';
import { readRange } from '../../core/http/time-range.ts';
import { metrics } from '../../core/metric.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { readTrends } from '../trends/read-trends.ts';
import type { ExplainedSeries } from './explain-answer.ts';
import type { AskedPrices } from './explain-params.ts';
import { type AskedRange, type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';

/** Explains how a series' median changed over a range, point by point; each point has its own explanation. */
export async function explainRange(
  deps: PricesDeps,
  { marketId, type, gpuName }: ExplainedSeries,
  asked: AskedPrices & AskedRange,
): Promise<ExplainedFigures> {
  const { scopeId, newest } = await findNewest(deps.sql, marketId, [type]);
  const { from, to } = readRange(asked, newest, deps.now());
  const { metric, bucket = 'book' } = asked;
  const { series } = await readTrends(deps.sql, {
    scopeId,
    types: [type],
    gpuNames: gpuName === null ? [] : [gpuName],
    from,
    to,
    bucket,
    metric,
    filter: readFilter(asked),
    profile: readProfile(asked),
  });
  const points = series[0]?.points ?? [];
  const rows = points.map(({ t, books, observations, median }) => ({
    t: t.toISOString(),
    books,
    observations,
    median,
    rejected: median === null ? 'no price' : null,
  }));
  const taken = rows.filter(({ rejected }) => rejected === null);
  const rejected = rows.filter((row) => row.rejected !== null);
  const medians = points.flatMap(({ median }) => (median === null ? [] : [median]));
  return {
    text: [
      `${countOf(taken.length, 'point')} from ${momentWords(from)} to ${momentWords(to)}, each counting once. ${leftOutWords(rejected)}`,
      'Medians are taken as shown: each point can be explained by itself.',
    ],
    value: summarize(medians),
    recomputed: summarizeSorted(taken.map(({ median }) => Number(median))),
    unit: metrics[metric].unit,
    formula: 'changePercent: 100 × (last / first − 1)',
    taken: taken.reverse(),
    rejected,
  };
}

function summarize(medians: readonly number[]): Figures {
  const [first, last] = [medians[0], medians.at(-1)];
  if (first === undefined || last === undefined) return {};
  return {
    changePercent: first === 0 || medians.length < 2 ? null : 100 * (last / first - 1),
    lowest: medians.reduce((a, b) => Math.min(a, b)),
    mean: medians.reduce((sum, median) => sum + median, 0) / medians.length,
    highest: medians.reduce((a, b) => Math.max(a, b)),
  };
}

/** Recomputes the summary from sorted rows. */
function summarizeSorted(medians: readonly number[]): Figures {
  const sorted = medians.toSorted((a, b) => a - b);
  const [first, last] = [medians[0] ?? 0, medians.at(-1) ?? 0];
  return {
    changePercent: first === 0 || medians.length < 2 ? null : (100 * (last - first)) / first,
    lowest: sorted[0] ?? null,
    mean: sorted.length === 0 ? null : sorted.reduce((sum, each) => sum + each / sorted.length, 0),
    highest: sorted.at(-1) ?? null,
  };
}
