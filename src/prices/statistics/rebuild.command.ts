import { Command } from 'commander';
import type { Retention } from '../../books/old-statistics.sql.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { createProgress } from '../../core/terminal/progress.ts';
import type { Sql } from '../../database/connection.ts';

/** The database and its derived statistics. */
interface StatisticsRuntime {
  sql: Sql;
  config: { retention: Retention };
}

export function rebuildCommand(context: CommandContext<StatisticsRuntime>): Command {
  return new Command('rebuild')
    .description('recompute all statistics from the stored books')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook rebuild')
    .action(async ({ json }: { json?: true }) => {
      await context.withRuntime(async ({ sql, config }) => {
        const { rebuild } = await import('./rebuild.sql.ts');
        const progress = createProgress(context, 'books');
        const books = await rebuild(sql, progress.update, config.retention);
        progress.stop();
        context.print(json ? JSON.stringify({ books }) : `Statistics of ${books} books recomputed.`);
      });
    });
}
