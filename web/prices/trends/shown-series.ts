import type { Trends } from '../../core/api.ts';
import { explainQuery } from '../../parts/explain.tsx';
import type { ShownSeries, ShownSupply } from './named-lines.ts';
import type { TrendRequest } from './trend-request.ts';

/** Returns the lines of responses, one per request, shifted later by some time; 0: not shifted. */
export function seriesOf(
  trends: readonly Trends[],
  requests: readonly TrendRequest[],
  shiftMs: number,
): ShownSeries[] {
  const colorOf = colorsOf(requests);
  const several = hasTypes(requests);
  const names = labelsOf(requests);
  return trends.flatMap(({ series, bucket }, index): ShownSeries[] => {
    const request = requests[index];
    if (request === undefined) return [];
    const points = series[0]?.points ?? [];
    return [
      {
        label: names[index] ?? '',
        points,
        ...explanations(request.path, bucket),
        times: points.map(({ t }) => Date.parse(t) + shiftMs),
        bucket,
        color: colorOf(request),
        dashed: request.type === 'bid',
        // With several types their combined supply is drawn instead, because a machine may be in each.
        supply: !several,
        faint: shiftMs !== 0,
      },
    ];
  });
}

/** Returns the explanation queries of a line's points and range. */
function explanations(path: string, bucket: Trends['bucket']): Pick<ShownSeries, 'explain' | 'range'> {
  const whole = new URLSearchParams(path.split('?')[1]);
  whole.delete('bucket');
  const shared = pointQuery(path);
  const width = widthOf(bucket);
  return {
    explain: (at) => explainQuery(bucket === 'book' ? 'book' : 'bucket', { at, ...width }, shared),
    range: explainQuery('range', width, whole),
  };
}

/** Returns the query of a single point, without range and interval. */
function pointQuery(path: string): URLSearchParams {
  const query = new URLSearchParams(path.split('?')[1]);
  for (const name of ['from', 'to', 'bucket']) query.delete(name);
  return query;
}

const widthOf = (bucket: Trends['bucket']) => ({ bucket: bucket === 'book' ? null : bucket });

/**
 * Returns the combined supply of each model's types in a market, from one response per model; without points until
 * loaded. Empty if one type is drawn.
 */
export function supplyOf(
  trends: readonly Trends[],
  requests: readonly TrendRequest[],
  isAwaited: boolean,
): ShownSupply[] {
  if (!hasTypes(requests)) return [];
  const colorOf = colorsOf(requests);
  const lines = requests.filter(({ type }) => type === requests[0]?.type);
  const names = labelsOf(lines.map((line) => ({ ...line, type: 'on-demand' })));
  return lines.map((line, place) => {
    const isOwn = ({ market, gpuName }: Trends['supply'][number]) =>
      gpuName === line.gpuName && market === (line.market ?? market);
    const answer = trends.find(({ supply }) => supply.some(isOwn));
    const points = answer?.supply.find(isOwn)?.points ?? [];
    const bucket = answer?.bucket ?? 'book';
    const shared = pointQuery(line.path);
    shared.delete('type');
    for (const type of distinct(requests, 'type')) shared.append('type', type);
    return {
      label: `${names[place]}, all types`,
      points,
      times: points.map(({ t }) => Date.parse(t)),
      bucket,
      explain: (at) => explainQuery('supply', { at, ...widthOf(bucket) }, shared),
      color: colorOf(line),
      isAwaited,
    };
  });
}

type Line = Omit<TrendRequest, 'path'>;

/** Returns the names of lines: the model, the type if it differs, the market if there are several. */
export function labelsOf(lines: readonly Line[]): string[] {
  const several = hasTypes(lines);
  const isMarketNamed = distinct(lines, 'market').length > 1;
  return lines.map(({ market, gpuName, type }) => {
    const name = `${gpuName ?? 'All models'}${several || type !== 'on-demand' ? ` ${type}` : ''}`;
    return isMarketNamed ? `${name} · ${market}` : name;
  });
}

/** Returns the palette index of each line: types of a model share one; another market's come after the first one's. */
export function colorsOf(lines: readonly Line[]): (line: Line) => number {
  const [models, markets] = [distinct(lines, 'gpuName'), distinct(lines, 'market')];
  return ({ market, gpuName }) => models.indexOf(gpuName) + models.length * markets.indexOf(market);
}

const hasTypes = (lines: readonly Line[]) => distinct(lines, 'type').length > 1;
const distinct = <Name extends keyof Line>(lines: readonly Line[], name: Name): Line[Name][] => [
  ...new Set(lines.map((line) => line[name])),
];
