import type { Budget, Budgets, Instances, SpendProjection } from '../core/api.ts';
import { formatAmount, formatHourly, formatShare } from '../core/figures.ts';
import type { Answer } from '../core/use-answer.ts';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { burnWords, knownEndWords } from './instance-cost-words.ts';
import { monthEndWords } from './month-end-words.ts';
import { Tile } from './tile.tsx';

interface Props {
  instances: Answer<Instances>;
  projection: Answer<SpendProjection>;
  budgets: Answer<Budgets>;
}

/** What the account costs an hour, will have cost at the month's end, and has left. */
export function CostTiles({ instances, projection, budgets }: Props) {
  return (
    <dl class="tiles today-tiles" id="today-cost">
      <Tile name="burn" label="Burn rate" href="/instances" answer={instances} figure={burn} />
      <Tile
        name="month"
        label="At the month’s end"
        href="/spend"
        answer={isAwaited(instances) ? { ...projection, data: null } : projection}
        figure={(shown) => monthEnd(shown, instances.data?.items ?? [])}
      />
      <Tile name="budget" label="Budget left" href="/spend" answer={budgets} figure={budgetLeft} />
    </dl>
  );
}

/** Whether it is neither there nor failed: its words would move what is below. */
const isAwaited = ({ data, problem }: Answer<Instances>): boolean => data === null && problem === null;

function burn({ items, totalUsdPerHour, unpriced }: Instances) {
  const isUnknown = items.length > 0 && unpriced >= items.length;
  return {
    value: (
      <span data-value={totalUsdPerHour}>
        <Explain query={items.length === 0 ? null : explainQuery('instance', {})}>
          {isUnknown ? 'unknown' : formatHourly(totalUsdPerHour)}
        </Explain>
      </span>
    ),
    basis: burnWords({ items, unpriced }),
  };
}

function monthEnd(projection: SpendProjection, items: Instances['items']) {
  const { projectedUsd, timeZone, asOf, to } = projection;
  return {
    value: (
      <span data-value={projectedUsd}>
        <Explain query={explainQuery('projection', { timeZone, asOf })}>
          {projectedUsd === null ? 'unknown' : formatAmount(projectedUsd)}
        </Explain>
      </span>
    ),
    basis: `${monthEndWords(projection)}${knownEndWords(items, to)}`,
  };
}

function budgetLeft({ items }: Budgets) {
  const tightest = tightestBudget(items);
  if (tightest === null) return { value: '–', basis: 'No budget is set.' };
  const { id, label, monthlyUsd, state } = tightest;
  const others = items.length > 1 ? `; the tightest of ${items.length} budgets` : '';
  return {
    value: (
      <span data-value={state.leftUsd}>
        <Explain query={explainQuery('budget', { budgetId: id })}>{formatAmount(state.leftUsd)}</Explain>
      </span>
    ),
    basis: `${label ?? 'all spend'}: ${formatShare(state.share, 0)} of ${formatAmount(monthlyUsd)} used${others}`,
    isBad: state.usedUp,
  };
}

/** Returns the budget of which the biggest share is used; null: there is none. */
const tightestBudget = (budgets: readonly Budget[]): Budget | null =>
  budgets.toSorted((a, b) => b.state.share - a.state.share)[0] ?? null;
