import { useMemo } from 'preact/hooks';
import { getCatalogPrices } from '../../../client/operations.js';
import type { CatalogPrices, Trends } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { countOf, formatUsd } from '../../core/figures.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import type { ShownSeries } from './named-lines.ts';
import { choicesOf, type TrendRequest } from './trend-request.ts';

type Listed = CatalogPrices['series'][number];

/** Loads other sellers' cheapest list prices for the drawn models if the chart shows prices per GPU. */
export function useListPrices(
  app: App,
  requests: readonly TrendRequest[],
  first: Trends | undefined,
): readonly Listed[] {
  const path = first === undefined ? null : listPricesPath(requests, first);
  const answer = useAnswer(app, path, app.landed.value);
  const { data } = answer;
  const isCurrent = answer.dataPath === path;
  return useMemo(
    () => (isCurrent ? (data?.series ?? []) : []).filter(({ steps }) => steps.some(({ price }) => price)),
    [data, isCurrent],
  );
}

function listPricesPath(requests: readonly TrendRequest[], { unit, from, to }: Trends) {
  // List prices are the same for every market.
  const named = requests.filter(({ market, gpuName }) => gpuName !== null && market === requests[0]?.market);
  if (unit !== 'USD/GPU/hour' || named.length === 0) return null;
  return pathTo(getCatalogPrices, { ...choicesOf(named), from, to });
}

/** Returns a thin line of list prices beside each line whose model has them, at the same moments. */
export function listPriceLines(
  listed: readonly Listed[],
  series: readonly ShownSeries[],
  requests: readonly TrendRequest[],
): ShownSeries[] {
  return series.flatMap((line, index) => {
    const { market, gpuName, type } = requests[index] ?? {};
    const own = listed.find((each) => each.gpuName === gpuName && each.type === type);
    if (own === undefined || market !== requests[0]?.market) return [];
    const steps = own.steps.map(({ t, price }) => ({ at: Date.parse(t), usd: price?.usdPerGpuHour ?? null }));
    const points = line.points.map((point) => {
      const at = Date.parse(point.t);
      return { ...point, median: steps.findLast((step) => step.at <= at)?.usd ?? null };
    });
    return [{ ...line, points, faint: true, thin: true, supply: false, expected: [] }];
  });
}

/** The legend of the thin lines, with the newest list price of each. */
export function ListPrices({ listed, market }: { listed: readonly Listed[]; market: string | null }) {
  if (listed.length === 0) return null;
  return (
    <p class="caption" id="list-prices">
      Thin dashes: the cheapest list price of another seller.
      {listed.map(({ key, gpuName, type, steps }) => {
        const { t = '', price = null } = steps.at(-1) ?? {};
        return (
          <span key={key} data-series={key} data-value={price?.usdPerGpuHour}>
            {` ${gpuName}${type === 'on-demand' ? '' : ` ${type}`}: `}
            {price === null ? (
              'no longer listed.'
            ) : (
              <>
                <Explain query={explainQuery('list-price', { market, gpuName, type, at: t })}>
                  {formatUsd(price.usdPerGpuHour)}
                </Explain>
                {` (${[price.provider, price.region, countOf(price.numGpus, 'GPU')].filter((part) => part !== '').join(', ')}).`}
              </>
            )}
          </span>
        );
      })}
    </p>
  );
}
