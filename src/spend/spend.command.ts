import { Command, Option } from 'commander';
import type { Api } from '../core/terminal/api.ts';
import type { CommandContext } from '../core/terminal/command-context.ts';
import { formatTable } from '../core/terminal/table.ts';
import { minuteWords } from '../core/time-words.ts';
import { describeCloud, describeComparison, remarkOf } from './market/comparison-words.ts';
import type { SpendAnswer } from './spend.routes.ts';
import { groupings, type SpendGrouping, spendCategories, spendGroupings } from './spend-grouping.ts';
import { addSpendOptions, type SpendOptions, spendQuery } from './spend-options.ts';

export function spendCommand(context: CommandContext): Command {
  const command = new Command('spend').description('report spend, balances and differences');
  for (const make of [report, vsMarket, reconciliation, adjustments, setBalance, balances]) {
    command.addCommand(make(context), { isDefault: make === report });
  }
  return command.addHelpText(
    'after',
    '\nExample:\n  offerbook spend --group-by gpuName --from 2026-10-01\n  offerbook spend report --help',
  );
}

function report(context: CommandContext): Command {
  const grouping = (flags: string, meaning: string) => new Option(flags, meaning).choices(spendGroupings);
  return addSpendOptions(
    new Command('report').description('report spend by group (what `offerbook spend` prints)'),
  )
    .addOption(grouping('--group-by <what>', 'group by (default: month)'))
    .addOption(grouping('--stack-by <what>', 'a second grouping within the first'))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook spend report --group-by gpuName --from 2026-10-01 --to 2026-11-01',
    )
    .action(async (given: SpendOptions & { groupBy?: string; stackBy?: string }) => {
      const { groupBy, stackBy, json } = given;
      await context.withApi(async (api) => {
        const answer = await api.getSpend({ ...spendQuery(given), groupBy, stackBy });
        context.print(json ? JSON.stringify(answer) : describeSpend(answer));
      });
    });
}

function describeSpend(answer: SpendAnswer): string {
  const { from, to, timeZone, groupBy, stackBy, items, totals, months, disappeared, balance } = answer;
  const { charges, invoices } = answer.readUntil;
  const stacked = stackBy === null ? [] : [stackBy];
  const name = (key: string | null, by: SpendGrouping) =>
    key === null ? '(none)' : by === 'instance' ? instanceName(answer, key) : key;
  const rows = items.map(({ key, subkey, category, basis, amountUsd, entries }) => [
    ...[name(key, groupBy), ...(stackBy === null ? [] : [name(subkey, stackBy)])],
    ...[category, basis, amountUsd, entries],
  ]);
  const sums = totals.map(({ category, basis, amountUsd, entries }) => [
    ...['Total', ...stacked.map(() => ''), category, basis, amountUsd, entries],
  ]);
  const head = [
    ...[groupBy, ...stacked].map((by) => groupingName(by)),
    'Category',
    'Basis',
    'USD',
    'Entries',
  ];
  const right = [head.length - 2, head.length - 1];
  const notes = [
    ...(items.length === 0 && (charges !== null || invoices !== null)
      ? ['No charges, payments or transfers in this range.']
      : []),
    `From ${minuteWords(from)} to ${minuteWords(to)}, days in ${timeZone}.`,
    ...describeBefore(answer),
    charges === null && invoices === null
      ? 'Spend is unknown: no bills were read yet. Run `offerbook crawl invoices` and `offerbook crawl charges`.'
      : `Synced: ${syncWords('charges', charges)}, ${syncWords('invoices', invoices)}.`,
    ...months
      .filter(({ adjustmentUsd }) => adjustmentUsd !== '0')
      .map(
        ({ month, adjustmentUsd }) => `${month} was closed; ${adjustmentUsd} USD of adjustments came later.`,
      ),
    ...(disappeared.entries === 0
      ? []
      : [
          `The market no longer lists ${disappeared.entries} entries of ${disappeared.amountUsd} USD: they are left out.`,
        ]),
    describeBalance(balance),
    ...(balance.statement === null ? ['`offerbook spend set-balance` records a balance.'] : []),
  ];
  const byCategory = (row: (string | number)[]) =>
    spendCategories.findIndex((category) => category === row[head.length - 4]);
  return [
    formatTable(head, [...rows, ...sums.sort((a, b) => byCategory(a) - byCategory(b))], right),
    ...notes,
  ].join('\n');
}

