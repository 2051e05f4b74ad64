import { countOf } from '../../core/count-of.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { medianOf } from '../../core/percentile.ts';
import { readCheapestClouds } from '../catalogs/cheapest-cloud.ts';
import { offerPrices } from '../newest/offer-prices.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { pooledPlainly } from './daily-prices.ts';
import type { ExplainedModel } from './explain-answer.ts';
import { type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';
import { cheapestAt, type JudgedListPrice, judgeListPrices } from './held-list-prices.ts';
import { findNewestRows, type NewestRows } from './newest-rows.ts';

/**
 * Explains another seller's cheapest list price at a moment, among all that may be for the model; null: now, beside the
 * median of the newest book.
 */
export async function explainListPrice(
  deps: PricesDeps,
  series: ExplainedModel,
  asked: Date | null,
): Promise<ExplainedFigures> {
  const { type, gpuName, isRecorded } = series;
  const newest = asked === null ? await findNewestRows(deps, series) : null;
  const at = asked ?? (isRecorded ? newest?.book.observedAt : null) ?? deps.now();
  const [clouds, prices] = await Promise.all([
    readCheapestClouds(deps.sql, { type, gpuNames: [gpuName], at }),
    judgeListPrices(deps.sql, { type, gpuName, from: at, to: new Date(at.getTime() + 1) }),
  ]);
  const shown = clouds.get(gpuName);
  const best = cheapestAt(prices, at);
  if (shown === undefined && best === null)
    throw new ApiProblem(404, 'not-found', 'No catalog lists a price that is certainly for this model.');
  const { shownMedian, median } = mediansOf(newest);
  const usdPerGpuHour = best?.perGpu.toNumber() ?? null;
  const taken = prices.filter(({ rejected }) => rejected === null);
  const rejected = prices.filter((price) => price.rejected !== null);
  return {
    text: [
      `The cheapest per GPU of ${countOf(taken.length, 'list price')} in force on ${momentWords(at)}${best === null ? '' : `: ${best.provider}, ${best.region === '' ? 'no region' : best.region}, ${countOf(best.numGpus, 'GPU')}`}. ${leftOutWords(rejected)}`,
      'A name that may mean several models is compared with none of them.',
    ],
    value: {
      usdPerGpuHour: shown?.usdPerGpuHour ?? null,
      ...aboveMedian(shown?.usdPerGpuHour ?? null, shownMedian, (price, middle) => price / middle - 1),
    },
    recomputed: {
      usdPerGpuHour,
      ...aboveMedian(usdPerGpuHour, median, (price, middle) => (price - middle) / middle),
    },
    unit: 'USD/GPU/hour',
    formula: 'usdPerHour / numGpus; 100 × (usdPerGpuHour / median − 1)',
    taken: taken.sort((a, b) => a.perGpu.comparedTo(b.perGpu)).map(present),
    rejected: rejected.map(present),
  };
}

/** Returns the shown and recomputed median; null: an incomplete newest book, or another moment is requested. */
const mediansOf = (newest: NewestRows | null): Record<'shownMedian' | 'median', number | null> =>
  newest === null
    ? { shownMedian: null, median: null }
    : {
        shownMedian: offerPrices(newest.offers, () => null).median,
        median: medianOf(newest.rows.flatMap((row) => pooledPlainly(row) ?? [])),
      };

const aboveMedian = (
  price: number | null,
  median: number | null,
  share: (price: number, median: number) => number,
): Figures => (price === null || !median ? {} : { median, abovePercent: 100 * share(price, median) });

const present = ({ perGpu, since, until, ...price }: JudgedListPrice): Figures => ({
  ...price,
  usdPerGpuHour: perGpu.toNumber(),
  form: price.form === '' ? null : price.form,
  since: since.toISOString(),
  until: until?.toISOString() ?? null,
});
