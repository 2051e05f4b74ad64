import { compareSpendWithMarket, reconcileSpend } from '../../client/operations.js';
import type { VsMarket } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf, formatAmount } from '../core/figures.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';

interface Props {
  app: App;
  /** Range and time zone. */
  query: URLSearchParams;
}

const rangeNames = ['timeZone', 'from', 'to'] as const;

/** Each instance's charges compared with the market's prices in the same hours. */
export function AgainstMarket({ app, query }: Props) {
  const answer = useAnswer(app, pathTo(compareSpendWithMarket, valuesOf(query, rangeNames)));
  const explain = (source: string | null) =>
    source === null ? null : explainQuery('vs-market', { source }, query);
  return (
    <section class="card" aria-label="Compared with the market" id="vs-market">
      <h2>
        Compared with the market
        <small>what you paid each hour and the market’s price of the same model in that hour</small>
      </h2>
      <Awaited answer={answer} what="the comparison">
        {({ items, cloud, total }) =>
          items.length === 0 ? (
            <p class="caption">No instance was charged in this range.</p>
          ) : (
            <>
              <PaidAbove items={items} total={total} query={query} />
              <DataTable
                label="Instances compared with the market"
                stacks
                rows={items}
                keyOf={({ instanceId, source }) => `${instanceId}/${source}`}
                columns={[
                  {
                    head: 'Instance',
                    heads: true,
                    cell: ({ label, instanceId, source }) => label ?? instanceId ?? source,
                  },
                  {
                    head: 'GPU',
                    cell: ({ gpuName, numGpus }) => (gpuName === null ? '–' : `${gpuName} × ${numGpus}`),
                  },
                  {
                    head: 'Paid',
                    number: true,
                    field: 'paidUsd',
                    value: ({ paidUsd }) => paidUsd,
                    cell: ({ paidUsd, source }) => (
                      <Explain query={explain(source)}>{formatAmount(paidUsd)}</Explain>
                    ),
                  },
                  {
                    head: 'Above median',
                    number: true,
                    field: 'overMedianUsd',
                    value: ({ overMedianUsd }) => overMedianUsd,
                    cell: ({ overMedianUsd, source }) => (
                      <Explain query={explain(source)}>
                        <span
                          class={
                            overMedianUsd === null ? 'soft' : Number(overMedianUsd) > 0 ? 'rose' : 'fell'
                          }
                        >
                          {amountOrUnknown(overMedianUsd)}
                        </span>
                      </Explain>
                    ),
                  },
                  {
                    head: 'Above minimum',
                    number: true,
                    cell: ({ overMinUsd, source }) => (
                      <Explain query={explain(source)}>{amountOrUnknown(overMinUsd)}</Explain>
                    ),
                  },
                  ...(cloud.cloudUsd === null
                    ? []
                    : [
                        {
                          head: 'At cheapest cloud',
                          number: true,
                          field: 'cloudUsd',
                          value: ({ cloudUsd }: VsMarket['items'][number]) => cloudUsd,
                          cell: ({ cloudUsd, source }: VsMarket['items'][number]) => (
                            <Explain query={explain(source)}>{amountOrUnknown(cloudUsd)}</Explain>
                          ),
                        },
                      ]),
                  {
                    head: 'Note',
                    cell: ({ unattributable, cheaperEqual, comparedUsd, paidUsd }) =>
                      unattributable ??
                      (comparedUsd !== null && Number(comparedUsd) !== Number(paidUsd) ? (
                        `${formatAmount(comparedUsd)} of it compared`
                      ) : cheaperEqual === null ? (
                        '–'
                      ) : (
                        <>
                          machine {cheaperEqual.machineId} was cheaper from <Moment t={cheaperEqual.since} />
                        </>
                      )),
                  },
                ]}
              />
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
          )
        }
      </Awaited>
    </section>
  );
}

/** Number of instances named as reasons. */
const maxReasons = 3;

