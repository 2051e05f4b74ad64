import type { Backtest } from '../core/api.ts';
import { countOf } from '../core/figures.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { baselineName, baselineWithUnit, valueWithUnit } from './metric-words.ts';

/** When a rule would have fired. */
export function Tried({ kind, backtest }: { kind: string; backtest: Backtest }) {
  const { from, to, books, unit, count, firings, markets } = backtest;
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
          keyOf={({ at, market }) => `${at} ${market}`}
          columns={[
            { head: 'Time', heads: true, cell: ({ at }) => <Moment t={at} /> },
            ...(markets.length > 1
              ? [{ head: 'Market', cell: ({ market }: (typeof firings)[number]) => market }]
              : []),
            {
              head: 'Value',
              number: true,
              field: 'value',
              value: ({ value }) => value,
              cell: ({ value }) => valueWithUnit(value, unit),
            },
            {
              head: baselineName(kind),
              number: true,
              cell: ({ baseline }) => baselineWithUnit(kind, baseline, unit),
            },
            { head: 'Previous', number: true, cell: ({ previous }) => valueWithUnit(previous, unit) },
            { head: 'Sent', cell: ({ capped }) => (capped ? 'no: daily cap' : 'yes') },
          ]}
        />
      )}
    </div>
  );
}
