import { getForecast } from '../../../client/operations.js';
import type { Forecast } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { pathTo } from '../../core/path-to.ts';
import { formatBucket } from '../../core/times.ts';
import { type Answer, useAnswer } from '../../core/use-answer.ts';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { Awaited } from '../../parts/notice.tsx';
import { isOfLine } from './index-series.ts';
import { labelsOf } from './shown-series.ts';
import type { ExpectedPoint } from './trend-datasets.ts';
import { choicesOf, type TrendRequest } from './trend-request.ts';

const dayMs = 86_400_000;

/** Loads the forecasts for the drawn lines once the chart is shown; null: the metric has none. */
export const useForecast = (
  app: App,
  requests: readonly TrendRequest[],
  metric: 'median' | 'index' | null,
): Answer<Forecast> =>
  useAnswer(
    app,
    metric === null ? null : pathTo(getForecast, { ...choicesOf(requests), metric }),
    app.landed.value,
  );

/**
 * Returns the expected values of a single line from the forecast's last day, multiplied by `scale`. Empty if nothing is
 * published.
 */
export function fanOf<Point extends { t: string }>(
  forecast: Forecast | null,
  points: readonly Point[],
  scaleOf: (last: Point) => number,
): ExpectedPoint[] {
  const [series, ...others] = forecast?.series ?? [];
  const last = points.findLast(({ t }) => t === series?.lastDay);
  if (series === undefined || series.lastValue === null || last === undefined || others.length > 0) return [];
  const start = Date.parse(last.t);
  const scale = scaleOf(last);
  const ahead = series.horizons.flatMap(({ days, value, low, high }) =>
    value === null || low === null || high === null
      ? []
      : [{ t: start + days * dayMs, low: low * scale, value: value * scale, high: high * scale }],
  );
  const now = series.lastValue * scale;
  return ahead.length === 0 ? [] : [{ t: start, low: now, value: now, high: now }, ...ahead];
}

/** Returns a sentence of the API with its days as the page writes them. */
const withDays = (words: string): string =>
  words.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (day) => formatBucket(day, '1d'));

interface Props {
  answer: Answer<Forecast>;
  requests: readonly TrendRequest[];
  /** What the forecasts are about. */
  what: string;
  /** The forecasts drawn in the chart. */
  fan: readonly ExpectedPoint[] | undefined;
}

/** Forecasts with their errors, or why there are none, in sentences. */
export function ForecastSentences({ answer, requests, what, fan = [] }: Props) {
  if (answer.path === null) return null;
  const labels = labelsOf(requests);
  const metric = new URLSearchParams(answer.path.split('?')[1]).get('metric') ?? '';
  const of = new URLSearchParams({ forecastOf: metric });
  return (
    <section id="forecast" aria-label="Forecast" class="forecast">
      <Awaited answer={answer} what="the forecast">
        {({ series }) => (
          <>
            <p class="caption">
              Forecast of {what}, from completed days. A forecast is published only if past ones were at least
              5% closer than today’s value.
              {fan.length > 0 &&
                ' The fan after the line is the forecast in its 80% band: 8 of 10 outcomes are expected inside.'}
            </p>
            {requests.map((line, place) => {
              const own = series.find((each) => isOfLine(each, line));
              return (
                <div key={labels[place]} data-key={own?.key}>
                  {requests.length > 1 && <strong>{labels[place]}</strong>}
                  <ul>
                    {own?.horizons.map(({ days, status, words }) => (
                      <li key={days} data-days={days} data-value={days} data-status={status}>
                        <Explain
                          query={explainQuery(
                            'forecast',
                            { market: line.market, gpuName: line.gpuName, type: line.type, days: `${days}` },
                            of,
                          )}
                        >
                          {withDays(words)}
                        </Explain>
                      </li>
                    ))}
                  </ul>
                </div>
              );
            })}
          </>
        )}
      </Awaited>
    </section>
  );
}
