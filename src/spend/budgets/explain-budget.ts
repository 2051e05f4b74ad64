import { countOf } from '../../core/count-of.ts';
import { orNoSuch } from '../../core/http/problem.ts';
import type { Sql } from '../../database/connection.ts';
import { leftOutWords, momentWords } from '../../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../../prices/explain/explanation-schema.ts';
import { explainSpend, presentEntry } from '../explain-spend.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { readBudgetStates } from './budget-states.ts';
import { hoursUntil, readSpendProjection, type SpendProjection } from './spend-projection.ts';

type Moment = Pick<SpendScope, 'marketId' | 'asOf'>;

/** Explains how much of a budget is used: the month's consumption, charged and estimated, entry by entry. */
export async function explainBudget(sql: Sql, moment: Moment, budgetId: string): Promise<ExplainedFigures> {
  const states = await readBudgetStates(sql, moment.marketId, moment.asOf);
  const state = orNoSuch(states.find(({ id }) => id === budgetId) ?? null, 'budget');
  const { monthlyUsd, share } = state;
  const { value, recomputed, formula, ...month } = await explainMonth(sql, moment, state);
  return {
    ...month,
    value: { ...value, share },
    recomputed: { ...recomputed, share: Number(recomputed.spentUsd) / Number(monthlyUsd), monthlyUsd },
    formula: `spentUsd / monthlyUsd; ${formula}`,
  };
}

/** Explains what everything will have cost at the end of this month, at today's rate. */
export async function explainProjection(
  sql: Sql,
  { timeZone, ...moment }: Moment & { timeZone: string },
): Promise<ExplainedFigures> {
  const { marketId, asOf } = moment;
  const projection = await readSpendProjection(sql, { marketId, timeZone }, asOf);
  return await explainMonth(sql, moment, { ...projection, timeZone, label: null });
}

async function explainMonth(
  sql: Sql,
  { marketId, asOf }: Moment,
  shown: SpendProjection & { timeZone: string; label: string | null },
): Promise<ExplainedFigures & { recomputed: { spentUsd: string } }> {
  const { label, month, from, to, timeZone, burnUsdPerHour, knownEndsUsd } = shown;
  const scope = { marketId, from, to: asOf, timeZone, asOf };
  const { taken, rejected, recomputed } = await explainSpend(sql, scope, {
    groups: label === null ? [] : [{ by: 'label', key: label }],
    category: 'consumption',
    basis: null,
  });
  const spentUsd = recomputed.amountUsd;
  const hoursLeft = hoursUntil(to, asOf);
  const projected =
    burnUsdPerHour === null ? null : hoursLeft.times(burnUsdPerHour).minus(knownEndsUsd).plus(spentUsd);
  return {
    text: [
      `${countOf(taken.length, 'entry', 'entries')} of ${month} in ${timeZone}${label === null ? '' : ` with the label ${label}`}, charged and estimated, up to ${momentWords(asOf)}. ${leftOutWords(rejected)}`,
      `Projected at the month's end: that plus the burn rate for the ${hoursLeft.toFixed(1)} hours left. The burn rate adds up the $/hour of Instances; what they will not cost after their known ends is subtracted.`,
    ],
    value: { spentUsd: shown.spentUsd, projectedUsd: shown.projectedUsd },
    recomputed: {
      spentUsd,
      projectedUsd: projected?.toDecimalPlaces(12).toString() ?? null,
      burnUsdPerHour,
      hoursLeft: Number(hoursLeft.toFixed(4)),
      knownEndsUsd,
    },
    unit: 'USD',
    formula: 'spentUsd + burnUsdPerHour × hoursLeft − knownEndsUsd',
    taken: taken.map(presentEntry),
    rejected: rejected.map(presentEntry),
  };
}
