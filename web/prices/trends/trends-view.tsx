import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { changedQuery } from '../../core/address.ts';
import { offersSubject } from '../../core/alert-subject.ts';
import type { StoredMarket, Trends } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { chosenTypes } from '../../core/chosen-types.ts';
import { listedBy } from '../../core/market-choice.ts';
import { defaultMetric } from '../../core/metrics.ts';
import { programCommand } from '../../core/program-command.ts';
import { useAnswers } from '../../core/use-answer.ts';
import { AlertMe } from '../../parts/alert-me.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { offerNames, pickParameters } from '../../parts/filter-fields.ts';
import { FilterForm, ProfileForm } from '../../parts/filter-form.tsx';
import { Awaited, LoadingNotice, Notice } from '../../parts/notice.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { asksTrust, statedTrust } from '../deals/reliable-query.ts';
import { drawnSet, drawsAllReliable } from './drawn-set.ts';
import { emptyRanges } from './empty-ranges.ts';
import { ForecastSentences, fanOf, useForecast } from './forecast.tsx';
import { IndexTrend } from './index-trend.tsx';
import { LineVerdicts, useVerdicts } from './line-verdicts.tsx';
import { ListPrices, listPriceLines, useListPrices } from './list-prices.tsx';
import { isChosen, useOpeningModels } from './opening-models.ts';
import { PriceChanges } from './price-changes.tsx';
import { SeriesTable } from './series-table.tsx';
import { labelsOf, seriesOf, supplyOf } from './shown-series.ts';
import { TrendCaption } from './trend-caption.tsx';
import { TrendChart } from './trend-chart.tsx';
import { TrendChoosers } from './trend-choosers.tsx';
import { trendLimits } from './trend-limits.ts';
import {
  askedBucket,
  choicesOf,
  chosenRange,
  comparedShiftMs,
  earlierRequests,
  indexMetric,
  isOneModel,
  rebasedPath,
  supplyRequests,
  type TrendRequest,
  trendRequests,
} from './trend-request.ts';
import { priceTables, TrendTable } from './trend-table.tsx';
import { trendWords } from './trend-words.ts';
import { useMarks } from './use-marks.ts';
import { WeekPattern } from './week-pattern.tsx';
import { zoomIn } from './zoom-in.ts';

/** Prices over time: several models, the band around the median, bids beside on-demand, supply below. */
export function TrendsView({ app, status }: ViewProps) {
  const { query } = app.address.place.value;
  const markets = app.markets.value;
  const listed = listedBy(query, markets, status);
  const newest = newestOf(listed.newestBooks, chosenTypes(query));
  // For a named market, the list of markets says what it offers.
  const isKnown = status !== null && (markets !== null || !query.has('market'));
  useOpeningModels(app, query, isKnown ? listed.gpuNames : null);
  const requests = isKnown && isChosen(query) ? trendRequests(query, newest, markets ?? []) : [];
  const isIndex = query.get('metric') === indexMetric;
  const levels = isIndex ? rebasedPath(requests) : null;
  const answer = useAnswers(app, isIndex ? [] : requests.map(({ path }) => path), app.landed.value);
  const trust = statedTrust(query, markets, status);
  const verdicts = useVerdicts(app, requests, query, trust);
  const { drawn, reliable } = verdicts;
  // Sentences of unknown length stand above the chart, so both appear together.
  const isJudging = [drawn, reliable].some((each) => each !== null && !each.data && !each.problem);
  const empty = emptyRanges(drawn?.data?.items ?? [], newest);
  const head = (
    <LineVerdicts
      app={app}
      requests={requests}
      query={query}
      verdicts={verdicts}
      trust={trust}
      ownMarket={status?.market.name ?? ''}
    />
  );
  const change = app.address.change;
  const tooMany = (query.get('bucket') ?? 'auto') !== 'auto' && askedBucket(query, newest) === null;
  return (
    <>
      <ViewHead title="Price trends">
        {isChosen(query) && (
          <AlertMe
            app={app}
            subject={offersSubject(query, query.get('metric') ?? defaultMetric, !asksTrust(query))}
          />
        )}
        {levels !== null && <ExportMenu name="index" query={new URLSearchParams(levels.split('?')[1])} />}
        {!isIndex && (
          <ExportMenu
            name="trends"
            query={changedQuery(new URLSearchParams(requests[0]?.path.split('?')[1]), choicesOf(requests))}
          />
        )}
        <TrendChoosers app={app} query={query} listed={listed} empty={empty} />
      </ViewHead>
      {isIndex ? (
        <p class="soft" data-remark="index">
          The index has one value per UTC day, of all offers of a model, per GPU with 8 GB of disk: no
          filters, usage profile, other interval or earlier period.
        </p>
      ) : (
        <div class="folds">
          <FilterForm query={query} change={change} isSaid={drawsAllReliable(query, trust)} />
          <ProfileForm query={query} change={change} />
        </div>
      )}
      {tooMany && !isIndex && (
        <p class="remark" data-remark="bucket">
          Too many points for this range: showing a longer interval. Zoom in or choose a shorter range.
        </p>
      )}
      <section class="card" aria-label="Price trend" id="trend">
        {isJudging ? (
          <LoadingNotice what="the price trend" />
        ) : isIndex ? (
          <IndexTrend app={app} requests={requests} query={query} path={levels} head={head} />
        ) : (
          <Awaited answer={answer} what="the price trend">
            {(trends) => (
              <Shown
                app={app}
                requests={requests}
                trends={trends}
                query={query}
                seeding={status?.seeding != null}
                current={answer.path === answer.dataPath}
                head={head}
                set={drawnSet(query, trust)}
              />
            )}
          </Awaited>
        )}
      </section>
    </>
  );
}

