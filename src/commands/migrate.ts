import { Command } from 'commander';
import type { CommandContext } from './context.ts';

export function migrateCommand(context: CommandContext): Command {
  return new Command('migrate')
    .description('bring the database to this version; every other command does so by itself')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://… offerbook migrate')
    .action(async () => {
      await context.withRuntime(async () => context.print('The database is at this version.'));
    });
}
