import { Command } from 'commander';
import type { BudgetAnswer, BudgetsAnswer } from '../api/budgets.ts';
import { UserError } from '../domain/errors.ts';
import { withApi } from './ask-api.ts';
import type { CommandContext } from './context.ts';
import { formatTable } from './table.ts';

interface BudgetOptions {
  label?: string;
  alertAt?: string[];
  blockRentals?: boolean;
  timeZone?: string;
  market?: string;
  json?: true;
}

export function budgetCommand(context: CommandContext): Command {
  const command = new Command('budget').description('how much a month may cost');
  for (const make of [list, set, remove]) command.addCommand(make(context));
  return command;
}

function list(context: CommandContext): Command {
  return new Command('list')
    .description('budgets, and how their month is going')
    .option('--market <name>', 'the market; default: as in reads of the API')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook budget list')
    .action(async ({ market, json }: BudgetOptions) => {
      await withApi(context, async ({ ask }) => {
        const answer = await ask<BudgetsAnswer>('/api/budgets', { query: { market } });
        context.print(json ? JSON.stringify(answer) : describe(answer.items));
      });
    });
}

function set(context: CommandContext): Command {
  return new Command('set')
    .description('set the budget of a label, or of everything; one that there is is changed')
    .argument('<usd>', 'US dollars a month')
    .option('--label <label>', 'of what has this label; default: of everything')
    .option('--alert-at <shares...>', 'shares that alert, such as 0.8; default of a new one: 0.5 0.8 1')
    .option('--block-rentals', 'rent nothing more once it is used up')
    .option('--no-block-rentals', 'only alert')
    .option('--time-zone <zone>', 'whose months count; default of a new one: TZ')
    .option('--market <name>', 'the market; default: as in reads of the API')
    .option('--json', 'answer in JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook budget set 200 --label training --alert-at 0.8 1 --block-rentals',
    )
    .action(async (monthlyUsd: string, given: BudgetOptions) => {
      const { label = null, alertAt, blockRentals, timeZone, market, json } = given;
      await withApi(context, async ({ ask }) => {
        const { items } = await ask<BudgetsAnswer>('/api/budgets', { query: { market } });
        const known = items.find((item) => item.label === label);
        const fields = { monthlyUsd, alertAt: alertAt?.map(Number), blockRentals, timeZone };
        const budget =
          known === undefined
            ? await ask<BudgetAnswer>('/api/budgets', { method: 'POST', body: { ...fields, label, market } })
            : await ask<BudgetAnswer>(`/api/budgets/${known.id}`, { method: 'PATCH', body: fields });
        context.print(json ? JSON.stringify(budget) : describe([budget]));
      });
    });
}

function remove(context: CommandContext): Command {
  return new Command('remove')
    .description('end the budget of a label, or of everything')
    .option('--label <label>', 'of what has this label; default: of everything')
    .option('--market <name>', 'the market; default: as in reads of the API')
    .addHelpText('after', '\nExample:\n  offerbook budget remove --label training')
    .action(async ({ label = undefined, market }: BudgetOptions) => {
      await withApi(context, async ({ ask }) => {
        const { items } = await ask<BudgetsAnswer>('/api/budgets', { query: { market } });
        const known = items.find((item) => item.label === (label ?? null));
        if (known === undefined) throw new UserError('There is no such budget: `budget list` shows them.');
        await ask(`/api/budgets/${known.id}`, { method: 'DELETE' });
        context.print('The budget is removed.');
      });
    });
}

function describe(items: readonly BudgetAnswer[]): string {
  const head = [
    'of',
    'USD a month',
    'month',
    'spent',
    'share',
    'burn USD/h',
    'projected',
    'alerts reached',
    'blocks',
  ];
  const rows = items.map(({ label, monthlyUsd, blockRentals, state }) => [
    ...[
      label ?? 'everything',
      monthlyUsd,
      state.month,
      state.spentUsd,
      `${(state.share * 100).toFixed(1)} %`,
    ],
    ...[state.burnUsdPerHour ?? '?', state.projectedUsd ?? '?', state.reached.join(', ')],
    blockRentals ? 'rentals' : '',
  ]);
  const method = items[0] === undefined ? [] : [`Projected: ${items[0].state.projectionMethod}.`];
  const unpriced = items.reduce((most, { state }) => Math.max(most, state.unpriced), 0);
  const lacking =
    unpriced === 0 ? [] : [`Of ${unpriced} instances it is not known what they cost, or not all of it.`];
  return [formatTable(head, rows, [1, 3, 4, 5, 6]), ...method, ...lacking].join('\n');
}
