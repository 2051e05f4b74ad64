import type { Guard } from './guard.ts';

/** Refuses if a blocking budget, of everything or of the rental's label, is used up. */
export const budgetGuard: Guard = async ({ db, actor, label }) => {
  const budget = await actor.findBlockingBudget(db, actor.market.id, label, actor.now());
  if (budget === null) return null;
  const which =
    budget.label === null ? 'the budget for all spend' : `the budget of ${JSON.stringify(budget.label)}`;
  return {
    guard: 'budget',
    limit: budget.monthlyUsd,
    value: budget.spentUsd,
    message: `${which} is used up: $${budget.spentUsd} of $${budget.monthlyUsd} in ${budget.month}. Raise it, or turn off its blocking of rentals.`,
  };
};
