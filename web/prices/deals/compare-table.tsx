import { alikeOffers } from '../../core/alike-offers.ts';
import type { RankedOffer } from '../../core/api.ts';
import { columnDecimals, metricUnit } from '../../core/metrics.ts';
import { summaryWindow } from '../../core/verdict-words.ts';
import { Icon } from '../../parts/icon.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { bestOf } from './best-values.ts';
import { cellValue, DealModel, DealValue } from './deal-cell.tsx';
import { type DealColumn, dealColumns, headOf } from './deal-columns.ts';
import { type Renting, RentLink } from './rent-link.tsx';

export interface CompareProps {
  items: readonly RankedOffer[];
  by: string;
  asked: URLSearchParams;
  renting: Renting | null;
}

/** Offers side by side, one per column, with the best value of each row marked. */
export function CompareTable({ items, by, asked, renting }: CompareProps) {
  const decimals = columnDecimals(
    by,
    items.map(({ value }) => value),
  );
  const metric: DealColumn = {
    name: 'value',
    label: metricUnit(by),
    kind: 'price',
    best: 'low',
    ...(decimals !== undefined && { decimals }),
  };
  const others = dealColumns.filter(({ name }) => name !== by);
  const rows = [metric, ...others];
  const alike = alikeOffers(items);
  const several = new Set(items.map(({ market }) => market)).size > 1;
  return (
    <Scroll label="Offers side by side">
      <table id="compared" class="beside">
        <thead>
          <tr>
            <td />
            {items.map((item) => (
              <th key={item.listingId} scope="col">
                <DealModel item={item} asked={asked} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {several && (
            <tr>
              <th scope="row">Market</th>
              {items.map((item) => (
                <td key={item.listingId}>{item.market}</td>
              ))}
            </tr>
          )}
          {rows.map((column) => (
            <Row key={column.name} column={column} items={items} asked={asked} alike={alike} />
          ))}
        </tbody>
        {renting !== null && (
          <tfoot>
            <tr>
              <th scope="row">
                <span class="hidden">Actions</span>
              </th>
              {items.map((item) => (
                <td key={item.listingId}>
                  <RentLink item={item} renting={renting} />
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </Scroll>
  );
}

interface RowProps extends Pick<CompareProps, 'items' | 'asked'> {
  column: DealColumn;
  alike: ReturnType<typeof alikeOffers>;
}

function Row({ column, items, asked, alike }: RowProps) {
  const best = bestOf(
    column,
    items.map((item) => comparable(column, item)),
  );
  return (
    <tr data-row={column.name}>
      <th scope="row" title={column.title}>
        {headOf(column)}
      </th>
      {items.map((item, index) => (
        <td key={item.listingId} class={best[index] === true ? 'best' : undefined}>
          <DealValue column={column} item={item} asked={asked} alike={alike.get(item.listingId)} />
          {best[index] === true && (
            <span title="Best of these">
              {' '}
              <Icon name="complete" />
              <span class="hidden">best</span>
            </span>
          )}
        </td>
      ))}
    </tr>
  );
}

/** Returns the number by which a column's values are better or worse; null: unknown or none. */
function comparable({ kind, name }: DealColumn, item: RankedOffer): number | null {
  if (kind === 'verdict') {
    return item.verdict === null ? null : (summaryWindow(item.verdict)?.percentile ?? null);
  }
  const value = cellValue(item, name);
  if (typeof value !== 'number') return null;
  // As shown: shares that look the same are the same.
  return kind === 'share' ? Math.round(value * 1000) : value;
}
