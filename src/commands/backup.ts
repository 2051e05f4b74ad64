import { Command } from 'commander';
import { writeBackup } from '../db/backup/write-backup.ts';
import { UserError } from '../domain/errors.ts';
import type { CommandContext } from './context.ts';
import { createProgress } from './progress.ts';

export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('write all that the database holds to one file, while the service goes on')
    .argument('<file>', 'the file to make')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook backup offerbook-2026-07-30.backup.gz')
    .action(async (file: string, { json }: { json?: true }) => {
      await context.withRuntime(async ({ sql, now }) => {
        const progress = createProgress(context, 'tables');
        const { signal } = context;
        const options = { version: context.version, now: now(), onProgress: progress.update, signal };
        const made = await writeBackup(sql, file, options)
          .catch((cause: NodeJS.ErrnoException) => {
            if (signal.aborted) throw signal.reason;
            if (cause.syscall === undefined) throw cause;
            throw new UserError(`${file} cannot be written (${cause.code}).`, { cause });
          })
          .finally(progress.stop);
        context.print(
          json ? JSON.stringify({ file, ...made }) : `${file}: ${made.rows} rows of ${made.tables} tables.`,
        );
      });
    });
}
