import type { SpendItem } from '../core/account-api.ts';
import { formatAmount } from '../core/figures.ts';
import { DataTable } from '../parts/data-table.tsx';

/** The groups that get a colour; the others share the last. */
const mostGroups = 5;

/** Consumption over time as stacked bars, with the same values as a table. Estimated parts are hatched. */
export function SpendBars({ items }: { items: readonly SpendItem[] }) {
  const times = [...new Set(items.map(({ key }) => key ?? ''))].toSorted();
  const groups = biggestFirst(items);
  const sums = times.map((time) =>
    items
      .filter(({ key }) => key === time)
      .reduce((sum, { amountUsd }) => sum + Math.max(0, Number(amountUsd)), 0),
  );
  // Heights alone: amounts that are read come from the API, which sums them exactly.
  const highest = Math.max(...sums, Number.MIN_VALUE);
  return (
    <>
      <ul class="legend">
        {groups.slice(0, mostGroups + 1).map((group, index) => (
          <li key={group}>
            <i class={`box s${index}`} />
            {index === mostGroups ? 'others' : groupName(group)}
          </li>
        ))}
      </ul>
      <div class="bars" aria-hidden="true">
        {times.map((time) => (
          <div key={time} class="bar" title={titleOf(time, items)}>
            <div class="stack">
              {groups.flatMap((group, index) =>
                items
                  .filter(({ key, subkey }) => key === time && (subkey ?? '') === group)
                  .map(({ basis, amountUsd }) => (
                    <div
                      key={group + basis}
                      class={`part s${Math.min(index, mostGroups)} ${basis}`}
                      style={{ height: `${(Math.max(0, Number(amountUsd)) / highest) * 100}%` }}
                    />
                  )),
              )}
            </div>
            <span class="day">{shortTime(time)}</span>
          </div>
        ))}
      </div>
      <details class="values">
        <summary>Values as a table</summary>
        <DataTable
          label="Spend over time"
          id="spend-values"
          tall
          rows={items}
          keyOf={({ key, subkey, basis }) => `${key}/${subkey}/${basis}`}
          columns={[
            { head: 'time', heads: true, cell: ({ key }) => key ?? '–' },
            { head: 'group', cell: ({ subkey }) => groupName(subkey ?? '') },
            { head: 'basis', cell: ({ basis }) => basis },
            {
              head: 'amount',
              number: true,
              field: 'amountUsd',
              value: ({ amountUsd }) => amountUsd,
              cell: ({ amountUsd }) => formatAmount(amountUsd, 4),
            },
          ]}
        />
      </details>
    </>
  );
}

const groupName = (group: string) => (group === '' ? 'not stated' : group);
const shortTime = (time: string) => time.replace(/^\d{4}-/, '');

function titleOf(time: string, items: readonly SpendItem[]): string {
  const parts = items
    .filter(({ key }) => key === time)
    .map(({ subkey, basis, amountUsd }) => {
      const name = groupName(subkey ?? '');
      return `${name}${basis === 'estimated' ? ' (estimated)' : ''}: ${formatAmount(amountUsd)}`;
    });
  return [time, ...parts].join('\n');
}

function biggestFirst(items: readonly SpendItem[]): string[] {
  const sums = new Map<string, number>();
  for (const { subkey, amountUsd } of items) {
    sums.set(subkey ?? '', (sums.get(subkey ?? '') ?? 0) + Number(amountUsd));
  }
  return [...sums].toSorted((a, b) => b[1] - a[1]).map(([group]) => group);
}
