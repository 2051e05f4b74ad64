import { Command } from 'commander';
import { UsageError } from '../../core/errors.ts';
import type { Api } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { findChannels, readAll } from '../../core/terminal/find-by-name.ts';
import { formatTable } from '../../core/terminal/table.ts';
import type { BudgetAnswer } from './budgets.routes.ts';

/** The fields of a rule that this command reads. */

interface BudgetOptions {
  channel?: string[];
  label?: string;
  alertAt?: string[];
  blockRentals?: boolean;
  timeZone?: string;
  market?: string;
  json?: true;
}

export function budgetCommand(context: CommandContext): Command {
  const command = new Command('budget').description('manage monthly budgets');
  for (const make of [list, set, remove]) command.addCommand(make(context));
  return command.addHelpText('after', '\nExample:\n  offerbook budget set 200 --channel mail');
}

function list(context: CommandContext): Command {
  return new Command('list')
    .description('list budgets and what is left of them this month')
    .option('--market <name>', 'market to read (default: the configured one)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook budget list')
    .action(async ({ market, json }: BudgetOptions) => {
      await context.withApi(async (api) => {
        const answer = await api.listBudgets({ market });
        context.print(
          json ? JSON.stringify(answer) : describe(answer.items, await budgetsWithRules(api, market)),
        );
      });
    });
}

function set(context: CommandContext): Command {
  return new Command('set')
    .description('set the monthly budget of a label, or of everything')
    .argument('<usd>', 'US dollars a month')
    .option('--label <label>', 'only what has this label (default: everything)')
    .option('--alert-at <shares...>', 'shares of the budget that send an alert (default: 0.5 0.8 1)')
    .option('--channel <channel...>', 'names or ids of channels for these alerts')
    .option('--block-rentals', 'block new rentals once it is spent')
    .option('--no-block-rentals', 'only send alerts')
    .option('--time-zone <zone>', 'time zone of months (default: TZ)')
    .option('--market <name>', 'market to read (default: the configured one)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook budget set 200 --label training --alert-at 0.8 1 --channel mail --block-rentals',
    )
    .action(async (monthlyUsd: string, given: BudgetOptions) => {
      const { label = null, alertAt, blockRentals, timeZone, market, json } = given;
      await context.withApi(async (api) => {
        // Checked before anything is changed: an unknown name is a usage error.
        const channelIds = await findChannels(api, given.channel ?? []);
        const { items } = await api.listBudgets({ market });
        const known = items.find((item) => item.label === label);
        const fields = { monthlyUsd, alertAt: alertAt?.map(Number), blockRentals, timeZone };
        const budget =
          known === undefined
            ? await api.createBudget({ body: { ...fields, label, market } })
            : await api.updateBudget({ id: known.id, body: fields });
        if (channelIds.length > 0) await addBudgetRules(api, budget, channelIds);
        context.print(
          json ? JSON.stringify(budget) : describe([budget], await budgetsWithRules(api, market)),
        );
      });
    });
}

function remove(context: CommandContext): Command {
  return new Command('remove')
    .alias('delete')
    .description('delete the budget of a label, or of everything')
    .option('--label <label>', 'only what has this label (default: everything)')
    .option('--market <name>', 'market to read (default: the configured one)')
    .addHelpText('after', '\nExample:\n  offerbook budget remove --label training')
    .action(async ({ label = undefined, market }: BudgetOptions) => {
      await context.withApi(async (api) => {
        const { items } = await api.listBudgets({ market });
        const known = items.find((item) => item.label === (label ?? null));
        if (known === undefined)
          throw new UsageError('There is no such budget: `offerbook budget list` shows all.');
        await api.deleteBudget({ id: known.id });
        context.print('Deleted the budget.');
      });
    });
}

/** Creates or changes the rule that sends a budget's alerts to channels. */
async function addBudgetRules(api: Api, { id, market }: BudgetAnswer, channelIds: string[]): Promise<void> {
  const rules = await readAll((page) =>
    api.listRules({ market: market === undefined ? undefined : [market], ...page }),
  );
  const known = rules.find(
    ({ kind, params }) => kind === 'budget' && params.budgetId === id && params.share === undefined,
  );
  if (known === undefined) {
    await api.createRule({ body: { kind: 'budget', market, params: { budgetId: id }, channelIds } });
  } else await api.updateRule({ id: known.id, body: { channelIds } });
}

/** Returns the ids of budgets whose alerts go to some channel. */
async function budgetsWithRules(api: Api, market: string | undefined): Promise<ReadonlySet<unknown>> {
  const rules = await readAll((page) =>
    api.listRules({ market: market === undefined ? undefined : [market], ...page }),
  );
  const telling = rules.filter(
    ({ kind, enabled, channelIds }) => kind === 'budget' && enabled && channelIds.length > 0,
  );
  return new Set(telling.map(({ params }) => params.budgetId));
}

function describe(items: readonly BudgetAnswer[], told: ReadonlySet<unknown>): string {
  if (items.length === 0) return 'No budget yet: `offerbook budget set 200` sets one for everything.';
  const head = [
    'Label',
    'Budget, USD',
    'Month',
    'Spent',
    'Share',
    'Burn rate, $/hour',
    'Projected',
    'Alerts reached',
    'Blocks rentals',
  ];
  const rows = items.map(({ label, monthlyUsd, blockRentals, state }) => [
    label ?? 'everything',
    monthlyUsd,
    state.month,
    state.spentUsd,
    `${(state.share * 100).toFixed(1)}%`,
    state.burnUsdPerHour ?? '?',
    state.projectedUsd ?? '?',
    state.reached.join(', '),
    blockRentals ? 'rentals' : '',
  ]);
  const method = items[0] === undefined ? [] : [`Projected: ${items[0].state.projectionMethod}.`];
  const unpriced = items.reduce((most, { state }) => Math.max(most, state.unpriced), 0);
  const lacking = unpriced === 0 ? [] : [`The cost of ${unpriced} instances is unknown, in part or in full.`];
  const silent = items.filter(({ id }) => !told.has(id)).map(({ label }) => label ?? 'everything');
  const hint =
    silent.length === 0
      ? []
      : [
          `No channel is notified of alerts of ${silent.join(', ')}: add one with \`offerbook budget set … --channel NAME\`.`,
        ];
  return [formatTable(head, rows, [1, 3, 4, 5, 6]), ...method, ...lacking, ...hint].join('\n');
}
