import type { Backtest } from '../core/account-api.ts';
import { countOf, formatUsd } from '../core/figures.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';

/** When a rule would have fired. */
export function Tried({ backtest: { from, to, books, count, firings } }: { backtest: Backtest }) {
  return (
    <div id="backtest" data-count={count}>
      <p class="caption" role="status">
        It would have fired {countOf(count, 'time')} over {countOf(books, 'book')} from <Moment t={from} /> to{' '}
        <Moment t={to} />.
      </p>
      {firings.length > 0 && (
        <DataTable
          label="When it would have fired"
          tall
          rows={firings.toReversed()}
          keyOf={({ at }) => at}
          columns={[
            { head: 'at', heads: true, cell: ({ at }) => <Moment t={at} /> },
            {
              head: 'value',
              number: true,
              field: 'value',
              value: ({ value }) => value,
              cell: ({ value }) => formatUsd(value),
            },
            { head: 'against', number: true, cell: ({ baseline }) => formatUsd(baseline) },
            { head: 'before', number: true, cell: ({ previous }) => formatUsd(previous) },
            { head: 'sent', cell: ({ capped }) => (capped ? 'no: daily cap' : 'yes') },
          ]}
        />
      )}
    </div>
  );
}
