import { useState } from 'preact/hooks';
import { listBudgets } from '../../client/operations.js';
import type { Budget } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { formatAmount, formatShare } from '../core/figures.ts';
import { pathTo } from '../core/path-to.ts';
import { reasonFor } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { ActButton } from '../parts/act-button.tsx';
import { AlertMe } from '../parts/alert-me.tsx';
import { Reason } from '../parts/allowed.tsx';
import { Switch } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Failure } from '../parts/failure.tsx';
import { Awaited } from '../parts/notice.tsx';
import { zonesOfMonths } from './month-zone.ts';

const budgeting = { to: 'set budgets' };

/** Monthly budgets, for all spend or a label, with how much of each is used. */
export function Budgets({ app }: { app: App }) {
  const budgets = useAnswer(app, pathTo(listBudgets, {}));
  const [label, setLabel] = useState('');
  const [monthly, setMonthly] = useState('');
  const [alertAt, setAlertAt] = useState('50, 80, 100');
  const [blockRentals, setBlockRentals] = useState(false);
  const action = useAction(app);
  const reason = reasonFor(app, budgeting);
  async function add(): Promise<string> {
    await app.api.createBudget({
      body: {
        monthlyUsd: monthly.trim(),
        alertAt: alertAt.split(',').map((percent) => Number(percent) / 100),
        blockRentals,
        ...(label.trim() === '' ? {} : { label: label.trim() }),
      },
    });
    setLabel('');
    setMonthly('');
    budgets.reload();
    return 'Budget saved.';
  }
  return (
    <section class="card" aria-label="Budgets" id="budgets">
      <h2>Budgets</h2>
      <Awaited answer={budgets} what="the budgets">
        {({ items }) =>
          items.length === 0 ? (
            <p class="caption">No budget yet.</p>
          ) : (
            <DataTable
              label="List of budgets"
              stacks
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { head: 'Label', heads: true, cell: (budget) => budget.label ?? 'All spend' },
                {
                  head: 'Monthly budget',
                  number: true,
                  field: 'monthlyUsd',
                  value: ({ monthlyUsd }) => monthlyUsd,
                  cell: ({ monthlyUsd }) => formatAmount(monthlyUsd),
                },
                {
                  head: 'Spent',
                  number: true,
                  field: 'spentUsd',
                  value: ({ state }) => state.spentUsd,
                  cell: ({ id, state }) => (
                    <Explain query={explainBudget(id)}>{formatAmount(state.spentUsd)}</Explain>
                  ),
                },
                {
                  head: 'Used',
                  cell: ({ id, state }) => (
                    <>
                      <progress value={Math.min(1, state.share)} max={1} aria-label="Share used" />
                      <span class={state.usedUp ? 'rose' : 'soft'}>
                        <Explain query={explainBudget(id)}>{formatShare(state.share)}</Explain>
                      </span>
                    </>
                  ),
                },
                {
                  head: 'Current $/hour',
                  number: true,
                  cell: ({ state }) =>
                    // Part of it has no known price.
                    `${formatAmount(state.burnUsdPerHour, 4)}${state.unpriced > 0 && state.burnUsdPerHour !== null ? ' or more' : ''}`,
                },
                {
                  head: 'Projected at month end',
                  number: true,
                  cell: ({ id, state }) => (
                    <Explain query={explainBudget(id)}>{formatAmount(state.projectedUsd)}</Explain>
                  ),
                },
                {
                  head: 'Alerts at',
                  cell: ({ alertAt, state }) =>
                    alertAt.map((share, index) => (
                      <span key={share} class={state.reached.includes(share) ? 'rose' : ''}>
                        {`${index > 0 ? ', ' : ''}${inPercent(share)}%`}
                      </span>
                    )),
                },
                {
                  head: 'When used up',
                  cell: ({ blockRentals: blocks, label: of }) =>
                    blocks ? `blocks new rentals${of === null ? '' : ' with this label'}` : 'alerts only',
                },
                ...(reason === null
                  ? [
                      {
                        head: 'Actions',
                        actions: true,
                        cell: ({ id, label: of, monthlyUsd, state }: Budget) => (
                          <span class="row nowrap">
                            <AlertMe
                              app={app}
                              as="small"
                              subject={{
                                kind: 'budget',
                                name: of === null ? 'the budget for all spend' : `the budget for ${of}`,
                                budgetId: id,
                                monthlyUsd,
                                share: state.share,
                                spentUsd: state.spentUsd,
                              }}
                            />
                            <ActButton
                              action={action}
                              label="Remove"
                              run={async () => {
                                await app.api.deleteBudget({ id });
                                budgets.reload();
                                return 'Budget removed.';
                              }}
                            />
                          </span>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Awaited>
      {(budgets.data?.items ?? []).slice(0, 1).map(({ state }) => (
        <p key="method" class="caption">
          Spent: charged and estimated this month.{zonesOfMonths(monthsOf(budgets.data?.items ?? []))}{' '}
          Projected at month end: {state.projectionMethod}. “Alert me” notifies a channel when a share of a
          budget is spent.
        </p>
      ))}
      {reason !== null ? (
        <Reason>{reason}</Reason>
      ) : (
        <form
          class="fields"
          aria-label="New budget"
          onSubmit={(event) => {
            event.preventDefault();
            void action.run(add);
          }}
        >
          <label class="field narrow">
            <span>Monthly budget, $</span>
            <input
              name="monthly"
              inputMode="decimal"
              required
              pattern="[0-9]+(\.[0-9]+)?"
              title="A plain number like 250"
              value={monthly}
              onInput={({ currentTarget }) => setMonthly(currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>Label</span>
            <input
              name="budget-label"
              placeholder="All spend"
              value={label}
              onInput={({ currentTarget }) => setLabel(currentTarget.value)}
            />
          </label>
          <label class="field narrow">
            <span>Alerts at, %</span>
            <input
              name="alert-at"
              required
              pattern="[0-9]+(\.[0-9]+)?( *, *[0-9]+(\.[0-9]+)?)*"
              title="Comma-separated, such as 50, 80, 100"
              value={alertAt}
              onInput={({ currentTarget }) => setAlertAt(currentTarget.value)}
            />
          </label>
          <Switch
            label="Block new rentals when used up"
            name="blockRentals"
            on={blockRentals}
            change={setBlockRentals}
          />
          <button type="submit" disabled={action.busy}>
            Save budget
          </button>
        </form>
      )}
      <Failure problem={action.problem} />
    </section>
  );
}

const explainBudget = (budgetId: string) => explainQuery('budget', { budgetId });

const monthsOf = (budgets: readonly Budget[]) =>
  budgets.map(({ timeZone, state: { to } }) => ({ timeZone, to }));

const inPercent = (share: number): number => Number((share * 100).toPrecision(6));
