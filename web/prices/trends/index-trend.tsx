import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PriceIndex } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { countOf } from '../../core/figures.ts';
import type { TypedPath } from '../../core/path-to.ts';
import { programCommand } from '../../core/program-command.ts';
import { formatBucket } from '../../core/times.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { Awaited, Notice } from '../../parts/notice.tsx';
import { ForecastSentences, fanOf, useForecast } from './forecast.tsx';
import { IndexFigures, indexTables, indexWords } from './index-figures.tsx';
import { indexSeriesOf } from './index-series.ts';
import { PriceChanges } from './price-changes.tsx';
import { labelsOf } from './shown-series.ts';
import { TrendChart } from './trend-chart.tsx';
import { maxBands } from './trend-datasets.ts';
import { chosenRange, type TrendRequest } from './trend-request.ts';
import { TrendTable } from './trend-table.tsx';
import { useMarks } from './use-marks.ts';
import { zoomIn } from './zoom-in.ts';

interface Props {
  app: App;
  requests: readonly TrendRequest[];
  query: URLSearchParams;
  /** Path of the levels; null: no model is selected. */
  path: TypedPath<PriceIndex> | null;
  /** Stands above the chart. */
  head: ComponentChildren;
}

/** Like-for-like prices: index levels, 100 on a common day, with their bands. */
export function IndexTrend({ app, requests, query, path, head }: Props) {
  const answer = useAnswer(app, path, app.landed.value);
  if (path === null && requests.length > 0) {
    return <Notice title="Choose a model">The index is computed per model, from the same machines.</Notice>;
  }
  return (
    <Awaited answer={answer} what="the index">
      {(index) => <Shown app={app} requests={requests} query={query} index={index} head={head} />}
    </Awaited>
  );
}

const dayMs = 86_400_000;

function Shown({ app, requests, query, index, head }: Omit<Props, 'path'> & { index: PriceIndex }) {
  const names = labelsOf(requests).join('\n');
  const forecast = useForecast(app, requests, 'index');
  const series = useMemo(() => {
    const [line, ...others] = indexSeriesOf(index, requests);
    if (line === undefined) return [];
    const expected = fanOf(forecast.data, line.points, (last) => (last.rebased ?? Number.NaN) / last.index);
    return [{ ...line, expected }, ...others];
  }, [index, names, forecast.data]);
  const times = series.flatMap(({ times }) => [times[0] ?? [], times.at(-1) ?? []].flat());
  const ends =
    times.length === 0
      ? undefined
      : { from: isoOf(Math.min(...times)), to: isoOf(Math.max(...times) + dayMs) };
  const marks = useMarks(app, requests, ends);
  if (ends === undefined) {
    return (
      <>
        {head}
        <Notice title="No index in this range">
          The index has a value for each day with a complete book. Choose a longer range, or compute it from
          older books with <code>{programCommand} rebuild</code>.
        </Notice>
      </>
    );
  }
  const from = chosenRange(query) === null ? Date.parse(query.get('from') ?? '') : Number.NaN;
  return (
    <>
      {head}
      <TrendChart
        app={app}
        drawn="levels"
        series={series}
        supply={none}
        earlier={none}
        from={Number.isNaN(from) ? null : from}
        to={null}
        log={query.get('log') === '1'}
        limits={null}
        marks={marks}
        zoom={zoomIn(app)}
        figures={(shown) => <IndexFigures series={series} shown={shown} />}
        words={(shown) => indexWords({ series, shown })}
      />
      <p class="caption" data-base={index.base}>
        {countOf(series[0]?.points.length ?? 0, 'day')} (UTC).{' '}
        {index.base === null
          ? 'No day is common to all lines: each starts at 100.'
          : `100 is the level of ${formatBucket(index.base, '1d')}${series.length > 1 ? ', the first day common to all lines' : ''}.`}{' '}
        {series.length > maxBands
          ? `Bands (two standard errors) are drawn for up to ${maxBands} lines.`
          : 'The band is two standard errors of the change since then below and above.'}{' '}
        A ring marks a day that is not over. A diamond marks a restart at 100: no machine connects it with
        earlier days.
      </p>
      <PriceChanges app={app} requests={requests} />
      <ForecastSentences
        answer={forecast}
        requests={requests}
        what="the index (100 at its start)"
        fan={series[0]?.expected}
      />
      <TrendTable lines={indexTables(series)} />
    </>
  );
}

const none: never[] = [];
const isoOf = (t: number) => new Date(t).toISOString();
