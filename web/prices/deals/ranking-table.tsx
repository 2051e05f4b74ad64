import type { ComponentChildren } from 'preact';
import { alikeOffers } from '../../core/alike-offers.ts';
import type { RankedOffer } from '../../core/api.ts';
import { formatPrice } from '../../core/figures.ts';
import { namedMarkets } from '../../core/market-choice.ts';
import { columnDecimals, metricTitle, metricUnit } from '../../core/metrics.ts';
import { Icon } from '../../parts/icon.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { DealCell, DealModel, Rank } from './deal-cell.tsx';
import { chosenColumns, type DealColumn, isNumeric } from './deal-columns.ts';
import { type DealSort, nextSort } from './deal-sort.ts';
import { type Renting, RentLink } from './rent-link.tsx';

interface Sorting {
  now: DealSort;
  choose: (sort: DealSort) => void;
}

interface Picks {
  /** Listings of the picked offers. */
  chosen: ReadonlySet<string>;
  isFull: boolean;
  toggle: (item: RankedOffer) => void;
}

interface Props {
  items: readonly RankedOffer[];
  by: string;
  /** @default those that show until others are chosen */
  columns?: readonly DealColumn[];
  /** How it is sorted by a click on a head. @default it is not */
  sorting?: Sorting | undefined;
  /** Which offers are picked to be compared. @default none can be */
  picks?: Picks;
  /** @default nothing can be rented from here */
  renting?: Renting | null;
  /** The request, to explain each rank. */
  asked: URLSearchParams;
}

const firstColumns = chosenColumns(new URLSearchParams(), null);

/** The ranked offers, one per row; cells have the API's numbers in `data-value`. */
export function RankingTable(props: Props) {
  const { items, by, columns = firstColumns, sorting, picks, asked, renting = null } = props;
  const shown = columns.filter(({ name }) => name !== by);
  const decimals = columnDecimals(
    by,
    items.map(({ value }) => value),
  );
  const alike = alikeOffers(items);
  const several = namedMarkets(asked).length > 1;
  return (
    <Scroll label="Ranked offers">
      <table id="ranking" class="compact">
        <thead>
          <tr>
            {picks !== undefined && (
              <th scope="col">
                <span class="hidden">Compare</span>
              </th>
            )}
            <th scope="col" class="number">
              <abbr title="Place in this list">#</abbr>
            </th>
            <Head column={{ name: 'gpuName', label: 'GPU', kind: 'word' }} sorting={sorting} />
            {several && <Head column={{ name: 'market', label: 'Market', kind: 'word' }} sorting={sorting} />}
            <Head
              column={{
                name: 'rank',
                label: metricUnit(by),
                kind: 'price',
                best: 'low',
                title: metricTitle(by),
              }}
              sorting={sorting}
            />
            {shown.map((column) => (
              <Head key={column.name} column={column} sorting={sorting} />
            ))}
            {renting !== null && (
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item, place) => (
            <tr key={item.listingId} data-offer={item.offerId} data-rank={item.rank}>
              {picks !== undefined && <Pick item={item} picks={picks} />}
              <td class="number soft rank">{place + 1}</td>
              <th scope="row">
                <DealModel item={item} asked={asked} />
              </th>
              {several && <td data-market={item.market}>{item.market}</td>}
              <td class="number main" data-head={metricUnit(by)} data-field="value" data-value={item.value}>
                <Rank item={item} asked={asked}>
                  {formatPrice(item.value, decimals)}
                </Rank>
              </td>
              {shown.map((column) => (
                <DealCell
                  key={column.name}
                  column={column}
                  item={item}
                  asked={asked}
                  alike={alike.get(item.listingId)}
                />
              ))}
              {renting !== null && (
                <td class="actions">
                  <RentLink item={item} renting={renting} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Pick({ item, picks }: { item: RankedOffer; picks: Picks }) {
  const { listingId, gpuName, numGpus, offerId } = item;
  const isChosen = picks.chosen.has(listingId);
  const isOff = !isChosen && picks.isFull;
  return (
    <td class="pick">
      <input
        type="checkbox"
        name="compare"
        aria-label={`Compare ${gpuName} × ${numGpus}, offer ${offerId}`}
        title={isOff ? 'Four offers are chosen already' : undefined}
        checked={isChosen}
        disabled={isOff}
        onChange={() => picks.toggle(item)}
      />
    </td>
  );
}

/** A column's head, which sorts by it. */
function Head({ column, sorting }: { column: DealColumn; sorting: Sorting | undefined }) {
  const { name, label, unit, title } = column;
  const isSorted = sorting?.now.name === name;
  const words: ComponentChildren = (
    <>
      {label}
      {isSorted && <Icon name={sorting.now.order === 'asc' ? 'dear' : 'good'} />}{' '}
      {unit !== undefined && <small class="unit">{unit}</small>}
    </>
  );
  return (
    <th
      scope="col"
      class={isNumeric(column) ? 'number' : undefined}
      title={title}
      aria-sort={isSorted ? (sorting.now.order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {sorting === undefined ? (
        words
      ) : (
        <button
          type="button"
          class={isSorted ? 'sort chosen' : 'sort'}
          onClick={() => sorting.choose(nextSort(sorting.now, column))}
        >
          {words}
        </button>
      )}
    </th>
  );
}
