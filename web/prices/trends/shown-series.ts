import type { Trends } from '../../core/api.ts';
import { explainQuery } from '../../parts/explain.tsx';
import type { ShownSeries, ShownSupply } from './named-lines.ts';
import type { TrendRequest } from './trend-request.ts';

/** The lines that answers give, one a request, drawn so much later than they were; 0: as they are. */
export function seriesOf(
  trends: readonly Trends[],
  requests: readonly TrendRequest[],
  shiftMs: number,
): ShownSeries[] {
  const models = modelsOf(requests);
  const several = hasTypes(requests);
  const names = labelsOf(requests);
  return trends.flatMap(({ series, bucket }, index): ShownSeries[] => {
    const request = requests[index];
    if (request === undefined) return [];
    const { gpuName, type } = request;
    const points = series[0]?.points ?? [];
    return [
      {
        label: names[index] ?? '',
        points,
        explain: explainPoint(request.path, bucket),
        times: points.map(({ t }) => Date.parse(t) + shiftMs),
        bucket,
        colour: models.indexOf(gpuName),
        dashed: type === 'bid',
        // Of several types what they offer together is drawn: a machine may be in each.
        supply: !several,
        faint: shiftMs !== 0,
      },
    ];
  });
}

/** Makes the explanation of a point of one line. */
function explainPoint(path: string, bucket: Trends['bucket']): (t: string) => string {
  const shared = new URLSearchParams(path.split('?')[1]);
  for (const name of ['from', 'to', 'bucket']) shared.delete(name);
  return (at) =>
    bucket === 'book' ? explainQuery('book', { at }, shared) : explainQuery('bucket', { at, bucket }, shared);
}

/**
 * What the types of each model offer together, from answers to one question a model; without points where none is there
 * yet. Empty where one type is drawn.
 */
export function supplyOf(
  trends: readonly Trends[],
  requests: readonly TrendRequest[],
  isAwaited: boolean,
): ShownSupply[] {
  if (!hasTypes(requests)) return [];
  return modelsOf(requests).map((gpuName, colour) => {
    const answer = trends.find(({ supply }) => supply.some((each) => each.gpuName === gpuName));
    const points = answer?.supply.find((each) => each.gpuName === gpuName)?.points ?? [];
    return {
      label: `${nameOf(gpuName)}, all types`,
      points,
      times: points.map(({ t }) => Date.parse(t)),
      bucket: answer?.bucket ?? 'book',
      colour,
      isAwaited,
    };
  });
}

/** The names of lines: the model, and the type where it says something. */
export function labelsOf(requests: readonly Pick<TrendRequest, 'gpuName' | 'type'>[]): string[] {
  const several = hasTypes(requests);
  return requests.map(
    ({ gpuName, type }) => `${nameOf(gpuName)}${several || type !== 'on-demand' ? ` ${type}` : ''}`,
  );
}

const hasTypes = (requests: readonly Pick<TrendRequest, 'type'>[]) =>
  new Set(requests.map(({ type }) => type)).size > 1;
const modelsOf = (requests: readonly TrendRequest[]) => [...new Set(requests.map(({ gpuName }) => gpuName))];
const nameOf = (gpuName: string | null) => gpuName ?? 'All models';
