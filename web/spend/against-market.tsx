import type { VsMarket } from '../core/api.ts';
import { countOf, formatAmount } from '../core/figures.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import type { Answer } from '../core/use-answer.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Awaited } from '../parts/notice.tsx';
import { dearestFirst, shortEqualWords } from './above-words.ts';
import { InstanceName } from './instance-name.tsx';
import { PaidAbove } from './paid-above.tsx';
import { formatDays } from './spend-periods.ts';
import { noBills } from './spend-words.ts';

interface Props {
  answer: Answer<VsMarket>;
  /** Range and time zone. */
  query: URLSearchParams;
  /** null: not known yet. */
  hasBills: boolean | null;
}

type Item = VsMarket['items'][number];

/** What an instance's hours are compared with, by its pricing type. */
const pricesOf: Record<NonNullable<Item['type']>, string> = {
  'on-demand': 'on-demand prices',
  bid: 'minimum bids',
  reserved: 'reserved prices',
};

/** Each instance's charges compared with the market's prices in the same hours. */
export function AgainstMarket({ answer, query, hasBills }: Props) {
  return (
    <section class="card" aria-label="Compared with the market" id="vs-market">
      <h2>
        Compared with the market
        <small>
          what you paid each hour and the market’s price of the same model and pricing type in that hour
        </small>
      </h2>
      <Awaited answer={answer} what="the comparison">
        {({ items, cloud, total, notCompared }) => {
          if (items.length === 0) {
            const none = hasBills === false ? noBills : 'No instance has been charged in this range.';
            return <p class="caption">{none}</p>;
          }
          const compared = dearestFirst(items);
          const others = items.filter(({ overMedianUsd }) => overMedianUsd === null);
          const hasCloud = cloud.cloudUsd !== null;
          return (
            <>
              <PaidAbove items={items} total={total} notCompared={notCompared} query={query} />
              {compared.length > 0 && (
                <>
                  <Table
                    label="Instances compared with the market"
                    rows={compared}
                    columns={columnsFor(query, { hasCloud, isCompared: true })}
                  />
                  <p class="caption">
                    Compared with all offers of the market that could be rented, of the same GPU model and
                    pricing type: a bid only with minimum bids. The median counts every offer; the lowest
                    price leaves out outliers, prices below a quarter or above four times the usual one. It
                    may be that of a machine that is not equal to yours.
                  </p>
                </>
              )}
              {others.length > 0 && (
                <NotCompared rows={others} columns={columnsFor(query, { hasCloud, isCompared: false })} />
              )}
              {cloud.cloudUsd !== null && (
                <p class="caption" id="cloud" data-value={cloud.cloudUsd}>
                  The same hours at the cheapest cloud:{' '}
                  <Explain query={explainQuery('vs-market', {}, query)}>
                    {formatAmount(cloud.cloudUsd)}
                  </Explain>{' '}
                  for what cost {formatAmount(cloud.cloudComparedUsd)}. {formatAmount(cloud.notComparedUsd)}{' '}
                  cannot be compared.
                </p>
              )}
            </>
          );
        }}
      </Awaited>
    </section>
  );
}

interface Rows {
  rows: readonly Item[];
  columns: readonly Column<Item>[];
}

const Table = ({ label, rows, columns }: Rows & { label: string }) => (
  <DataTable
    label={label}
    stacks
    tall
    rows={rows}
    keyOf={({ instanceId, source }) => `${instanceId}/${source}`}
    columns={columns}
  />
);

/** A reason with its day as the page writes days. */
const withDates = (reason: string): string =>
  reason.replace(/\d{4}-\d{2}-\d{2}/, (day) => formatDays(day, day));

const reasonOf = ({ unattributable }: Item): string => unattributable ?? 'no market price of those hours';

/** The instances without a market price, folded: how many for which reason, and what to do about it. */
function NotCompared({ rows, columns }: Rows) {
  const reasons = [...Map.groupBy(rows, reasonOf)].toSorted((a, b) => b[1].length - a[1].length);
  return (
    <>
      <ul class="reasons" aria-label="Why instances cannot be compared">
        {reasons.map(([reason, those]) => (
          <li key={reason}>
            {countOf(those.length, 'instance')} cannot be compared: {withDates(reason)}.
          </li>
        ))}
      </ul>
      <p class="caption">
        Nothing needs to be done: while Offerbook runs it sees every instance and keeps a book, a snapshot of
        all offers, of every hour, so that later rentals can be compared.
      </p>
      <details class="values" id="not-compared">
        <summary>Show what cannot be compared</summary>
        <Table label="Instances that cannot be compared" rows={rows} columns={columns} />
      </details>
    </>
  );
}

function columnsFor(
  query: URLSearchParams,
  { hasCloud, isCompared }: { hasCloud: boolean; isCompared: boolean },
): Column<Item>[] {
  const explain = (source: string | null) =>
    source === null ? null : explainQuery('vs-market', { source }, query);
  const above: Column<Item>[] = [
    { head: 'Compared with', cell: ({ type }) => (type === null ? '–' : pricesOf[type]) },
    {
      head: 'Above median',
      number: true,
      field: 'overMedianUsd',
      value: ({ overMedianUsd }) => overMedianUsd,
      cell: ({ overMedianUsd, source }) => (
        <Explain query={explain(source)}>
          <span class={Number(overMedianUsd) > 0 ? 'rose' : 'fell'}>{formatAmount(overMedianUsd)}</span>
        </Explain>
      ),
    },
    {
      head: 'Above lowest',
      unit: 'of any machine',
      number: true,
      field: 'overLowestUsd',
      value: ({ overLowestUsd }) => overLowestUsd,
      cell: ({ overLowestUsd, source }) => (
        <Explain query={explain(source)}>{amountOrUnknown(overLowestUsd)}</Explain>
      ),
    },
  ];
  const atCloud: Column<Item> = {
    head: 'At cheapest cloud',
    number: true,
    field: 'cloudUsd',
    value: ({ cloudUsd }) => cloudUsd,
    cell: ({ cloudUsd, source }) => <Explain query={explain(source)}>{amountOrUnknown(cloudUsd)}</Explain>,
  };
  return [
    { head: 'Instance', heads: true, cell: (item) => <InstanceName {...item} withLink /> },
    {
      head: 'Paid',
      number: true,
      field: 'paidUsd',
      value: ({ paidUsd }) => paidUsd,
      cell: ({ paidUsd, source }) => <Explain query={explain(source)}>{formatAmount(paidUsd)}</Explain>,
    },
    ...(isCompared ? above : []),
    ...(hasCloud ? [atCloud] : []),
    isCompared
      ? { head: 'Note', cell: noteOf }
      : {
          head: 'Reason',
          cell: (item) => <span class="wrapped long">{sentenceCase(withDates(reasonOf(item)))}</span>,
        },
  ];
}

/** How much of an instance was compared if not all, and what an equal machine would have saved. */
function noteOf({ cheaperEqual, comparedUsd, paidUsd }: Item) {
  const part =
    comparedUsd !== null && Number(comparedUsd) !== Number(paidUsd)
      ? `${formatAmount(comparedUsd)} of it compared`
      : null;
  if (cheaperEqual === null) return part ?? '–';
  return (
    <span class="wrapped long">
      {part !== null && `${part}; `}
      {shortEqualWords(cheaperEqual)}
    </span>
  );
}

const amountOrUnknown = (usd: string | null): string => (usd === null ? 'unknown' : formatAmount(usd));
