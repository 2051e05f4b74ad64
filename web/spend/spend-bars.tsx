import { useState } from 'preact/hooks';
import type { Spend, SpendItem } from '../core/api.ts';
import { formatAmount, formatAmountTick } from '../core/figures.ts';
import { getNow } from '../core/server-time.ts';
import { formatDateField } from '../core/times.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { GroupName } from './group-name.tsx';
import {
  axisAmounts,
  filledTimes,
  formatSpendTime,
  rangeEnds,
  type SpendUnit,
  spendTimeWord,
} from './spend-times.ts';

/** Number of groups with their own color; all other groups share one. */
const maxGroups = 5;
/** Maximum number of labels below the bars. */
const maxLabels = 14;

interface Props {
  items: readonly SpendItem[];
  /** Its range, and the names of the instances that it is stacked by. */
  spend: Pick<Spend, 'from' | 'to' | 'timeZone' | 'instances'>;
  unit: SpendUnit;
  /** What the bars are stacked by. */
  grouping: string;
  /** Range and time zone. */
  asked: URLSearchParams;
}

/** Consumption over time as stacked bars, with the same values as a table. Estimated parts are hatched. */
export function SpendBars({ items, spend, unit, grouping, asked }: Props) {
  const [pointed, setPointed] = useState<string | null>(null);
  const dayOf = (t: string): string => formatDateField(t, spend.timeZone);
  const ends = rangeEnds(dayOf(spend.from), dayOf(spend.to), unit, dayOf(new Date(getNow()).toISOString()));
  // A period that nobody chose begins with the first spend.
  const bounds = asked.has('from') ? ends : ends.slice(1);
  const times = filledTimes([...bounds, ...items.map(({ key }) => key ?? '')], unit);
  const groups = biggestFirst(items);
  const byTime = Map.groupBy(items, ({ key }) => key ?? '');
  // Only for heights: displayed amounts come from the API, which sums them exactly.
  const sums = times.map((time) =>
    (byTime.get(time) ?? []).reduce((sum, { amountUsd }) => sum + Math.max(0, Number(amountUsd)), 0),
  );
  const highest = Math.max(...sums, Number.MIN_VALUE);
  const axis = axisAmounts(highest);
  const top = axis.at(-1) ?? highest;
  // Steps may have two digits, as 0.025 has.
  const step = (axis[0] ?? highest) / 10;
  const every = Math.ceil(times.length / maxLabels);
  // The last time with spend: the last bars may be empty.
  const shown = pointed ?? times.findLast((time) => byTime.has(time)) ?? times.at(-1) ?? '';
  return (
    <>
      <ul class="legend">
        {groups.slice(0, maxGroups + 1).map((group, index) => (
          <li key={group}>
            <i class={`box s${index}`} />
            {index === maxGroups ? (
              'Others'
            ) : (
              <GroupName grouping={grouping} value={group} instances={spend.instances} />
            )}
          </li>
        ))}
        {items.some(({ basis }) => basis === 'estimated') && (
          <li>
            <i class="box estimated s0" />
            Hatched: estimated
          </li>
        )}
      </ul>
      <div class="bar-chart" aria-hidden="true" onPointerLeave={() => setPointed(null)}>
        <div class="plot">
          {axis.map((amount) => (
            <span key={amount} class="line" style={{ bottom: `${(amount / top) * 100}%` }}>
              {formatAmountTick(amount, step)}
            </span>
          ))}
          {times.map((time) => (
            <div
              key={time}
              class={time === pointed ? 'bar pointed' : 'bar'}
              onPointerEnter={() => setPointed(time)}
              onPointerDown={() => setPointed(time)}
            >
              {groups.flatMap((group, index) =>
                (byTime.get(time) ?? [])
                  .filter(({ subkey }) => (subkey ?? '') === group)
                  .map(({ basis, amountUsd }) => (
                    <div
                      key={group + basis}
                      class={`part s${Math.min(index, maxGroups)} ${basis}`}
                      style={{ height: `${(Math.max(0, Number(amountUsd)) / top) * 100}%` }}
                    />
                  )),
              )}
            </div>
          ))}
        </div>
        <div class="days">
          {times.map((time, index) => (
            <span key={time} class={index % (every * 3) === 0 ? 'sparse' : undefined}>
              {index % every === 0 ? formatSpendTime(time) : ''}
            </span>
          ))}
        </div>
      </div>
      <p class="caption pointed-at" data-time={shown}>
        {spendTimeWord(unit)}{' '}
        <strong>
          <Explain
            query={explainQuery('spend', { groupBy: unit, key: shown, category: 'consumption' }, asked)}
          >
            {formatSpendTime(shown)}
          </Explain>
        </strong>
        {': '}
        <Parts items={byTime.get(shown) ?? []} grouping={grouping} instances={spend.instances} />
      </p>
      <details class="values">
        <summary>Show as table</summary>
        <DataTable
          label="Spend over time"
          id="spend-values"
          tall
          rows={items}
          keyOf={({ key, subkey, basis }) => `${key}/${subkey}/${basis}`}
          columns={[
            { head: 'Time', heads: true, cell: ({ key }) => key ?? '–' },
            {
              head: 'Group',
              cell: ({ subkey }) => (
                <GroupName grouping={grouping} value={subkey} instances={spend.instances} />
              ),
            },
            { head: 'Basis', cell: ({ basis }) => basis },
            {
              head: 'Amount',
              number: true,
              field: 'amountUsd',
              value: ({ amountUsd }) => amountUsd,
              cell: ({ key, subkey, category, basis, amountUsd }) => (
                <Explain
                  query={explainQuery(
                    'spend',
                    {
                      groupBy: unit,
                      key: key ?? '',
                      stackBy: grouping,
                      subkey: subkey ?? '',
                      category,
                      basis,
                    },
                    asked,
                  )}
                >
                  {formatAmount(amountUsd, 4)}
                </Explain>
              ),
            },
          ]}
        />
      </details>
    </>
  );
}

function Parts({ items, grouping, instances }: Pick<Props, 'items' | 'grouping'> & Pick<Spend, 'instances'>) {
  if (items.length === 0) return <>nothing</>;
  return (
    <>
      {items.map(({ subkey, basis, amountUsd }, index) => (
        <span key={`${subkey}/${basis}`}>
          {index > 0 && ' · '}
          <GroupName grouping={grouping} value={subkey} instances={instances} />
          {basis === 'estimated' && ' (estimated)'} {formatAmount(amountUsd)}
        </span>
      ))}
    </>
  );
}

function biggestFirst(items: readonly SpendItem[]): string[] {
  const sums = new Map<string, number>();
  for (const { subkey, amountUsd } of items) {
    sums.set(subkey ?? '', (sums.get(subkey ?? '') ?? 0) + Number(amountUsd));
  }
  return [...sums].toSorted((a, b) => b[1] - a[1]).map(([group]) => group);
}