/** Returns an instance's number with its label and GPUs, as far as they are known. */
function instanceName({ instances }: SpendAnswer, key: string): string {
  const named = instances.find(({ instanceId }) => String(instanceId) === key);
  const gpus = named?.gpuName == null ? null : `${named.gpuName} × ${named.numGpus ?? '?'}`;
  return [key, named?.label, gpus].filter((each) => each != null).join(', ');
}

/** Compares with the period before; empty without bills, or if the range has not begun. */
function describeBefore({ before, readUntil }: SpendAnswer): string[] {
  if (before === null || (readUntil.charges === null && readUntil.invoices === null)) return [];
  const { from, to, consumptionUsd, changeUsd, changePercent, firstSpendAt, isCovered } = before;
  const [was, change] = [Number(consumptionUsd), Number(changeUsd)];
  if (!isCovered && firstSpendAt !== null && was + change !== 0)
    return [`Not compared with the period before: known spend begins only at ${minuteWords(firstSpendAt)}.`];
  if (was === 0) return change === 0 ? [] : ['Nothing was spent in the period before.'];
  const then = `from ${minuteWords(from)} to ${minuteWords(to)}`;
  if (was + change === 0)
    return [`Nothing was spent in this range; in the period before, ${then}, it was ${consumptionUsd} USD.`];
  const percent = changePercent === null ? '' : ` (${changePercent > 0 ? '+' : ''}${changePercent}%)`;
  const difference =
    change === 0
      ? 'As much as'
      : `${changeUsd.replace('-', '')} USD ${change > 0 ? 'more' : 'less'}${percent} than`;
  return [`${difference} the ${consumptionUsd} USD ${then}, the period before.`];
}

