import type { Status, TrendPoint, Trends } from './api.ts';
import { countOf } from './figures.ts';
import type { Loaded } from './loader.ts';
import { Notice, ProblemNotice } from './notice.tsx';
import type { PageState } from './page-state.ts';
import { TrendChart } from './trend-chart.tsx';
import { TrendTable } from './trend-table.tsx';
import type { Range, View } from './view.ts';

/** The price trend of the view: chart, caption and values, or why there are none and what to do. */
export function TrendSection({ state, status }: { state: PageState; status: Status | null }) {
  const view = state.view.value;
  const loaded = state.trends.state.value;
  return (
    <section class="card" aria-labelledby="trend-title" aria-busy={loaded.loading}>
      <h2 id="trend-title">
        {view.gpuName ?? 'All models'}
        <small>{view.type === 'bid' ? 'minimum bid per GPU-hour (a floor)' : 'price per GPU-hour'}</small>
      </h2>
      <TrendBody loaded={loaded} view={view} seeding={status?.seeding != null} retry={state.trends.reload} />
    </section>
  );
}

interface BodyProps {
  loaded: Loaded<Trends>;
  view: View;
  seeding: boolean;
  retry: () => void;
}

function TrendBody({ loaded, view, seeding, retry }: BodyProps) {
  const { data, problem } = loaded;
  if (problem !== null) return <ProblemNotice problem={problem} retry={retry} />;
  if (data === null) return <Notice title="Loading the price trend …" />;
  const points = data.series[0]?.points ?? [];
  if (points.every((point) => point.median === null)) return <NoPoints view={view} seeding={seeding} />;
  return (
    <div class={loaded.path === loaded.dataPath ? 'content' : 'content stale'} data-path={loaded.dataPath}>
      <TrendChart points={points} bucket={data.bucket} to={view.range === 'all' ? null : data.to} />
      <Caption trends={data} points={points} range={view.range} />
      <TrendTable points={points} bucket={data.bucket} />
    </div>
  );
}

function NoPoints({ view, seeding }: { view: View; seeding: boolean }) {
  if (seeding)
    return <Notice title="The first books are being made">The chart appears within seconds.</Notice>;
  const what = view.gpuName === null ? 'an offer' : `an offer of ${view.gpuName}`;
  return (
    <Notice title="No prices in this range">
      No complete book of this range holds {what} of this type. Choose a longer range, another model or type,
      or record a book with <code>npx offerbook crawl offers</code> or <code>npx offerbook import</code>.
    </Notice>
  );
}

const bucketNouns = { book: 'book', '1h': 'hour', '1d': 'day', '1w': 'week' } as const;

interface CaptionProps {
  trends: Trends;
  points: readonly TrendPoint[];
  range: Range;
}

function Caption({ trends, points, range }: CaptionProps) {
  const { books, complete, partial, failed, expected } = trends.coverage;
  const flaws = [
    partial > 0 ? `${partial} partial` : null,
    failed > 0 ? `${failed} failed` : null,
    expected !== null && expected > books ? `${expected - books} of ${expected} expected missing` : null,
  ].filter((flaw) => flaw !== null);
  return (
    <p class="caption">
      {countOf(points.length, 'point')}, one a {bucketNouns[trends.bucket]}
      {trends.bucket === '1d' || trends.bucket === '1w' ? ' (UTC)' : ''}, from{' '}
      {countOf(complete, 'complete book')}
      {flaws.length > 0 && `; ${flaws.join(', ')}`}. Only complete books count; where they are missing, the
      line breaks.
      {range !== 'all' && beginsLate(trends, points) && ' The range began earlier, without books.'}
    </p>
  );
}

// The chart spans what there is; a reader must not take that for the whole range.
function beginsLate({ from, to }: Trends, points: readonly TrendPoint[]): boolean {
  const first = points[0];
  if (first === undefined) return false;
  const empty = Date.parse(first.t) - Date.parse(from);
  return empty > 0.1 * (Date.parse(to) - Date.parse(from));
}
