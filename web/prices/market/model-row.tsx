import { changedQuery } from '../../core/address.ts';
import type { AlertSubject } from '../../core/alert-subject.ts';
import type { ExplainParams, Market, MarketRow, PriceChange } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { changeDays, changeInBrief, changeWords } from '../../core/change-words.ts';
import {
  formatAtLeast,
  formatCount,
  formatPercent,
  formatPrice,
  formatSignedPercent,
} from '../../core/figures.ts';
import { linkedMarket } from '../../core/market-choice.ts';
import { AlertMe } from '../../parts/alert-me.tsx';
import { Change } from '../../parts/change.tsx';
import { Explain, type Explained, explainQuery } from '../../parts/explain.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PinButton } from '../../parts/pin-button.tsx';
import { changeOver } from './market-rows.ts';
import { Sparkline } from './sparkline.tsx';

/** The offers of a row, for an alert. */
const subjectOf = ({ market, gpuName }: MarketRow, type: Market['type']): AlertSubject => ({
  kind: 'offers',
  name: type === 'on-demand' ? gpuName : `${gpuName}, ${type}`,
  query: new URLSearchParams({ market, gpuName, type }),
  asksReliable: true,
});

/** Returns what a change means beyond its figures; empty: nothing. That it is unclear is what every gray one says. */
const meaningOf = ({ status, words }: PriceChange): string =>
  status === 'clear' ? words : words.replace(/^[^,]*(, )?/, '');

/** The change in 7 days, where its own column is out of sight: on a phone, below that of a day. */
function WeekBelow({ change }: { change: PriceChange }) {
  const { direction } = changeWords(change);
  return (
    <small class={`below seven-days ${direction === 'down' ? 'fell' : direction === 'up' ? 'rose' : 'soft'}`}>
      7 d: {changeInBrief(change)}
    </small>
  );
}

interface RowProps {
  app: App;
  /** Whether rows are from several markets. */
  several: boolean;
  row: MarketRow;
  /** The lowest price of its reliable offers; null: none; undefined: not known. */
  reliable: number | null | undefined;
  /** Whether some model has a change over 27 days. */
  withMonth: boolean;
  withBids: boolean;
  withClouds: boolean;
  market: Market;
}

/** A model of the market; every figure opens its explanation. */
export function ModelRow({ row, reliable, withMonth, withBids, withClouds, market, app, several }: RowProps) {
  const named = linkedMarket(app.address.place.value.query, row.market);
  const of = { market: named, gpuName: row.gpuName, type: market.type };
  const why = (kind: ExplainParams['of'], own: Explained = {}) => explainQuery(kind, { ...of, ...own });
  // With several markets each newest book has its own time.
  const own = several ? app.markets.value?.find(({ name }) => name === row.market) : undefined;
  const observedAt = own?.newestBooks.find(({ type }) => type === market.type)?.observedAt;
  const ofBook = why('book', { at: observedAt ?? market.observedAt });
  const lastDay = row.sparkline.at(-1)?.t;
  const cloud = row.cheapestCloud;
  const model = changedQuery(new URLSearchParams({ gpuName: row.gpuName }), { market: named });
  const week = changeOver(row, 7);
  return (
    <tr data-model={row.gpuName} data-market={row.market}>
      <th scope="row">
        <PinButton app={app} market={row.market} gpuName={row.gpuName} />
        <AlertMe app={app} as="icon" subject={subjectOf(row, market.type)} />
        <a href={`/trends?${model}`}>{row.gpuName}</a>
        {week !== undefined && meaningOf(week) !== '' && (
          <small class="words soft" data-status={week.status}>
            <Explain query={why('change', { days: '7' })}>7 days: {meaningOf(week)}</Explain>
          </small>
        )}
      </th>
      {several && <td>{row.market}</td>}
      <td class="number main" data-field="median" data-value={row.median}>
        <Explain query={ofBook}>{formatPrice(row.median)}</Explain>
      </td>
      <td class="number" data-field="lowest" data-value={row.lowest}>
        <Explain query={row.lowest === null ? null : why('lowest')}>{formatPrice(row.lowest)}</Explain>{' '}
        <a
          href={`/deals?${model}&by=usdPerGpuHour`}
          aria-label={`Deals of ${row.gpuName}`}
          title="Deals of this model"
        >
          <Icon name="right" />
        </a>
        {reliable !== undefined && (row.lowest !== null || reliable !== null) && (
          <small class="soft below" data-reliable={reliable}>
            {reliable === null ? 'none reliable' : `reliable ${formatPrice(reliable)}`}
          </small>
        )}
      </td>
      {changeDays
        .filter((days) => days !== 27 || withMonth)
        .map((days) => {
          const change = changeOver(row, days);
          return (
            <td key={days} class="number" data-field={`change${days}`} data-value={change?.percent}>
              {change === undefined ? '–' : <Change change={change} of={of} />}
              {days === 1 && week !== undefined && <WeekBelow change={week} />}
            </td>
          );
        })}
      <td>
        <Explain query={lastDay === undefined ? null : why('bucket', { bucket: '1d', at: lastDay })}>
          <span class="hidden">Daily medians</span>
          <Sparkline values={row.sparkline.map(({ median }) => median)} />
        </Explain>
      </td>
      <td class="number" data-field="physicalGpus" data-value={row.physicalGpus}>
        <Explain query={row.physicalGpus === null ? null : ofBook}>
          {formatAtLeast(row.physicalGpus, row.physicalGpusIsLowerBound)}
        </Explain>
      </td>
      {(['gpus', 'machines', 'offers'] as const).map((field) => (
        <td key={field} class="number" data-field={field} data-value={row[field]}>
          <Explain query={ofBook}>{formatCount(row[field])}</Explain>
        </td>
      ))}
      {withBids && (
        <>
          <td class="number" data-field="bidMedian" data-value={row.bidMedian}>
            <Explain query={row.bidMedian === null ? null : why('book', { type: 'bid' })}>
              {formatPrice(row.bidMedian)}
            </Explain>
          </td>
          <td class="number" data-field="bidSpreadPercent" data-value={row.bidSpreadPercent}>
            {row.bidSpreadPercent === null ? (
              '–'
            ) : (
              <Explain query={why('bid-spread')}>{formatPercent(row.bidSpreadPercent, 0)}</Explain>
            )}
          </td>
        </>
      )}
      {withClouds && (
        <td class="number" data-field="cloud" data-value={cloud?.usdPerGpuHour} title={cloud?.region}>
          {cloud === null ? (
            '–'
          ) : (
            <>
              <Explain query={why('list-price')}>{formatPrice(cloud.usdPerGpuHour)}</Explain>{' '}
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
