import type { VsMarket } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { InstanceName } from './instance-name.tsx';

export type Item = VsMarket['items'][number];

/** What an instance's hours are compared with, by its pricing type. */
const pricesOf: Record<NonNullable<Item['type']>, string> = {
  'on-demand': 'on-demand prices',
  bid: 'minimum bids',
  reserved: 'reserved prices',
};

/** The market's prices of the same hours, of machines that need not be equal, and those of the cheapest cloud; folded. */
export function MarketPrices({
  items,
  cloud,
  query,
}: Pick<VsMarket, 'cloud'> & { items: readonly Item[]; query: URLSearchParams }) {
  const { cloudUsd, cloudComparedUsd, notComparedUsd } = cloud;
  return (
    <details class="values" id="market-prices">
      <summary>Show the market’s prices of the same hours</summary>
      {items.length > 0 && (
        <>
          <Table
            label="Market prices of the same hours"
            rows={items}
            columns={marketColumns(query, cloudUsd !== null)}
          />
          <p class="caption">
            How much less you could have paid stands under <em>Above equal machine</em> in the table above.
            Here are the prices of all offers of the model and pricing type in those hours (for bids: the
            minimum bids), also of slower, less reliable or unverified machines. Who pays more than their
            median or lowest need not have overpaid. The lowest leaves out outliers, prices below a quarter or
            above four times the usual one.
          </p>
        </>
      )}
      {cloudUsd !== null && (
        <p class="caption" id="cloud" data-value={cloudUsd}>
          The same hours at the cheapest cloud:{' '}
          <Explain query={explainQuery('vs-market', {}, query)}>{formatAmount(cloudUsd)}</Explain> for what
          cost {formatAmount(cloudComparedUsd)}. {formatAmount(notComparedUsd)} cannot be compared.
        </p>
      )}
    </details>
  );
}

interface Rows {
  label: string;
  rows: readonly Item[];
  columns: readonly Column<Item>[];
}

/** A table of compared instances. */
export const Table = ({ label, rows, columns }: Rows) => (
  <DataTable
    label={label}
    stacks
    tall
    rows={rows}
    keyOf={({ instanceId, source }) => `${instanceId}/${source}`}
    columns={columns}
  />
);

/** The query that explains an instance's comparison; null: it has no name. */
export const explainOf = (source: string | null, query: URLSearchParams) =>
  source === null ? null : explainQuery('vs-market', { source }, query);

type Amount = 'paidUsd' | 'comparedUsd' | 'overMedianUsd' | 'overLowestUsd' | 'cloudUsd';

/** A column of an amount of each instance, which leads to its explanation. */
const amountColumn = (query: URLSearchParams, field: Amount, head: string, unit?: string): Column<Item> => ({
  head,
  ...(unit === undefined ? {} : { unit }),
  number: true,
  field,
  value: (item) => item[field],
  cell: ({ source, [field]: usd }) => (
    <Explain query={explainOf(source, query)}>{usd === null ? 'unknown' : formatAmount(usd)}</Explain>
  ),
});

const nameColumn: Column<Item> = {
  head: 'Instance',
  heads: true,
  cell: (item) => <InstanceName {...item} withLink />,
};

/** An instance, and what was paid for its GPUs and disk. */
export const paidColumns = (query: URLSearchParams): Column<Item>[] => [
  nameColumn,
  amountColumn(query, 'paidUsd', 'Paid', 'GPUs, and disk in their hours'),
];

/** The part of what was paid whose hours have market prices. */
export const comparedColumn = (query: URLSearchParams): Column<Item> =>
  amountColumn(query, 'comparedUsd', 'Compared', 'of what was paid');

/** What the same hours cost at the cheapest cloud. */
export const cloudColumn = (query: URLSearchParams): Column<Item> =>
  amountColumn(query, 'cloudUsd', 'At cheapest cloud');

const marketColumns = (query: URLSearchParams, hasCloud: boolean): Column<Item>[] => [
  nameColumn,
  { head: 'Compared with', cell: ({ type }) => (type === null ? '–' : pricesOf[type]) },
  amountColumn(query, 'overMedianUsd', 'Above market median', 'of any machine'),
  amountColumn(query, 'overLowestUsd', 'Above market lowest', 'of any machine'),
  ...(hasCloud ? [cloudColumn(query)] : []),
];
