import type { ComponentChildren } from 'preact';
import { changedQuery, hrefOf } from '../../core/address.ts';
import type { RankedOffer } from '../../core/api.ts';
import definitions from '../../core/definitions.json' with { type: 'json' };
import { formatFixed, formatShare, priceDecimals } from '../../core/figures.ts';
import { linkedMarket, namedMarkets } from '../../core/market-choice.ts';
import { metricUnit } from '../../core/metrics.ts';
import { Country } from '../../parts/country.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { NoAccount } from '../../parts/no-account.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { VerdictMark } from '../../parts/verdict-mark.tsx';

/** An offer field as a column. */
interface Column {
  name: string;
  label: string;
  decimals?: number;
  isShare?: boolean;
}

const columns: readonly Column[] = definitions.rankingColumns;

interface Props {
  items: readonly RankedOffer[];
  by: string;
  /** The market whose offers can be rented from here. @default none */
  rentIn?: string | null;
  /** The request, to explain each rank. */
  asked: URLSearchParams;
  /** Initial values of a rental: `storageGb`, `template`, and the offer filters. */
  rentWith?: URLSearchParams;
}

/** The ranked offers, one per row; cells have the API's numbers in `data-value`. */
export function RankingTable({ items, by, asked, rentIn = null, rentWith }: Props) {
  const decimals = {
    value: priceDecimals(items.map((item) => item.value)),
    usdPerHour: priceDecimals(items.map((item) => item.usdPerHour)),
    usdPerGpuHour: priceDecimals(items.map((item) => item.usdPerGpuHour)),
    allInUsdPerHour: priceDecimals(items.map((item) => item.allInUsdPerHour)),
  };
  const several = namedMarkets(asked).length > 1;
  return (
    <Scroll label="Ranked offers">
      <table id="ranking" class="compact">
        <thead>
          <tr>
            <th scope="col" class="number">
              <abbr title="Rank">#</abbr>
            </th>
            <th scope="col">GPU</th>
            {several && <th scope="col">Market</th>}
            <th scope="col" class="number" title={items[0]?.unit}>
              {metricUnit(by)}
            </th>
            <th scope="col">Price verdict</th>
            <th scope="col" class="number" title="Whole offer, storage included">
              $/hour
            </th>
            {by !== 'usdPerGpuHour' && (
              <th scope="col" class="number">
                $/GPU-hour
              </th>
            )}
            {by !== 'allInUsdPerHour' && (
              <th
                scope="col"
                class="number"
                title="Total of the usage profile per running hour: storage, traffic and stopped time included"
              >
                All-in $/hour
              </th>
            )}
            {columns.map(({ name, label, ...shown }) => (
              <th key={name} scope="col" class={isNumber(shown) ? 'number' : undefined}>
                {label}
              </th>
            ))}
            <th scope="col" class="number">
              Machine
            </th>
            {rentIn !== null && (
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.listingId} data-offer={item.offerId} data-rank={item.rank}>
              <td class="number soft rank">{item.rank}</td>
              <th scope="row">
                <Model item={item} asked={asked} />
              </th>
              {several && <td data-market={item.market}>{item.market}</td>}
              <td class="number main" data-head={metricUnit(by)} data-field="value" data-value={item.value}>
                <Rank item={item} asked={asked}>
                  {formatFixed(item.value, decimals.value)}
                </Rank>
              </td>
              <td class="judged">
                <Explain query={item.verdict === null ? null : verdictQuery(item, asked)}>
                  <VerdictMark verdict={item.verdict} />
                </Explain>
              </td>
              <td class="number" data-head="$/hour" data-field="usdPerHour" data-value={item.usdPerHour}>
                <Rank item={item} asked={asked}>
                  {formatFixed(item.usdPerHour, decimals.usdPerHour)}
                </Rank>
              </td>
              {by !== 'usdPerGpuHour' && (
                <td
                  class="number"
                  data-head="$/GPU-hour"
                  data-field="usdPerGpuHour"
                  data-value={item.usdPerGpuHour}
                >
                  <Rank item={item} asked={asked}>
                    {formatFixed(item.usdPerGpuHour, decimals.usdPerGpuHour)}
                  </Rank>
                </td>
              )}
              {by !== 'allInUsdPerHour' && (
                <td
                  class="number"
                  data-head="All-in $/hour"
                  data-field="allInUsdPerHour"
                  data-value={item.allInUsdPerHour}
                >
                  <Rank item={item} asked={asked}>
                    {formatFixed(item.allInUsdPerHour, decimals.allInUsdPerHour)}
                  </Rank>
                </td>
              )}
              {columns.map((column) => (
                <FieldCell key={column.name} column={column} item={item} />
              ))}
              <td class="number soft" data-head="Machine">
                {item.machineId}
              </td>
              {rentIn !== null && (
                <td class="actions">
                  {item.market === rentIn ? (
                    <a
                      class="button small"
                      href={rentHref(item, rentWith)}
                      aria-label={`Rent ${item.gpuName} × ${item.numGpus}, offer ${item.offerId}`}
                    >
                      Rent…
                    </a>
                  ) : (
                    <NoAccount market={item.market} />
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface RankProps {
  item: RankedOffer;
  asked: URLSearchParams;
  children: ComponentChildren;
}

/** A price of a ranked offer, which opens its rank. */
const Rank = ({ item, asked, children }: RankProps) => (
  <Explain query={explainQuery('ranking', { listingId: item.listingId }, asked)}>{children}</Explain>
);

const verdictQuery = ({ listingId, type, market }: RankedOffer, asked: URLSearchParams): string =>
  explainQuery('verdict', { listingId, type, market: linkedMarket(asked, market) });

const isNumber = ({ decimals, isShare }: Pick<Column, 'decimals' | 'isShare'>): boolean =>
  decimals !== undefined || isShare === true;

/** An offer field, formatted for its column. */
function FieldCell({ column, item }: { column: Column; item: RankedOffer }) {
  const { name, label, decimals = 0, isShare } = column;
  const value = (item as unknown as Record<string, number | string | null | undefined>)[name] ?? null;
  if (isNumber(column)) {
    const number = value === null ? null : Number(value);
    return (
      <td class="number" data-head={label} data-field={name} data-value={number}>
        {isShare === true ? formatShare(number) : formatFixed(number, decimals)}
      </td>
    );
  }
  if (name === 'country') {
    return (
      <td>
        <Country code={item.country} />
      </td>
    );
  }
  return <td class={String(value ?? 'soft')}>{value ?? 'not stated'}</td>;
}

function rentHref({ offerId, listingId, type }: RankedOffer, rentWith?: URLSearchParams): string {
  const query = new URLSearchParams(rentWith);
  query.set('listing', listingId);
  if (type === 'bid') query.set('type', 'bid');
  return hrefOf(`/rent/${offerId}`, query);
}

function Model({ item, asked }: { item: RankedOffer; asked: URLSearchParams }) {
  const market = linkedMarket(asked, item.market);
  return (
    <>
      <a
        href={hrefOf(`/listings/${item.listingId}`, changedQuery(new URLSearchParams(), { market }))}
        title="Price history, episodes and machine of this offer"
      >
        {item.gpuName}
      </a>{' '}
      <span class="times">× {item.numGpus}</span>
      {item.type !== 'on-demand' && (
        <span class="tag">{item.type === 'bid' ? 'minimum bid' : item.type}</span>
      )}
      {item.preferred && <span class="tag">preferred</span>}
      {item.isOutlier === true && (
        <span class="tag warn" title="Below a quarter or above four times the 30-day median of its segment">
          outlier
        </span>
      )}
    </>
  );
}
