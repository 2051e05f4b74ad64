import { countOf } from '../../core/count-of.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { readFilter } from '../../core/http/query.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { judgeTiming } from '../verdicts/price-timing.ts';
import { readTimingBooks } from '../verdicts/read-timing.ts';
import type { ExplainedModel } from './explain-answer.ts';
import { pricedAt8Gb } from './explain-lowest.ts';
import type { AskedPrices } from './explain-params.ts';
import { type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';

const dayMs = 86_400_000;

/** Explains whether a model's lowest price is low now: the lowest price of each book that it is compared with. */
export async function explainTiming(
  deps: PricesDeps,
  { marketId, scopeId, type, gpuName }: ExplainedModel,
  asked: AskedPrices,
): Promise<ExplainedFigures> {
  const request = { marketId, scopeId, type, gpuName, filter: readFilter(asked) };
  const { times, prices } = await readTimingBooks(deps, request);
  const timing = judgeTiming(times, prices);
  const [now, price] = [times.at(-1), prices.at(-1)];
  if (timing === null || now === undefined || price === undefined)
    throw new ApiProblem(404, 'not-found', 'There is too little history to compare the lowest price with.');
  const rows = Array.from(times, (time, at): Figures & { rejected: string | null } => {
    const lowest = prices[at] as number;
    return {
      t: new Date(time).toISOString(),
      usdPerGpuHour: Number.isNaN(lowest) ? null : lowest,
      compared: lowest === price ? 'equal' : lowest < price ? 'lower' : 'higher',
      rejected: reasonOf(now - time, lowest, timing.days),
    };
  }).reverse();
  const taken = rows.filter(({ rejected }) => rejected === null);
  const rejected = rows.filter((row) => row.rejected !== null);
  const points = taken.map(({ compared }) => ({ lower: 1, equal: 0.5 })[String(compared)] ?? 0);
  const again = (100 * points.reduce((sum, each) => sum + each, 0)) / taken.length;
  return {
    text: [
      `The lowest price in the book of ${momentWords(new Date(now))} beside that of ${countOf(taken.length, 'complete book')} of the ${timing.days} days before, each without outliers. ${leftOutWords(rejected)}`,
    ],
    value: { lowest: price, percentile: timing.percentile, books: timing.books },
    recomputed: { lowest: rows[0]?.usdPerGpuHour ?? null, percentile: again, books: taken.length },
    unit: 'USD/GPU/hour',
    formula: `100 × (books with a lower lowest price + half of those with an equal one) / books, of each offer ${pricedAt8Gb}`,
    taken,
    rejected,
  };
}

function reasonOf(beforeMs: number, lowest: number, days: number): string | null {
  if (beforeMs === 0) return 'the newest book';
  if (beforeMs >= days * dayMs) return `older than ${days} days`;
  return Number.isNaN(lowest) ? 'nothing was listed' : null;
}
