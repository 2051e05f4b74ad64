import { orNoSuch } from '../../core/http/problem.ts';
import type { Sql } from '../../database/connection.ts';
import { countOf, leftOutWords, momentWords } from '../../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../../prices/explain/explanation-schema.ts';
import { Exact } from '../exact-sums.ts';
import { explainSpend, presentEntry } from '../explain-spend.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { readBudgetStates } from './budget-states.ts';

/** Explains how much of a budget is used: the month's consumption, charged and estimated, entry by entry. */
export async function explainBudget(
  sql: Sql,
  { marketId, asOf }: Pick<SpendScope, 'marketId' | 'asOf'>,
  budgetId: string,
): Promise<ExplainedFigures> {
  const states = await readBudgetStates(sql, marketId, asOf);
  const state = orNoSuch(states.find(({ id }) => id === budgetId) ?? null, 'budget');
  const { label, monthlyUsd, month, from, to, timeZone, burnUsdPerHour } = state;
  const scope = { marketId, from, to: asOf, timeZone, asOf };
  const { taken, rejected, recomputed } = await explainSpend(sql, scope, {
    groups: label === null ? [] : [{ by: 'label', key: label }],
    category: 'consumption',
    basis: null,
  });
  const spentUsd = recomputed.amountUsd;
  const leftHours = new Exact(to.getTime() - asOf.getTime()).div(3_600_000);
  const projected = burnUsdPerHour === null ? null : leftHours.times(burnUsdPerHour).plus(spentUsd);
  return {
    text: [
      `${countOf(taken.length, 'entry', 'entries')} of ${month} in ${timeZone}${label === null ? '' : ` with the label ${label}`}, charged and estimated, up to ${momentWords(asOf)}. ${leftOutWords(rejected)}`,
      `Projected at the month's end: that plus the burn rate for the ${leftHours.toFixed(1)} hours left. The burn rate adds up the $/hour of Instances.`,
    ],
    value: { spentUsd: state.spentUsd, share: state.share, projectedUsd: state.projectedUsd },
    recomputed: {
      spentUsd,
      share: Number(spentUsd) / Number(monthlyUsd),
      projectedUsd: projected?.toDecimalPlaces(12).toString() ?? null,
      monthlyUsd,
      burnUsdPerHour,
    },
    unit: 'USD',
    formula: 'spentUsd / monthlyUsd; spentUsd + burnUsdPerHour × hours left',
    taken: taken.map(presentEntry),
    rejected: rejected.map(presentEntry),
  };
}
