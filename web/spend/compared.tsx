import type { Reconciliation, VsMarket } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { formatAmount } from '../core/figures.ts';
import { useAnswer } from '../core/use-answer.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';

interface Props {
  app: App;
  /** Range and zone. */
  query: URLSearchParams;
}

/** Each instance's charges beside what the market asked in the same hours. */
export function AgainstMarket({ app, query }: Props) {
  const answer = useAnswer<VsMarket>(app, `/api/spend/vs-market?${query}`);
  return (
    <section class="card" aria-label="Against the market" id="vs-market">
      <h2>
        Against the market<small>GPUs and disk of each hour beside the same model’s prices then</small>
      </h2>
      <Awaited answer={answer} what="the comparison">
        {({ items }) =>
          items.length === 0 ? (
            <p class="caption">No instance was charged in this range.</p>
          ) : (
            <DataTable
              label="Instances against the market"
              stacks
              rows={items}
              keyOf={({ instanceId, source }) => `${instanceId}/${source}`}
              columns={[
                {
                  head: 'instance',
                  heads: true,
                  cell: ({ label, instanceId, source }) => label ?? instanceId ?? source,
                },
                {
                  head: 'GPU',
                  cell: ({ gpuName, numGpus }) => (gpuName === null ? '–' : `${gpuName} × ${numGpus}`),
                },
                {
                  head: 'paid',
                  number: true,
                  field: 'paidUsd',
                  value: ({ paidUsd }) => paidUsd,
                  cell: ({ paidUsd }) => formatAmount(paidUsd),
                },
                {
                  head: 'over the median',
                  number: true,
                  field: 'overMedianUsd',
                  value: ({ overMedianUsd }) => overMedianUsd,
                  cell: ({ overMedianUsd }) => (
                    <span
                      class={overMedianUsd === null ? 'soft' : Number(overMedianUsd) > 0 ? 'rose' : 'fell'}
                    >
                      {amountOrUnknown(overMedianUsd)}
                    </span>
                  ),
                },
                {
                  head: 'over the minimum',
                  number: true,
                  cell: ({ overMinUsd }) => amountOrUnknown(overMinUsd),
                },
                {
                  head: 'remark',
                  cell: ({ unattributable, cheaperEqual, comparedUsd, paidUsd }) =>
                    unattributable ??
                    (comparedUsd !== null && Number(comparedUsd) !== Number(paidUsd) ? (
                      `compared: ${formatAmount(comparedUsd)} of it`
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
          )
        }
      </Awaited>
    </section>
  );
}

const amountOrUnknown = (usd: string | null): string => (usd === null ? 'unknown' : formatAmount(usd));

/** Where bills, payments, balances and the ledger differ, and why. */
export function Differences({ app, query, hasBills }: Props & { hasBills: boolean | null }) {
  const answer = useAnswer<Reconciliation>(app, `/api/spend/reconciliation?${query}`);
  return (
    <section class="card" aria-label="Reconciliation" id="reconciliation">
      <h2>
        Reconciliation<small>only what differs</small>
      </h2>
      <Awaited answer={answer} what="the differences">
        {({ items }) =>
          items.length === 0 ? (
            <p class="caption">
              {hasBills === false
                ? 'Unknown: no bills have been read yet, so there is nothing to compare.'
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
                { head: 'what', heads: true, cell: ({ kind, subject }) => `${kind} ${subject ?? ''}` },
                { head: 'from', cell: ({ from }) => <Moment t={from} /> },
                { head: 'expected', number: true, cell: ({ expectedUsd }) => formatAmount(expectedUsd) },
                { head: 'actual', number: true, cell: ({ actualUsd }) => formatAmount(actualUsd) },
                {
                  head: 'difference',
                  number: true,
                  field: 'differenceUsd',
                  value: ({ differenceUsd }) => differenceUsd,
                  cell: ({ differenceUsd }) => formatAmount(differenceUsd),
                },
                { head: 'reason', cell: ({ reason }) => reason },
              ]}
            />
          )
        }
      </Awaited>
    </section>
  );
}
