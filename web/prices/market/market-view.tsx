import { changedQuery } from '../../core/address.ts';
import type { Market, MarketRow, PricingType } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { changeDays } from '../../core/change-words.ts';
import {
  formatAtLeast,
  formatCount,
  formatFixed,
  formatSignedPercent,
  priceDecimals,
} from '../../core/figures.ts';
import { linkedMarket, listedBy, namedMarkets } from '../../core/market-choice.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { Change } from '../../parts/change.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { MarketChooser } from '../../parts/market-chooser.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { supplyWords } from '../../parts/supply-words.ts';
import { typeLabels } from '../../parts/type-labels.ts';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { changeOver, chosenOrder, type SortKey, shownRows } from './market-rows.ts';
import { Sparkline } from './sparkline.tsx';

/** Every GPU model with its price now, how it moved, and how much of it there is. */
export function MarketView({ app, status }: ViewProps) {
  const { query } = app.address.place.value;
  const { change } = app.address;
  const type = (query.get('type') ?? 'on-demand') as PricingType;
  const asked = new URLSearchParams({ type });
  for (const name of namedMarkets(query)) asked.append('market', name);
  const answer = useAnswer<Market>(app, `/api/market?${asked}`, app.landed.value);
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
          {(market) => <Models app={app} market={market} seeding={status?.seeding != null} />}
        </Awaited>
      </section>
    </>
  );
}

interface Head {
  key: SortKey;
  label: string;
  title: string;
  /** Shown below the label. */
  unit?: string;
}

const heads: readonly Head[] = [
  { key: 'median', label: 'Median', title: 'Median price with 8 GB of storage', unit: '$/GPU-hour' },
  { key: 'change1', label: '1-day change', title: 'Change of prices like for like in 1 day' },
  { key: 'change7', label: '7-day change', title: 'Change of prices like for like in 7 days' },
  { key: 'change27', label: '27-day change', title: 'Change of prices like for like in 27 days' },
];
const supply: readonly Head[] = [
  { key: 'lowest', label: 'Lowest', title: 'Cheapest offer without outliers', unit: '$/GPU-hour' },
  { key: 'physicalGpus', ...supplyWords.physicalGpus },
  { key: 'gpus', ...supplyWords.gpus },
  { key: 'machines', label: 'Machines', title: 'Machines with offers of this model' },
  { key: 'offers', label: 'Offers', title: 'Offers in the newest book' },
];
const bids: readonly Head[] = [
  { key: 'bidMedian', label: 'Minimum bid', title: 'Median of the minimum bids', unit: '$/GPU-hour' },
  {
    key: 'bidSpreadPercent',
    label: 'Bid spread',
    title: 'How far the median minimum bid is below the on-demand median',
  },
];

const cloudHead: Head = {
  key: 'cloud',
  label: 'Cheapest cloud',
  title: 'Lowest list price of another seller, and how it compares with the median',
  unit: '$/GPU-hour',
};

function Models({ app, market, seeding }: { app: App; market: Market; seeding: boolean }) {
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
  const withBids = rows.some(({ bidMedian }) => bidMedian !== null);
  const withClouds = rows.some(({ cheapestCloud }) => cheapestCloud !== null);
  const decimals = Math.min(4, priceDecimals(rows.map(({ median }) => median)));
  return (
    <>
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
              {heads.map(sortHead)}
              <th scope="col">30 days</th>
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
                decimals={decimals}
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
        {formatCount(rows.length)}{' '}
        {several ? 'rows in the newest book of each market, the oldest of' : 'models in the book of'}{' '}
        <Moment t={market.observedAt} />
        {market.bookVerdict === 'partial' ? ', which is partial: offers may be missing' : ''}. Prices are $
        per GPU-hour with 8 GB of storage. Changes compare the same machines (like for like, ± its standard
        error); the median also moves with the mix of machines that are free.
      </p>
    </>
  );
}

