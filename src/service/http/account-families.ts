import {
  type LedgerInstance,
  ledgerUsdPerHour,
  readLedger,
  unpricedInstances,
} from '../../rentals/instances/ledger.ts';
import { takeSpendMoment } from '../../rentals/spend-moment.sql.ts';
import { type BudgetState, readBudgetStates } from '../../spend/budgets/budget-states.ts';
import { readSpend } from '../../spend/read-spend.ts';
import { monthStart } from '../../spend/spend-month.ts';
import type { ApiDeps } from './api-deps.ts';
import { gauge, type MetricFamily, renderMetrics } from './metric-families.ts';

/** Instances with series of their own: those that cost the most per hour. */
const maxInstances = 30;
/** Budgets with series: the one for all spend, then by label. */
const maxBudgets = 30;

/** Reads the figures of the account as text; empty if the default market has none. */
export async function readAccountFigures(deps: ApiDeps): Promise<string> {
  if ((await deps.rentsIn()) === null) return '';
  const { sql } = deps;
  const { id: marketId, name: market } = await deps.defaultMarket();
  const now = await takeSpendMoment(sql, marketId, deps.now);
  const [from, to] = [monthStart(now, 'UTC'), monthStart(now, 'UTC', 1)];
  const scope = { marketId, from, to, timeZone: 'UTC', asOf: now };
  const ledger = await readLedger(sql, marketId, now);
  const { totals, balance } = await readSpend(sql, scope, { groupBy: 'month', stackBy: null });
  const budgets = await readBudgetStates(sql, marketId, now);
  return await renderMetrics([
    ...instanceFamilies(market, ledger),
    gauge(
      'offerbook_spend_month_usd',
      'Spend of the current month, UTC',
      totals.map(({ category, basis, amountUsd }) => [{ market, category, basis }, Number(amountUsd)]),
    ),
    gauge('offerbook_balance_usd', 'Balance of the account', [[{ market }, toNumber(balance.amountUsd)]]),
    ...budgetFamilies(market, budgets.slice(0, maxBudgets)),
  ]);
}

function instanceFamilies(market: string, ledger: readonly LedgerInstance[]): MetricFamily[] {
  const states = Map.groupBy(ledger, ({ state }) => state);
  const dearest = ledger
    .filter(({ instanceId }) => instanceId !== null)
    .toSorted((a, b) => Number(b.usdPerHour ?? -1) - Number(a.usdPerHour ?? -1))
    .slice(0, maxInstances);
  const ofDearest = (value: (one: LedgerInstance) => string | null): MetricFamily['samples'] =>
    dearest.map((one) => [
      {
        market,
        instance_id: String(one.instanceId),
        gpu_name: one.instance?.gpuName ?? one.rental?.gpuName ?? null,
        label: one.label,
      },
      toNumber(value(one)),
    ]);
  return [
    gauge('offerbook_account_usd_per_hour', 'What the instances cost per hour now', [
      [{ market }, Number(ledgerUsdPerHour(ledger))],
    ]),
    gauge('offerbook_account_unpriced_instances', 'Instances of unknown price, which that leaves out', [
      [{ market }, unpricedInstances(ledger)],
    ]),
    gauge(
      'offerbook_account_instances',
      "Instances by Offerbook's state",
      [...states].map(([state, own]) => [{ market, state }, own.length]),
    ),
    gauge(
      'offerbook_instance_usd_per_hour',
      `Cost per hour now, of the ${maxInstances} dearest instances`,
      ofDearest(({ usdPerHour }) => usdPerHour),
    ),
    gauge(
      'offerbook_instance_cost_usd',
      'What such an instance has cost so far',
      ofDearest(({ cost }) => cost.usd),
    ),
  ];
}

function budgetFamilies(market: string, budgets: readonly BudgetState[]): MetricFamily[] {
  const of = (value: (budget: BudgetState) => string | null): MetricFamily['samples'] =>
    budgets.map((budget) => [{ market, label: budget.label }, toNumber(value(budget))]);
  return [
    gauge(
      'offerbook_budget_usd',
      'Monthly budget; without a label it is for all spend',
      of(({ monthlyUsd }) => monthlyUsd),
    ),
    gauge(
      'offerbook_budget_spent_usd',
      'Spent of it in its current month',
      of(({ spentUsd }) => spentUsd),
    ),
    gauge(
      'offerbook_budget_projected_usd',
      'Projected spend at the end of that month',
      of(({ projectedUsd }) => projectedUsd),
    ),
  ];
}

const toNumber = (usd: string | null): number | null => (usd === null ? null : Number(usd));