/** What was paid above the market's median in all, and the instances that made up most of it. */
function PaidAbove({ items, total, query }: Pick<VsMarket, 'items' | 'total'> & { query: URLSearchParams }) {
  const { paidUsd, comparedUsd, overMedianUsd } = total;
  if (overMedianUsd === null || comparedUsd === null)
    return <p class="caption">Nothing of {formatAmount(paidUsd)} can be compared; the notes say why.</p>;
  const over = Number(overMedianUsd);
  const dearest = items
    .filter((item) => Number(item.overMedianUsd ?? 0) > 0)
    .toSorted((a, b) => Number(b.overMedianUsd) - Number(a.overMedianUsd))
    .slice(0, maxReasons);
  return (
    <>
      <p class="figures-line" id="paid-above" data-value={overMedianUsd}>
        <strong>
          <Explain query={explainQuery('vs-market', {}, query)}>
            {formatAmount(String(Math.abs(over)))}
          </Explain>{' '}
          paid {over > 0 ? 'above' : 'below'} the market
        </strong>
        , against the median price of the same hours; {formatAmount(comparedUsd)} of {formatAmount(paidUsd)}{' '}
        for GPUs and disk can be compared.
      </p>
      {dearest.length > 0 && (
        <ul class="reasons" aria-label="Why it was above the market">
          {dearest.map((item) => (
            <li key={`${item.instanceId}/${item.source}`}>{reasonOf(item)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Why an instance was above the market: in how many hours, and whether an equal machine was cheaper. */
function reasonOf({
  label,
  instanceId,
  source,
  overMedianUsd,
  hours,
  cheaperEqual,
}: VsMarket['items'][number]) {
  const known = hours.filter((hour) => hour.overMedianUsd !== null);
  const above = known.filter((hour) => Number(hour.overMedianUsd) > 0).length;
  return (
    <>
      {formatAmount(overMedianUsd)} by {label ?? instanceId ?? source}: dearer than the median in {above} of{' '}
      {countOf(known.length, 'hour')}
      {cheaperEqual === null ? (
        '; no equal machine was cheaper.'
      ) : (
        <>
          ; machine {cheaperEqual.machineId} was equal and cheaper from <Moment t={cheaperEqual.since} />.
        </>
      )}
    </>
  );
}

const amountOrUnknown = (usd: string | null): string => (usd === null ? 'unknown' : formatAmount(usd));

/** Where bills, payments, balances and the ledger differ, and why. */
export function Differences({ app, query, hasBills }: Props & { hasBills: boolean | null }) {
  const answer = useAnswer(app, pathTo(reconcileSpend, valuesOf(query, rangeNames)));
  return (
    <section class="card" aria-label="Reconciliation" id="reconciliation">
      <h2>
        Reconciliation<small>differences only</small>
      </h2>
      <Awaited answer={answer} what="the differences">
        {({ items }) =>
          items.length === 0 ? (
            <p class="caption">
              {hasBills === false
                ? 'No bills have been synced yet.'
                : 'Bills, payments, balances and the ledger agree.'}
            </p>
          ) : (
            <DataTable
              label="Differences"
              stacks
              tall
              rows={items}
              keyOf={({ kind, subject, from }) => `${kind}/${subject}/${from}`}
              columns={[
                { head: 'Item', heads: true, cell: ({ kind, subject }) => `${kind} ${subject ?? ''}` },
                { head: 'From', cell: ({ from }) => <Moment t={from} /> },
                { head: 'Expected', number: true, cell: ({ expectedUsd }) => formatAmount(expectedUsd) },
                { head: 'Actual', number: true, cell: ({ actualUsd }) => formatAmount(actualUsd) },
                {
                  head: 'Difference',
                  number: true,
                  field: 'differenceUsd',
                  value: ({ differenceUsd }) => differenceUsd,
                  cell: ({ kind, subject, differenceUsd }) => (
                    <Explain query={explainQuery('difference', { kind, subject }, query)}>
                      {formatAmount(differenceUsd)}
                    </Explain>
                  ),
                },
                { head: 'Reason', cell: ({ reason }) => reason },
              ]}
            />
          )
        }
      </Awaited>
    </section>
  );
}
