import type { VsMarket } from '../core/api.ts';
import definitions from '../core/definitions.json' with { type: 'json' };
import { countOf, formatAmount } from '../core/figures.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import type { Answer } from '../core/use-answer.ts';
import type { Column } from '../parts/data-table.tsx';
import { Explain } from '../parts/explain.tsx';
import { Awaited } from '../parts/notice.tsx';
import {
  cloudColumn,
  comparedColumn,
  explainOf,
  type Item,
  MarketPrices,
  paidColumns,
  Table,
} from './market-prices.tsx';
import { notComparedWords, reasonOf } from './not-compared-words.ts';
import { cheaperWords, dearestFirst, equalWords } from './saved-words.ts';
import { noBills } from './spend-words.ts';

interface Props {
  answer: Answer<VsMarket>;
  /** Range and time zone. */
  query: URLSearchParams;
  /** null: not known yet. */
  hasBills: boolean | null;
}

/** Each instance's charges compared with an equal machine and, on demand, with the market's prices in the same hours. */
export function AgainstMarket({ answer, query, hasBills }: Props) {
  // That nothing was spent stands at the top.
  if (answer.data?.items.length === 0 && hasBills !== false) return null;
  return (
    <section class="card" aria-label="Compared with the market" id="vs-market">
      <h2>Compared with the market</h2>
      <Awaited answer={answer} what="the comparison">
        {({ items, cloud, total, notCompared }) => {
          if (items.length === 0) return <p class="caption">{noBills}</p>;
          const compared = dearestFirst(items);
          const others = items.filter(({ overMedianUsd }) => overMedianUsd === null);
          const cheaper = cheaperWords(items, total.savedUsd);
          const hasCloud = cloud.cloudUsd !== null;
          return (
            <>
              <p class="caption" id="compared-part">
                {notComparedWords(notCompared, total.comparedUsd, items)}
              </p>
              {cheaper !== null && (
                <p class="caption" data-saved>
                  {cheaper}
                </p>
              )}
              {compared.length > 0 && (
                <>
                  <Table
                    label="Instances compared with the market"
                    rows={compared}
                    columns={savedColumns(query)}
                  />
                  <p class="caption" id="equal-meaning">
                    {definitions.equalMachineMeaning}
                  </p>
                </>
              )}
              {(compared.length > 0 || hasCloud) && (
                <MarketPrices items={compared} cloud={cloud} query={query} />
              )}
              {others.length > 0 && <NotCompared rows={others} query={query} hasCloud={hasCloud} />}
            </>
          );
        }}
      </Awaited>
    </section>
  );
}

/** The instances without a market price, folded: how many for which reason, and what to do about it. */
function NotCompared({
  rows,
  query,
  hasCloud,
}: {
  rows: readonly Item[];
  query: URLSearchParams;
  hasCloud: boolean;
}) {
  const reasons = [...Map.groupBy(rows, reasonOf)].toSorted((a, b) => b[1].length - a[1].length);
  return (
    <>
      <ul class="reasons" aria-label="Why instances cannot be compared">
        {reasons.map(([reason, those]) => (
          <li key={reason}>
            {countOf(those.length, 'instance')} cannot be compared: {reason}.
          </li>
        ))}
      </ul>
      <p class="caption">
        Nothing needs to be done: while Offerbook runs it sees every instance and keeps a book, a snapshot of
        all offers, of every hour, so that later rentals can be compared.
      </p>
      <details class="values" id="not-compared">
        <summary>Show what cannot be compared</summary>
        <Table
          label="Instances that cannot be compared"
          rows={rows}
          columns={[
            ...paidColumns(query),
            ...(hasCloud ? [cloudColumn(query)] : []),
            {
              head: 'Reason',
              cell: (item) => <span class="wrapped long">{sentenceCase(reasonOf(item))}</span>,
            },
          ]}
        />
      </details>
    </>
  );
}

/** How much less an instance would have cost, and at which machine. */
const savedColumns = (query: URLSearchParams): Column<Item>[] => [
  ...paidColumns(query),
  comparedColumn(query),
  {
    head: 'Above equal machine',
    unit: 'at least',
    number: true,
    field: 'savedUsd',
    class: ({ cheaperEqual }) => (cheaperEqual === null ? '' : 'main'),
    value: ({ cheaperEqual }) => cheaperEqual?.savedUsd,
    cell: ({ source, cheaperEqual }) =>
      cheaperEqual === null ? (
        '–'
      ) : (
        <Explain query={explainOf(source, query)}>{formatAmount(cheaperEqual.savedUsd)}</Explain>
      ),
  },
  {
    head: 'Equal machine',
    unit: 'with the same disk',
    cell: (item) => (
      <span class="wrapped long">
        <EqualMachine {...item} />
      </span>
    ),
  },
];

function EqualMachine(item: Item) {
  const { cheaperEqual } = item;
  if (cheaperEqual === null) return <>none cheaper was found</>;
  return (
    <>
      <a class="whole" href={`/listings/${cheaperEqual.listingId}`}>
        machine {cheaperEqual.machineId}
      </a>
      , {equalWords(item)}
    </>
  );
}
