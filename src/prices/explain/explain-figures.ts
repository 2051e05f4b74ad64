import type { Context } from 'hono';
import { badField } from '../../core/http/problem.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { type ExplainedSeries, readExplainedSeries } from './explain-answer.ts';
import { explainForecast } from './explain-forecast.ts';
import { explainChange, explainIndexPoint } from './explain-index.ts';
import { explainListing } from './explain-listing.ts';
import type { AskedPrices } from './explain-params.ts';
import { explainVerdict } from './explain-verdict.ts';
import { explainWait } from './explain-wait.ts';
import { type ExplainedFigures, type FigureExplanationAnswer, presentFigures } from './explanation-schema.ts';

/** A request with the range that a listing's history takes. */
type Asked = AskedPrices & {
  of: Exclude<FigureExplanationAnswer['of'], 'vs-market'>;
  from?: string | undefined;
  to?: string | undefined;
};

const defaultDays = { change: 7, forecast: 7 };

/** What a figure that is no point and no rank is made of. Throws the 400 of what is no such figure. */
export async function answerFigures(
  c: Context,
  deps: PricesDeps,
  asked: Asked,
): Promise<FigureExplanationAnswer> {
  return presentFigures(c, asked, asked.of, await explain(deps, asked));
}

async function explain(deps: PricesDeps, asked: Asked): Promise<ExplainedFigures> {
  const { of, days } = asked;
  if (of === 'wait') return await explainWait(deps, asked);
  const series = await readExplainedSeries(deps, asked);
  const at = readMomentParam('at', asked.at, 'UTC');
  if (of === 'index') return await explainIndexPoint(deps, ofModel(series), at);
  if (of === 'change')
    return await explainChange(deps, ofModel(series), { at, days: days ?? defaultDays.change });
  if (of === 'forecast')
    return await explainForecast(deps, series, {
      days: days ?? defaultDays.forecast,
      metric: asked.forecastOf,
    });
  if (asked.listingId === undefined) throw badField('listingId', 'is missing');
  const listingId = Number(asked.listingId);
  if (of === 'verdict') return await explainVerdict(deps, series, { listingId, days: days ?? null });
  return await explainListing(deps, asked, listingId);
}

function ofModel(series: ExplainedSeries): ExplainedSeries & { gpuName: string } {
  const { gpuName } = series;
  if (gpuName === null) throw badField('gpuName', 'is missing: the index is of single models');
  return { ...series, gpuName };
}
