import { getMarketOverview } from '../../../client/operations.js';
import type { Market, MarketRow, PricingType } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { clearWords, hasLongest, noLongestWords, sameMachines } from '../../core/change-words.ts';
import { countOf } from '../../core/figures.ts';
import { listedBy, namedMarkets } from '../../core/market-choice.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { Choice } from '../../parts/choice.tsx';
import { pickParameters } from '../../parts/filter-fields.ts';
import { MarketChooser } from '../../parts/market-chooser.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { supplyWords } from '../../parts/supply-words.ts';
import { Term } from '../../parts/term.tsx';
import { typeLabels } from '../../parts/type-labels.ts';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { modelsPath } from '../deals/ranking-request.ts';
import { askedQuery, canBeReliable, statedTrust } from '../deals/reliable-query.ts';
import { chosenOrder, type SortKey, shownRows } from './market-rows.ts';
import { ModelRow } from './model-row.tsx';
import { sparklineReach } from './sparkline-path.ts';

/** Every GPU model with its current price, price changes and supply. */
export function MarketView({ app, status }: ViewProps) {
  const { query } = app.address.place.value;
  const { change } = app.address;
  const type = (query.get('type') ?? 'on-demand') as PricingType;
  const asked = { type, market: namedMarkets(query) };
  const answer = useAnswer(app, pathTo(getMarketOverview, asked), app.landed.value);
  const reliable = useReliable(app, status, query, answer.data !== null);
  const listed = listedBy(query, app.markets.value, status);
  const types = [...new Set<PricingType>([...listed.types, type])];
  return (
    <>
      <ViewHead title="Market">
        <form class="choosers" aria-label="Market options" onSubmit={(event) => event.preventDefault()}>
          <MarketChooser app={app} />
          <label class="field">
            <span>Search</span>
            <input
              type="search"
              name="q"
              placeholder="GPU model"
              value={query.get('q') ?? ''}
              onInput={({ currentTarget }) => change({ q: currentTarget.value })}
            />
          </label>
          <Choice
            legend="Type"
            name="type"
            options={types.map((value) => ({ value, label: typeLabels[value] ?? value }))}
            chosen={type}
            choose={(value) => change({ type: value === 'on-demand' ? null : value })}
          />
        </form>
      </ViewHead>
      <section class="card" aria-label="Models" id="market">
        <Awaited answer={answer} what="the market">
          {(market) => (
            <Models app={app} market={market} reliable={reliable} seeding={status?.seeding != null} />
          )}
        </Awaited>
      </section>
    </>
  );
}

type LowestReliable = (row: MarketRow) => number | null | undefined;

interface Head {
  key: SortKey;
  label: string;
  title: string;
  /** Shown below the label. */
  unit?: string;
}

const heads: readonly Head[] = [
  {
    key: 'median',
    label: 'Median',
    title: 'Median price of the newest book, with 8 GB of disk',
    unit: '$/GPU-hour',
  },
  {
    key: 'lowest',
    label: 'Lowest',
    title: 'Cheapest of all offers, without outliers',
    unit: 'all offers, $/GPU-hour',
  },
  {
    key: 'change1',
    label: '1-day change',
    title: 'Change of the prices of the same machines in 1 day',
    unit: sameMachines,
  },
  {
    key: 'change7',
    label: '7-day change',
    title: 'Change of the prices of the same machines in 7 days',
    unit: sameMachines,
  },
  {
    key: 'change27',
    label: '27-day change',
    title: 'Change of the prices of the same machines in 27 days, the longest period',
    unit: sameMachines,
  },
];
const supply: readonly Head[] = [
  { key: 'physicalGpus', ...supplyWords.physicalGpus },
  { key: 'gpus', ...supplyWords.gpus },
  { key: 'machines', label: 'Machines', title: 'Machines with offers of this model' },
  { key: 'offers', label: 'All offers', title: 'Offers in the newest book, reliable or not' },
];
const bids: readonly Head[] = [
  {
    key: 'bidMedian',
    label: 'Minimum bid',
    title: 'Median of the minimum bids',
    unit: 'median, $/GPU-hour',
  },
  {
    key: 'bidSpreadPercent',
    label: 'Bid discount',
    title: 'How far the median minimum bid is below the on-demand median',
  },
];

const cloudHead: Head = {
  key: 'cloud',
  label: 'Cheapest cloud',
  title: 'Lowest list price of another seller, and how it compares with the median',
  unit: '$/GPU-hour',
};

