import { Command } from 'commander';
import { rebuild } from '../db/rebuild.ts';
import type { CommandContext } from './context.ts';
import { createProgress } from './progress.ts';

export function rebuildCommand(context: CommandContext): Command {
  return new Command('rebuild')
    .description('make all statistics again from books, listings, attributes, presence and runs')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook rebuild')
    .action(async ({ json }: { json?: true }) => {
      await context.withRuntime(async ({ sql, config }) => {
        const progress = createProgress(context, 'books');
        const books = await rebuild(sql, progress.update, config.retention);
        progress.stop();
        context.print(json ? JSON.stringify({ books }) : `Statistics of ${books} books made again.`);
      });
    });
}