/** Returns the column head of a grouping. */
const groupingName = (by: SpendGrouping): string => {
  const { label } = groupings[by];
  return `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;
};

const syncWords = (bills: string, at: string | null): string =>
  at === null ? `no ${bills} yet` : `${bills} until ${minuteWords(at)}`;

const describeBalance = ({ amountUsd, at, reason }: Omit<SpendAnswer['balance'], 'statement'>): string =>
  amountUsd === null || at === null
    ? `Balance: unknown. ${reason}`
    : `Balance at ${minuteWords(at)}: ${amountUsd} USD.`;

function adjustments(context: CommandContext): Command {
  return addSpendOptions(
    new Command('adjustments').description('list changes to months that were already closed'),
  )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook spend adjustments --from 2026-01-01')
    .action(async (given: SpendOptions) => {
      await context.withApi(async (api) => {
        const answer = await api.listSpendAdjustments(spendQuery(given));
        const rows = answer.items.map((item) => [
          ...[item.month, item.entryId, item.change, item.category, item.source ?? '', item.seenAt],
          ...[item.closedUsd, item.amountUsd, item.adjustmentUsd],
        ]);
        const head = [
          'Month',
          'Entry',
          'Change',
          'Category',
          'Source',
          'Seen',
          'Closed, USD',
          'Now, USD',
          'Adjustment, USD',
        ];
        const none = 'No closed month in this range has changed.';
        const table = rows.length === 0 ? none : formatTable(head, rows, [6, 7, 8]);
        context.print(given.json ? JSON.stringify(answer) : table);
      });
    });
}

function vsMarket(context: CommandContext): Command {
  return addSpendOptions(
    new Command('vs-market').description('compare what instances cost with the market in the same hours'),
  )
    .option('--json', 'print JSON, with every hour')
    .addHelpText('after', '\nExample:\n  offerbook spend vs-market --from 2026-11-01')
    .action(async (given: SpendOptions) => {
      await context.withApi(async (api) => {
        const answer = await api.compareSpendWithMarket(spendQuery(given));
        const rows = answer.items.map((item) => [
          ...[item.source ?? '', item.gpuName ?? '', item.numGpus ?? '', item.type ?? '', item.paidUsd],
          ...[item.comparedUsd, item.overMedianUsd, item.overLowestUsd, item.cloudUsd].map(
            (usd) => usd ?? 'unknown',
          ),
          remarkOf(item),
        ]);
        const head = [
          'Source',
          'Model',
          'GPUs',
          'Type',
          'Paid, USD',
          'Compared, USD',
          'Over market median, USD',
        ];
        const table = formatTable(
          [...head, 'Over market lowest, USD', 'At cheapest cloud, USD', 'Note'],
          rows,
          [2, 4, 5, 6, 7, 8],
        );
        const words = [table, describeComparison(answer), ...describeCloud(answer)];
        context.print(given.json ? JSON.stringify(answer) : words.join('\n'));
      });
    });
}

/** Explains an empty result: everything agrees, or there was nothing to compare. */
async function explainEmpty(api: Api, given: SpendOptions): Promise<string> {
  const { readUntil } = await api.getSpend(spendQuery(given));
  return readUntil.charges === null && readUntil.invoices === null
    ? 'Nothing to reconcile: no bills were read yet. Run `offerbook crawl invoices` and `offerbook crawl charges`.'
    : 'No differences: charges, invoices, recorded balances and the ledger agree.';
}

function reconciliation(context: CommandContext): Command {
  return addSpendOptions(
    new Command('reconciliation').description(
      'reconcile charges, invoices, balances and rentals; explain the differences',
    ),
  )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook spend reconciliation --from 2026-11-01')
    .action(async (given: SpendOptions) => {
      await context.withApi(async (api) => {
        const answer = await api.reconcileSpend(spendQuery(given));
        const rows = answer.items.map((item) => [
          ...[item.kind, item.subject, item.expectedUsd, item.actualUsd, item.differenceUsd, item.reason],
        ]);
        const head = ['Check', 'Subject', 'Expected, USD', 'Actual, USD', 'Difference, USD', 'Reason'];
        const table = rows.length === 0 ? await explainEmpty(api, given) : formatTable(head, rows, [2, 3, 4]);
        context.print(given.json ? JSON.stringify(answer) : table);
      });
    });
}

function setBalance(context: CommandContext): Command {
  return new Command('set-balance')
    .description('record the balance that the market shows')
    .argument('<usd>', 'US dollars, for example 12.34; write -- before a negative amount')
    .option('--at <instant>', 'time of the balance, with its zone (default: now)')
    .option('--market <name>', 'market to read (default: the configured one)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook spend set-balance 48.20 --at 2026-11-22T08:00:00Z')
    .action(
      async (amountUsd: string, { at, market, json }: { at?: string; market?: string; json?: true }) => {
        await context.withApi(async (api) => {
          const kept = await api.enterBalance({ body: { amountUsd, at, market } });
          context.print(json ? JSON.stringify(kept) : describeBalance({ ...kept, reason: null }));
        });
      },
    );
}

function balances(context: CommandContext): Command {
  return new Command('balances')
    .description('list recorded balances and the current estimate')
    .option('--market <name>', 'market to read (default: the configured one)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook spend balances')
    .action(async ({ market, json }: { market?: string; json?: true }) => {
      await context.withApi(async (api) => {
        const answer = await api.listBalances({ market });
        const { current, items } = answer;
        const rows = items.map(({ at, amountUsd, enteredBy }) => [minuteWords(at), amountUsd, enteredBy]);
        const table = rows.length === 0 ? [] : [formatTable(['At', 'USD', 'Entered by'], rows, [1])];
        context.print(json ? JSON.stringify(answer) : [...table, describeBalance(current)].join('\n'));
      });
    });
}