interface SortHeadProps {
  app: App;
  head: Head;
  number?: boolean;
  /** null: the table is not sorted by it; else whether turned round. */
  chosen: boolean | null;
}

function SortHead({ app, head: { key, label, title, unit }, number = false, chosen }: SortHeadProps) {
  return (
    <th
      scope="col"
      class={number ? 'number' : undefined}
      aria-sort={chosen === null ? undefined : 'other'}
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

interface RowProps {
  app: App;
  /** Whether rows are of several markets. */
  several: boolean;
  row: MarketRow;
  decimals: number;
  withBids: boolean;
  withClouds: boolean;
  market: Market;
}

function ModelRow({ row, decimals, withBids, withClouds, market, app, several }: RowProps) {
  const named = linkedMarket(app.address.place.value.query, row.market);
  const of = { market: named, gpuName: row.gpuName, type: market.type };
  // Of several markets each one's newest book has a time of its own.
  const own = several ? app.markets.value?.find(({ name }) => name === row.market) : undefined;
  const observedAt = own?.newestBooks.find(({ type }) => type === market.type)?.observedAt;
  const cloud = row.cheapestCloud;
  const model = changedQuery(new URLSearchParams({ gpuName: row.gpuName }), { market: named });
  const week = changeOver(row, 7);
  return (
    <tr data-model={row.gpuName} data-market={row.market}>
      <th scope="row">
        <a href={`/trends?${model}`}>{row.gpuName}</a>
        {week !== undefined && (
          <small class="words soft" title="In 7 days">
            {week.words}
          </small>
        )}
      </th>
      {several && <td>{row.market}</td>}
      <td class="number main" data-field="median" data-value={row.median}>
        <Explain query={explainQuery('book', { ...of, at: observedAt ?? market.observedAt })}>
          {formatFixed(row.median, decimals)}
        </Explain>
      </td>
      {changeDays.map((days) => {
        const change = changeOver(row, days);
        return (
          <td key={days} class="number" data-field={`change${days}`} data-value={change?.percent}>
            {change === undefined ? '–' : <Change change={change} of={of} />}
          </td>
        );
      })}
      <td>
        <Sparkline values={row.sparkline.map(({ median }) => median)} />
      </td>
      <td class="number" data-field="lowest" data-value={row.lowest}>
        <a href={`/deals?${model}&by=usdPerGpuHour`} title={`Deals of ${row.gpuName}`}>
          {formatFixed(row.lowest, decimals)}
        </a>
      </td>
      <td class="number" data-field="physicalGpus" data-value={row.physicalGpus}>
        {formatAtLeast(row.physicalGpus, row.physicalGpusIsLowerBound)}
      </td>
      {(['gpus', 'machines', 'offers'] as const).map((field) => (
        <td key={field} class="number" data-field={field} data-value={row[field]}>
          {formatCount(row[field])}
        </td>
      ))}
      {withBids && (
        <>
          <td class="number" data-field="bidMedian" data-value={row.bidMedian}>
            {formatFixed(row.bidMedian, decimals)}
          </td>
          <td class="number" data-field="bidSpreadPercent" data-value={row.bidSpreadPercent}>
            {row.bidSpreadPercent === null ? '–' : `${formatFixed(row.bidSpreadPercent, 0)} %`}
          </td>
        </>
      )}
      {withClouds && (
        <td class="number" data-field="cloud" data-value={cloud?.usdPerGpuHour} title={cloud?.region}>
          {cloud === null ? (
            '–'
          ) : (
            <>
              {formatFixed(cloud.usdPerGpuHour, decimals)}{' '}
              <small class="soft">
                {cloud.provider}
                {cloud.numGpus > 1 && ` × ${cloud.numGpus}`}
                {cloud.abovePercent !== null && `, ${formatSignedPercent(cloud.abovePercent)}`}
              </small>
            </>
          )}
        </td>
      )}
    </tr>
  );
}
