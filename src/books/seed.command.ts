import { Command } from 'commander';
import { UsageError, UserError } from '../core/errors.ts';
import type { CommandContext, CommandSettings } from '../core/terminal/command-context.ts';
import { createProgress } from '../core/terminal/progress.ts';
import type { BooksRuntime } from './books-runtime.ts';

export function seedCommand(context: CommandContext<BooksRuntime>): Command {
  return new Command('seed')
    .description('fill the simulated market with two weeks of history')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook seed')
    .action(async ({ json }: { json?: true }) => {
      requireNoMarketUrl(context.config());
      const fill = async (runtime: BooksRuntime): Promise<void> => {
        const progress = createProgress(context, 'books');
        const books = await runtime.seed(progress.update, context.signal);
        progress.stop();
        if (context.signal.aborted)
          throw new UserError(`Stopped after ${books} new books: run \`offerbook seed\` again to continue.`);
        context.print(json ? JSON.stringify({ books }) : `${books} books of the simulated market stored.`);
      };
      await context.withRuntime(fill, { begins: true });
    });
}

/** Throws a UsageError if the settings name a live market, which simulated data must not join. */
function requireNoMarketUrl({ market }: CommandSettings): void {
  if (market === null) return;
  throw new UsageError(
    `${market.url === null ? `MARKETS names ${market.name}` : `${market.settings.url} is set to ${market.url}`}, and ` +
      '`seed` would put simulated books into the same database: unset it, and ' +
      'set DATA_DIR or DATABASE_URL to a database for trying things out.',
  );
}