/** Loads what tells the lowest price of a row's reliable offers, which Deals opens with; null: none; undefined: not known. */
function useReliable(
  app: App,
  status: ViewProps['status'],
  query: URLSearchParams,
  isReady: boolean,
): LowestReliable {
  const trust = statedTrust(query, app.markets.value, status);
  const asked = askedQuery(pickParameters(query, ['market', 'type']), trust);
  const isAsked = isReady && canBeReliable(trust);
  const { data } = useAnswer(app, isAsked ? modelsPath(asked) : null, app.landed.value);
  return (row) =>
    data === null
      ? undefined
      : (data.groups.find(
          // A single market's groups do not name it.
          ({ gpuName, market = row.market }) => gpuName === row.gpuName && market === row.market,
        )?.lowest ?? null);
}

interface ModelsProps {
  app: App;
  market: Market;
  reliable: LowestReliable;
  seeding: boolean;
}

function Models({ app, market, reliable, seeding }: ModelsProps) {
  const { query } = app.address.place.value;
  const order = chosenOrder(query);
  const rows = shownRows(market.items, query.get('q') ?? '', order);
  const sortHead = (head: Head) => (
    <SortHead
      key={head.key}
      head={head}
      number
      chosen={order.key === head.key ? order.turned : null}
      app={app}
    />
  );
  if (market.observedAt === null) {
    return (
      <Notice title={seeding ? 'Creating the first books' : 'No book of this type yet'}>
        {seeding ? 'Models appear within seconds.' : 'Start a crawl under Crawls, or import recorded books.'}
      </Notice>
    );
  }
  const several = namedMarkets(query).length > 1;
  const withMonth = hasLongest(rows);
  const withBids = rows.some(({ bidMedian }) => bidMedian !== null);
  const withClouds = rows.some(({ cheapestCloud }) => cheapestCloud !== null);
  return (
    <>
      <p class="caption" data-basis={market.observedAt}>
        The newest book of {several ? 'each' : 'the'} whole market, {several && 'the oldest of '}
        <Moment t={market.observedAt} />; a watch’s own may be newer.
        <span class="swipe">
          {' '}
          The table scrolls: down to every model, sideways to the week, the supply and bids.
        </span>
      </p>
      <Scroll label="Models">
        <table id="models">
          <thead>
            <tr>
              <SortHead
                head={{ key: 'gpuName', label: 'GPU', title: 'Model' }}
                chosen={order.key === 'gpuName' ? order.turned : null}
                app={app}
              />
              {several && <th scope="col">Market</th>}
              {heads.filter(({ key }) => key !== 'change27' || withMonth).map(sortHead)}
              <th scope="col" title="Up to 30 days around their median, on the same scale for all models">
                Daily medians<small class="unit">±{100 * sparklineReach}%</small>
              </th>
              {supply.map(sortHead)}
              {withBids && bids.map(sortHead)}
              {withClouds && sortHead(cloudHead)}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ModelRow
                key={`${row.market}|${row.gpuName}`}
                app={app}
                several={several}
                row={row}
                reliable={reliable(row)}
                withMonth={withMonth}
                withBids={withBids}
                withClouds={withClouds}
                market={market}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
      {rows.length === 0 && <Notice title="No matching model">Search for another name.</Notice>}
      <p class="caption">
        {countOf(rows.length, several ? 'row' : 'model')} in{' '}
        {several ? 'the newest book of each market' : <Term word="book">the book</Term>}
        {market.bookVerdict === 'partial' ? ', which is partial: offers may be missing' : ''}. Prices are $
        per GPU-hour with 8 GB of disk. All listed offers are counted, Today and Deals count{' '}
        <Term word="reliable offers" /> alone. Changes are of the same machines (<Term word="like for like" />
        ), ± their <Term word="standard error" />, {clearWords}; the day’s median also moves with the{' '}
        <Term word="mix" /> of machines that are available. <Term word="bid discount">Bid discount</Term>: how
        far the median minimum bid is below the on-demand median. Physical GPUs count once, GPUs listed once
        for each offer that includes them. {rows.length > 0 && !withMonth && noLongestWords}
      </p>
    </>
  );
}

interface SortHeadProps {
  app: App;
  head: Head;
  number?: boolean;
  /** null: the table is not sorted by it; else whether it is reversed. */
  chosen: boolean | null;
}

function SortHead({ app, head: { key, label, title, unit }, number = false, chosen }: SortHeadProps) {
  return (
    <th
      scope="col"
      class={number ? 'number' : undefined}
      aria-sort={chosen === null ? undefined : 'other'}
      data-sort={key}
      title={title}
    >
      <button
        type="button"
        class={chosen === null ? 'sort' : 'sort chosen'}
        onClick={() =>
          app.address.change({ sort: key === 'gpus' ? null : key, turned: chosen === false ? '1' : null })
        }
      >
        {label}
        {unit !== undefined && <small class="unit">{unit}</small>}
      </button>
    </th>
  );
}
