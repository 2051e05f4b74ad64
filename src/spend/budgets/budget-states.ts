import type { Db } from '../../database/connection.ts';
import { Exact } from '../exact-sums.ts';
import { type Budget, burnRates, listBudgets } from './budgets.sql.ts';
import { projectSpend, readMonth, type SpendProjection } from './spend-projection.ts';

/** The state of a budget in its month. Amounts are exact decimal text. */
export interface BudgetState extends Budget, SpendProjection {
  /** Share of the budget: 0.8 for 80 %. */
  share: number;
  /** What is left of it; negative: that much more was spent. */
  leftUsd: string;
  /** The shares of `alertAt` that are reached. */
  reached: number[];
  /** Whether the budget is used up. */
  usedUp: boolean;
}

/** Returns the state of every budget of a market at a moment. */
export async function readBudgetStates(db: Db, marketId: number, now: Date): Promise<BudgetState[]> {
  const budgets = await listBudgets(db, marketId);
  if (budgets.length === 0) return [];
  const burns = await burnRates(db, marketId);
  const months = new Map<string, ReturnType<typeof readMonth>>();
  const states: BudgetState[] = [];
  for (const budget of budgets) {
    const { timeZone } = budget;
    const month = months.get(timeZone) ?? readMonth(db, { marketId, timeZone, now });
    months.set(timeZone, month);
    states.push(stateOf(budget, projectSpend({ ...(await month), burns }, budget.label)));
  }
  return states;
}

/**
 * Returns the used-up budget that blocks a rental with this label: the label's own or the one for all spend; null: none
 * does.
 */
export async function findBlockingBudget(
  db: Db,
  marketId: number,
  label: string | null,
  now: Date,
): Promise<BudgetState | null> {
  const states = await readBudgetStates(db, marketId, now);
  const blocks = (state: BudgetState): boolean => state.blockRentals && state.usedUp;
  return states.find((state) => blocks(state) && (state.label === null || state.label === label)) ?? null;
}

function stateOf(budget: Budget, projection: SpendProjection): BudgetState {
  const share = new Exact(projection.spentUsd).div(budget.monthlyUsd).toNumber();
  return {
    ...budget,
    ...projection,
    share,
    leftUsd: new Exact(budget.monthlyUsd).minus(projection.spentUsd).toString(),
    reached: budget.alertAt.filter((each) => share >= each),
    usedUp: share >= 1,
  };
}
