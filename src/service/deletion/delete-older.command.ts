import { Command } from 'commander';
import { formatTable } from '../../core/terminal/table.ts';
import type { ServiceContext } from '../service-context.ts';
import type { DeletedOlderAnswer } from './older.routes.ts';

interface OlderArguments {
  market?: string[];
  dryRun?: true;
  confirm?: true;
  json?: true;
}

/** `offerbook delete older-than`. */
export function olderThanDelete(context: ServiceContext): Command {
  return new Command('older-than')
    .description(
      'delete all books, statistics, crawls and alerts before a date; without --confirm, say what would go',
    )
    .argument('<date>', 'date in UTC, like 2026-05-01, or an instant')
    .option('--market <name...>', 'only of these markets (default: everything)')
    .option('--dry-run', 'only say what would be deleted (the default)')
    .option('--confirm', 'really delete; without it nothing changes')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook delete older-than 2026-05-01 --dry-run')
    .action(async (before: string, { market, dryRun, confirm, json }: OlderArguments) => {
      await context.withApi(async (api) => {
        const isSure = confirm === true && dryRun === undefined;
        const answer = await api.deleteOlder({ before, market, confirm: isSure ? 'true' : 'false' });
        if (json) context.print(JSON.stringify(answer));
        else tell(context, answer);
      });
    });
}

function tell(context: ServiceContext, answer: DeletedOlderAnswer): void {
  const { deleted, rows, bytes, tables, books } = answer;
  const counted = tables.filter((table) => table.rows > 0);
  if (counted.length > 0) {
    const lines = counted.map((table) => [table.what, table.table, table.rows, megabytes(table.bytes)]);
    context.print(formatTable(['What', 'Table', 'Rows', 'MB'], lines, [2, 3]));
  }
  for (const { market, type, from, before } of books) {
    context.print(
      `Books of ${market}, ${type}: from ${day(from)}; those since Monday, ${day(before)}, stay.`,
    );
  }
  const sum = `${rows} rows with ${megabytes(bytes)} MB`;
  context.print(
    deleted ? `Deleted: ${sum}.` : `Would delete ${sum}. Nothing was changed; add --confirm to delete.`,
  );
  context.print(
    'Bills, balances, budgets, instances, rentals, orders, the audit log, the like-for-like index and all settings stay.',
  );
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
const day = (moment: string): string => moment.slice(0, 10);
