import type { PriceIndex } from '../../core/api.ts';
import { explainQuery } from '../../parts/explain.tsx';
import type { ShownSeries } from './named-lines.ts';
import { colorsOf, labelsOf } from './shown-series.ts';
import type { DrawnPoint } from './trend-datasets.ts';
import type { TrendRequest } from './trend-request.ts';

/** A day of the index, drawn by its level relative to the common day. */
export type IndexPoint = PriceIndex['series'][number]['points'][number] & DrawnPoint;

/** Returns the lines of a response with rebased levels, one per request, by type, then model. */
export function indexSeriesOf(
  { series }: PriceIndex,
  requests: readonly TrendRequest[],
): ShownSeries<IndexPoint>[] {
  const labels = labelsOf(requests);
  const colorOf = colorsOf(requests);
  return requests.flatMap((request, place): ShownSeries<IndexPoint>[] => {
    const { market, gpuName, type } = request;
    const found = series.find((each) => isOfLine(each, request));
    const points = (found?.points ?? []).map((point, at): IndexPoint => {
      const { rebased = null, rebasedLow = null, rebasedHigh = null, restarted, open } = point;
      const sign = restarted && at > 0 ? 'rectRot' : open ? 'circle' : null;
      return {
        ...point,
        median: rebased,
        p10: rebasedLow,
        p90: rebasedHigh,
        min: null,
        physicalGpus: null,
        sign,
      };
    });
    return [
      {
        label: labels[place] ?? '',
        points,
        explain: (at) => explainQuery('index', { market, gpuName, type, at }),
        range: null,
        times: points.map(({ t }) => Date.parse(t)),
        bucket: '1d',
        color: colorOf(request),
        dashed: type === 'bid',
        supply: false,
        faint: false,
      },
    ];
  });
}

/** Whether a series of a response belongs to a line, with or without type and market in its key. */
export const isOfLine = (
  { key, market }: Pick<PriceIndex['series'][number], 'key' | 'market'>,
  line: Pick<TrendRequest, 'market' | 'type' | 'gpuName'>,
): boolean =>
  market === (line.market ?? market) &&
  [`${market}|${line.type}|`, `${line.type}|`, ''].some((start) => key === start + (line.gpuName ?? '*'));
