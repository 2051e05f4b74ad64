import type { PriceIndex } from '../../core/api.ts';
import { explainQuery } from '../../parts/explain.tsx';
import type { ShownSeries } from './named-lines.ts';
import { labelsOf } from './shown-series.ts';
import type { DrawnPoint } from './trend-datasets.ts';
import type { TrendRequest } from './trend-request.ts';

/** A day of the index, drawn by its level against the common day. */
export type IndexPoint = PriceIndex['series'][number]['points'][number] & DrawnPoint;

/** The lines of an answer with rebased levels, one a request, in the order of types, then models. */
export function indexSeriesOf(
  { series }: PriceIndex,
  requests: readonly TrendRequest[],
): ShownSeries<IndexPoint>[] {
  const labels = labelsOf(requests);
  const models = [...new Set(requests.map(({ gpuName }) => gpuName))];
  return requests.flatMap(({ gpuName, type }, place): ShownSeries<IndexPoint>[] => {
    const found = series.find(({ key }) => key === gpuName || key === `${type}|${gpuName}`);
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
        explain: (at) => explainQuery('index', { gpuName, type, at }),
        times: points.map(({ t }) => Date.parse(t)),
        bucket: '1d',
        colour: models.indexOf(gpuName),
        dashed: type === 'bid',
        supply: false,
        faint: false,
      },
    ];
  });
}
