import type { Db } from '../../database/connection.ts';
import { Exact, sumUsd } from '../exact-sums.ts';
import { monthStart } from '../spend-month.ts';
import { sumSpend } from '../sums.sql.ts';
import { type Budget, type BurnRate, burnRates, listBudgets } from './budgets.sql.ts';

/** The state of a budget in its month. Amounts are exact decimal text. */
export interface BudgetState extends Budget {
  /** Month such as `2026-11`, with its start and end. */
  month: string;
  from: Date;
  to: Date;
  /** Consumption of the month so far, charged and estimated. */
  spentUsd: string;
  /** Share of the budget: 0.8 for 80 %. */
  share: number;
  /** Burn rate of the instances with a known price; null: instances run, but none has a known price. */
  burnUsdPerHour: string | null;
  /** Instances without a fully known price; burn rate and projection leave out the unknown part. */
  unpriced: number;
  /** null: the burn rate is unknown. */
  projectedUsd: string | null;
  projectionMethod: string;
  /** The shares of `alertAt` that are reached. */
  reached: number[];
  /** Whether the budget is used up. */
  usedUp: boolean;
}

const projectionMethod =
  'what was charged and estimated in the month so far, plus the burn rate now for the rest of its hours';

/** Returns the state of every budget of a market at a moment. */
export async function readBudgetStates(db: Db, marketId: number, now: Date): Promise<BudgetState[]> {
  const budgets = await listBudgets(db, marketId);
  if (budgets.length === 0) return [];
  const burns = await burnRates(db, marketId);
  const months = new Map<string, Promise<{ label: string | null; amountUsd: string }[]>>();
  const states: BudgetState[] = [];
  for (const budget of budgets) {
    const { timeZone } = budget;
    const from = monthStart(now, timeZone);
    const spent = months.get(timeZone) ?? spentByLabel(db, { marketId, from, to: now, timeZone, asOf: now });
    months.set(timeZone, spent);
    states.push(stateOf(budget, { from, to: monthStart(now, timeZone, 1), now, spent: await spent, burns }));
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

/** Returns the burn rate of several labels; null: instances run, but none has a known price. */
export function sumBurn(burns: readonly BurnRate[]): Pick<BurnRate, 'usdPerHour' | 'unpriced'> {
  const unpriced = burns.reduce((sum, burn) => sum + burn.unpriced, 0);
  const priced = burns.map(({ usdPerHour }) => usdPerHour).filter((usd) => usd !== null);
  return { usdPerHour: priced.length === 0 && unpriced > 0 ? null : sumUsd(priced), unpriced };
}

async function spentByLabel(
  db: Db,
  scope: Parameters<typeof sumSpend>[1],
): Promise<{ label: string | null; amountUsd: string }[]> {
  if (scope.from >= scope.to) return [];
  const sums = await sumSpend(db, scope, 'label', null);
  return sums
    .filter(({ category }) => category === 'consumption')
    .map(({ key, amountUsd }) => ({ label: key, amountUsd }));
}

interface MonthFacts {
  from: Date;
  to: Date;
  now: Date;
  spent: readonly { label: string | null; amountUsd: string }[];
  burns: readonly BurnRate[];
}

function stateOf(budget: Budget, { from, to, now, spent, burns }: MonthFacts): BudgetState {
  const counts = ({ label }: { label: string | null }): boolean =>
    budget.label === null || label === budget.label;
  const spentUsd = sumUsd(spent.filter(counts).map(({ amountUsd }) => amountUsd));
  const { usdPerHour: burnUsdPerHour, unpriced } = sumBurn(burns.filter(counts));
  const hoursLeft = new Exact(to.getTime() - now.getTime()).div(3_600_000);
  const projectedUsd =
    burnUsdPerHour === null
      ? null
      : new Exact(burnUsdPerHour).times(hoursLeft).plus(spentUsd).toDecimalPlaces(12).toString();
  const share = new Exact(spentUsd).div(budget.monthlyUsd).toNumber();
  return {
    ...budget,
    month: new Intl.DateTimeFormat('en-CA', {
      timeZone: budget.timeZone,
      year: 'numeric',
      month: '2-digit',
    }).format(new Date(from.getTime() + 86_400_000)),
    from,
    to,
    spentUsd,
    share,
    burnUsdPerHour,
    unpriced,
    projectedUsd,
    projectionMethod,
    reached: budget.alertAt.filter((each) => share >= each),
    usedUp: share >= 1,
  };
}
