import type { Writable } from 'node:stream';
import { Command } from 'commander';
import { closestOf } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { createProgress } from '../../core/terminal/progress.ts';
import type { BackupSummary } from '../../database/backup/write-backup.ts';
import { backupListCommand, backupRunCommand, backupVerifyCommand } from '../backups/backup-subcommands.ts';
import type { ServiceContext } from '../service-context.ts';
import { requireNoServer } from './no-server.ts';
import { writeWholeFile } from './whole-file.ts';

interface BackupOptions {
  force?: true;
  encrypt?: boolean;
  json?: true;
}

export function backupCommand(context: ServiceContext): Command {
  return (
    new Command('backup')
      // So that options after `list` are its own.
      .enablePositionalOptions()
      .description('back up the whole database to one file, while the service runs')
      .argument('<file>', 'file to write')
      .option('--force', 'overwrite an existing file')
      .option('--encrypt', 'encrypt it with BACKUP_KEY (default: if that is set)')
      .option('--no-encrypt', 'do not encrypt it, although BACKUP_KEY is set')
      .option('--json', 'print JSON')
      .addHelpText('after', '\nExample:\n  offerbook backup offerbook-2026-07-30.backup.gz')
      .addCommand(backupListCommand(context))
      .addCommand(backupRunCommand(context))
      .addCommand(backupVerifyCommand(context))
      .action(async (file: string, { force, encrypt, json }: BackupOptions, command: Command) => {
        const config = context.config();
        requireNoServer(config);
        requireNoSlip(file, command);
        const { signal } = context;
        const key = encrypt === false ? null : config.backups.key;
        if (encrypt === true && key === null) {
          throw new UsageError('--encrypt needs BACKUP_KEY: set it to a text of at least 16 characters.');
        }
        const made = await writeWholeFile(file, { replace: force === true, mode: 0o600, signal }, (out) =>
          fill(context, out, key),
        );
        const { rows, tables } = made;
        const isEncrypted = key !== null;
        context.print(
          json
            ? JSON.stringify({ file, tables, rows, isEncrypted })
            : `${file}: ${rows} rows of ${tables} tables${isEncrypted ? ', encrypted' : ''}. Not verified yet: \`offerbook backup verify ${file}\` reads it through.`,
        );
      })
  );
}

/** Throws a UsageError for a bare word that is nearly a subcommand, instead of writing a file of that name. */
function requireNoSlip(file: string, { commands }: Command): void {
  const meant = /[./\\]/.test(file)
    ? null
    : closestOf(
        file,
        commands.map((each) => each.name()),
      );
  if (meant === null) return;
  throw new UsageError(
    `Did you mean \`offerbook backup ${meant}\`? For a file of that name, write ./${file}.`,
  );
}

async function fill(context: ServiceContext, file: Writable, key: string | null): Promise<BackupSummary> {
  return await context.withRuntime(async ({ sql, now }) => {
    const { version, signal } = context;
    const progress = createProgress(context, 'tables');
    try {
      const { writeBackup } = await import('../../database/backup/write-backup.ts');
      return await writeBackup(sql, file, {
        version,
        now: now(),
        onProgress: progress.update,
        signal,
        key,
      });
    } finally {
      progress.stop();
    }
  });
}
