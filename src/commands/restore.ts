import { Command } from 'commander';
import { restoreBackup } from '../db/backup/restore-backup.ts';
import type { CommandContext } from './context.ts';

export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('fill a database that was never used from a backup')
    .argument('<file>', 'what `offerbook backup` wrote')
    .option('--json', 'answer in JSON')
    .addHelpText(
      'after',
      '\nExample:\n  DATA_DIR=./restored offerbook restore offerbook-2026-07-30.backup.gz',
    )
    .action(async (file: string, { json }: { json?: true }) => {
      await context.withDatabase(async (sql) => {
        const restored = await restoreBackup(sql, file, context.signal);
        const { madeAt, rows, tables, migrated } = restored;
        const since = migrated.length === 0 ? '' : ` The schema was brought up by ${migrated.join(', ')}.`;
        context.print(
          json
            ? JSON.stringify({ file, ...restored })
            : `${rows} rows of ${tables} tables, as of ${madeAt}.${since}`,
        );
      });
    });
}
