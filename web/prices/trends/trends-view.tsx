import { useMemo } from 'preact/hooks';
import type { Instance, MarketAlert, Status, Trends } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { useAnswer, useAnswers } from '../../core/use-answer.ts';
import type { Page } from '../../core/use-pages.ts';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { FilterForm, ProfileForm } from '../../parts/filter-form.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { PriceChanges } from './price-changes.tsx';
import { seriesOf, supplyOf } from './shown-series.ts';
import { TrendCaption } from './trend-caption.tsx';
import { TrendChart } from './trend-chart.tsx';
import { TrendChoosers } from './trend-choosers.tsx';
import { trendMarks } from './trend-marks.ts';
import {
  askedBucket,
  chosenRange,
  chosenTypes,
  comparedShiftMs,
  earlierRequests,
  supplyRequests,
  type TrendRequest,
  trendRequests,
} from './trend-request.ts';
import { TrendTable } from './trend-table.tsx';
import { WeekPattern } from './week-pattern.tsx';

/** Prices over time: several models at once, the band around the median, bids beside on-demand, supply below. */
export function TrendsView({ app, status }: ViewProps) {
  const { query } = app.address.place.value;
  const newest = newestOf(status, chosenTypes(query));
  const requests = status === null ? [] : trendRequests(query, newest);
  const answer = useAnswers<Trends>(
    app,
    requests.map(({ path }) => path),
    app.landed.value,
  );
  const change = app.address.change;
  const tooMany = (query.get('bucket') ?? 'auto') !== 'auto' && askedBucket(query, newest) === null;
  return (
    <>
      <ViewHead title="Price trends">
        <ExportMenu name="trends" query={joined(requests)} />
        <TrendChoosers app={app} query={query} status={status} />
      </ViewHead>
      <div class="folds">
        <FilterForm query={query} change={change} />
        <ProfileForm query={query} change={change} />
      </div>
      {tooMany && (
        <p class="remark" data-remark="bucket">
          Too many points for this range: showing a longer interval. Zoom in or choose a shorter range.
        </p>
      )}
      <section class="card" aria-label="Price trend" id="trend">
        <Awaited answer={answer} what="the price trend">
          {(trends) => (
            <Shown
              app={app}
              requests={requests}
              trends={trends}
              query={query}
              seeding={status?.seeding != null}
              current={answer.path === answer.dataPath}
            />
          )}
        </Awaited>
      </section>
    </>
  );
}

/** One request for all lines, as an export takes it. */
function joined(requests: readonly TrendRequest[]): URLSearchParams {
  const query = new URLSearchParams(requests[0]?.path.split('?')[1]);
  for (const name of ['gpuName', 'type'] as const) query.delete(name);
  for (const model of new Set(requests.map(({ gpuName }) => gpuName))) {
    if (model !== null) query.append('gpuName', model);
  }
  for (const type of new Set(requests.map((request) => request.type))) query.append('type', type);
  return query;
}

function newestOf(status: Status | null, types: readonly string[]): string | null {
  const times = (status?.newestBooks ?? [])
    .filter(({ type }) => types.includes(type))
    .map(({ observedAt }) => observedAt);
  return times.toSorted().at(-1) ?? null;
}

interface ShownProps {
  app: App;
  requests: readonly TrendRequest[];
  trends: readonly Trends[];
  query: URLSearchParams;
  seeding: boolean;
  /** Whether the answers are of these requests. */
  current: boolean;
}

function Shown({ app, requests, trends, query, seeding, current }: ShownProps) {
  const first = trends[0];
  const comparing = query.get('compare') === '1' && first !== undefined && current;
  const earlier = useAnswers<Trends>(
    app,
    comparing ? earlierRequests(requests, first).map(({ path }) => path) : [],
  );
  const names = requests.map(({ gpuName, type }) => `${gpuName} ${type}`).join('\n');
  const supply = useSupply(app, requests, current ? trends : [], names);
  const series = useMemo(() => seriesOf(trends, requests, 0), [trends, names]);
  const shiftMs = first === undefined ? 0 : comparedShiftMs(first.from, first.to);
  const before = useMemo(
    () => (comparing && earlier.data !== null ? seriesOf(earlier.data, requests, shiftMs) : []),
    [earlier.data, comparing, shiftMs, names],
  );
  const marks = useMarks(app, requests, first);
  if (first === undefined || series.every(({ points }) => points.every(({ median }) => median === null))) {
    return <NoPoints seeding={seeding} />;
  }
  const ends = series.length > 0 && chosenRange(query) !== 'all';
  return (
    <>
      <TrendChart
        app={app}
        series={series}
        supply={supply}
        earlier={before}
        from={chosenRange(query) === null || comparing ? Date.parse(first.from) : null}
        to={ends ? Date.parse(first.to) : null}
        log={query.get('log') === '1'}
        marks={marks}
        zoom={(range) =>
          app.address.change({
            from: range === null ? null : new Date(range.from).toISOString(),
            to: range === null ? null : new Date(range.to).toISOString(),
          })
        }
      />
      <TrendCaption
        trends={trends}
        all={chosenRange(query) === 'all'}
        days={before.length > 0 ? shiftMs / 86_400_000 : null}
        together={supply.length > 0}
        lines={series.length}
      />
      <PriceChanges app={app} requests={requests} />
      <TrendTable series={series} supply={supply} unit={first.unit} />
      {requests.length === 1 && requests[0] !== undefined && requests[0].gpuName !== null && current && (
        <WeekPattern app={app} path={requests[0].path} />
      )}
    </>
  );
}

/** What the types of each model offer together, where several are drawn; without points until it is known. */
function useSupply(app: App, requests: readonly TrendRequest[], trends: readonly Trends[], names: string) {
  const asked = supplyRequests(requests, trends).map(({ path }) => path);
  const answer = useAnswers<Trends>(app, asked, app.landed.value);
  const known = answer.dataPath === asked.join('\n') ? answer.data : null;
  const isAwaited = known === null && answer.problem === null;
  return useMemo(() => supplyOf(known ?? [], requests, isAwaited), [known, names, isAwaited]);
}

/** Newest rentals that are looked through for marks. */
const maxRentals = 200;

/** What the reader rented and was told in the range; nothing where it cannot be read, which hides no price. */
function useMarks(app: App, requests: readonly TrendRequest[], range: Trends | undefined) {
  const wanted = range !== undefined && app.address.place.value.query.get('marks') !== '0';
  const asked = new URLSearchParams({ from: range?.from ?? '', to: range?.to ?? '', limit: '1000' });
  const rentals = useAnswer<Page<Instance>>(app, wanted ? `/api/rentals?limit=${maxRentals}` : null);
  const alerts = useAnswer<Page<MarketAlert>>(app, wanted ? `/api/alerts?${asked}` : null, app.landed.value);
  const models = requests.flatMap(({ gpuName }) => gpuName ?? []).join('\n');
  return useMemo(() => {
    if (!wanted) return [];
    const names = models === '' ? [] : models.split('\n');
    return trendMarks(names, rentals.data?.items ?? [], alerts.data?.items ?? []);
  }, [wanted, models, rentals.data, alerts.data]);
}

function NoPoints({ seeding }: { seeding: boolean }) {
  if (seeding) return <Notice title="Creating the first books">The chart appears within seconds.</Notice>;
  return (
    <Notice title="No prices in this range">
      No complete book in this range has a matching offer. Choose a longer range, other models, another type
      or fewer filters, or get a book with <code>npx offerbook crawl offers</code> or{' '}
      <code>npx offerbook import</code>.
    </Notice>
  );
}