function newestOf(books: StoredMarket['newestBooks'], types: readonly string[]): string | null {
  const times = books.filter(({ type }) => types.includes(type)).map(({ observedAt }) => observedAt);
  return times.toSorted().at(-1) ?? null;
}

interface ShownProps {
  app: App;
  requests: readonly TrendRequest[];
  trends: readonly Trends[];
  query: URLSearchParams;
  seeding: boolean;
  /** Whether the responses belong to these requests. */
  current: boolean;
  /** Stands above the chart. */
  head: ComponentChildren;
  /** Which offers are drawn, `all offers`. */
  set: string;
}

function Shown(props: ShownProps) {
  const { app, requests, trends, query, seeding, current, head, set } = props;
  const first = trends[0];
  const comparing = query.get('compare') === '1' && first !== undefined && current;
  const earlier = useAnswers(app, comparing ? earlierRequests(requests, first).map(({ path }) => path) : []);
  const names = labelsOf(requests).join('\n');
  const supply = useSupply(app, requests, current ? trends : [], names);
  const isMedian = (query.get('metric') ?? defaultMetric) === defaultMetric;
  const forecast = useForecast(app, requests, current && isMedian ? 'median' : null);
  // Forecasts are for all offers by day, so a fan would not match a part of them, or hours.
  const isForecast = first?.bucket === '1d' && pickParameters(query, offerNames).size === 0;
  const series = useMemo(() => {
    const lines = seriesOf(trends, requests, 0);
    const [line, ...others] = lines;
    if (line === undefined || others.length > 0 || !isForecast) return lines;
    return [{ ...line, expected: fanOf(forecast.data, line.points, () => 1) }];
  }, [trends, names, forecast.data, isForecast]);
  const shiftMs = first === undefined ? 0 : comparedShiftMs(first.from, first.to);
  const before = useMemo(
    () => (comparing && earlier.data !== null ? seriesOf(earlier.data, requests, shiftMs) : []),
    [earlier.data, comparing, shiftMs, names],
  );
  const listed = useListPrices(app, requests, current ? first : undefined);
  const others = useMemo(
    () => [...before, ...listPriceLines(listed, series, requests)],
    [before, listed, series],
  );
  const marks = useMarks(app, requests, first);
  const isLog = query.get('log') === '1';
  const limits = useMemo(() => trendLimits([...series, ...others]), [series, others]);
  if (first === undefined || series.every(({ points }) => points.every(({ median }) => median === null))) {
    return (
      <>
        {head}
        <NoPoints seeding={seeding} />
      </>
    );
  }
  const ends = series.length > 0 && chosenRange(query) !== 'all';
  return (
    <>
      {head}
      <TrendChart
        app={app}
        drawn="prices"
        series={series}
        supply={supply}
        earlier={others}
        from={chosenRange(query) === null || comparing ? Date.parse(first.from) : null}
        to={ends ? Date.parse(first.to) : null}
        log={isLog}
        limits={isLog ? null : limits}
        marks={marks}
        zoom={zoomIn(app)}
        figures={(shown) => <SeriesTable series={series} supply={supply} set={set} {...shown} />}
        words={(shown) => trendWords(series, supply, set, shown)}
      />
      <TrendCaption
        trends={trends}
        all={chosenRange(query) === 'all'}
        days={before.length > 0 ? shiftMs / 86_400_000 : null}
        together={supply.length > 0}
        lines={series.length}
        set={set}
        outside={isLog ? [] : (limits?.outside ?? [])}
        market={new Set(requests.map(({ market }) => market)).size > 1 ? (requests[0]?.market ?? null) : null}
      />
      <ListPrices listed={listed} market={requests[0]?.market ?? null} />
      <PriceChanges app={app} requests={requests} />
      <ForecastSentences
        answer={forecast}
        requests={requests}
        what="the median price per GPU of all offers, 8 GB of disk"
        fan={series[0]?.expected}
      />
      <TrendTable lines={priceTables(series, supply, first.unit)} />
      {current &&
        isOneModel(requests) &&
        requests.map(({ market, path }) => (
          <WeekPattern key={market} app={app} path={path} market={requests.length > 1 ? market : null} />
        ))}
    </>
  );
}

/** Returns the combined supply of each model with several types; empty until loaded. */
function useSupply(app: App, requests: readonly TrendRequest[], trends: readonly Trends[], names: string) {
  const asked = supplyRequests(requests, trends).map(({ path }) => path);
  const answer = useAnswers(app, asked, app.landed.value);
  const known = answer.dataPath === asked.join('\n') ? answer.data : null;
  const isAwaited = known === null && answer.problem === null;
  return useMemo(() => supplyOf(known ?? [], requests, isAwaited), [known, names, isAwaited]);
}

function NoPoints({ seeding }: { seeding: boolean }) {
  if (seeding) return <Notice title="Creating the first books">The chart appears within seconds.</Notice>;
  return (
    <Notice title="No prices in this range">
      No complete book in this range has a matching offer. Choose a longer range, other models, another type
      or fewer filters, or get a book with <code>{programCommand} crawl offers</code> or{' '}
      <code>{programCommand} import</code>.
    </Notice>
  );
}
