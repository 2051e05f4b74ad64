import type { Context } from 'hono';
import { badField } from '../../core/http/problem.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { type ExplainedModel, type ExplainedSeries, readExplainedSeries } from './explain-answer.ts';
import { explainBidSpread } from './explain-bid-spread.ts';
import { explainForecast } from './explain-forecast.ts';
import { explainChange, explainIndexPoint } from './explain-index.ts';
import { explainListPrice } from './explain-list-price.ts';
import { explainListing } from './explain-listing.ts';
import { explainLowest } from './explain-lowest.ts';
import { explainVolatility, explainWeek } from './explain-pattern.ts';
import type { AskedPatterns } from './explain-pattern-params.ts';
import { explainRange } from './explain-range.ts';
import { explainSupply } from './explain-supply.ts';
import { explainTiming } from './explain-timing.ts';
import { explainVerdict } from './explain-verdict.ts';
import { explainWait } from './explain-wait.ts';
import {
  type ExplainedFigures,
  type FigureExplanationAnswer,
  type PriceFigureKind,
  presentFigures,
} from './explanation-schema.ts';

/** A request, with the range of a history. */
type Asked = AskedPatterns & { of: PriceFigureKind };

/** Explains a figure other than points and ranks. Throws a 400 if there is no such figure. */
export async function answerFigures(
  c: Context,
  deps: PricesDeps,
  asked: Asked,
): Promise<FigureExplanationAnswer> {
  return presentFigures(c, asked, asked.of, await explainers[asked.of](deps, asked));
}

const defaultDays = 7;
const atOf = ({ at }: Asked): Date | null => readMomentParam('at', at, 'UTC');

type Explainer = (deps: PricesDeps, asked: Asked) => Promise<ExplainedFigures>;

/** Creates the explainer of figures of one series. */
const ofSeries =
  (
    explain: (deps: PricesDeps, series: ExplainedSeries, asked: Asked) => Promise<ExplainedFigures>,
  ): Explainer =>
  async (deps, asked) =>
    await explain(deps, await readExplainedSeries(deps, asked), asked);

/** Creates the explainer of figures of one model. */
const ofModel = (
  explain: (deps: PricesDeps, series: ExplainedModel, asked: Asked) => Promise<ExplainedFigures>,
): Explainer =>
  ofSeries(async (deps, { gpuName, ...series }, asked) => {
    if (gpuName === null) throw badField('gpuName', 'is missing: the figure is per model');
    return await explain(deps, { ...series, gpuName }, asked);
  });

/** The explainer of each kind of figure. */
const explainers: Record<PriceFigureKind, Explainer> = {
  wait: explainWait,
  index: ofModel((deps, series, asked) => explainIndexPoint(deps, series, atOf(asked))),
  change: ofModel((deps, series, asked) =>
    explainChange(deps, series, { at: atOf(asked), days: asked.days ?? defaultDays }),
  ),
  forecast: ofSeries((deps, series, asked) =>
    explainForecast(deps, series, { days: asked.days ?? defaultDays, metric: asked.forecastOf }),
  ),
  verdict: ofSeries((deps, series, asked) =>
    explainVerdict(deps, series, { listingId: listingOf(asked), days: asked.days ?? null }),
  ),
  listing: (deps, asked) => explainListing(deps, asked, listingOf(asked)),
  lowest: ofModel(explainLowest),
  timing: ofModel(explainTiming),
  'bid-spread': ofModel(explainBidSpread),
  'list-price': ofModel((deps, series, asked) => explainListPrice(deps, series, atOf(asked))),
  week: ofModel(explainWeek),
  volatility: ofModel(explainVolatility),
  range: ofSeries(explainRange),
  supply: explainSupply,
};

function listingOf({ listingId }: Asked): number {
  if (listingId === undefined) throw badField('listingId', 'is missing');
  return Number(listingId);
}
