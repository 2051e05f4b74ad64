import type { Writable } from 'node:stream';
import { Command } from 'commander';
import { createProgress } from '../../core/terminal/progress.ts';
import type { BackupSummary } from '../../database/backup/write-backup.ts';
import type { ServiceContext } from '../service-context.ts';
import { requireNoServer } from './no-server.ts';
import { writeWholeFile } from './whole-file.ts';

export function backupCommand(context: ServiceContext): Command {
  return new Command('backup')
    .description('back up the whole database to one file, while the service runs')
    .argument('<file>', 'file to write')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook backup offerbook-2026-07-30.backup.gz')
    .action(async (file: string, { force, json }: { force?: true; json?: true }) => {
      requireNoServer(context.config());
      const { signal } = context;
      const made = await writeWholeFile(file, { replace: force === true, mode: 0o600, signal }, (out) =>
        fill(context, out),
      );
      context.print(
        json ? JSON.stringify({ file, ...made }) : `${file}: ${made.rows} rows of ${made.tables} tables.`,
      );
    });
}

async function fill(context: ServiceContext, file: Writable): Promise<BackupSummary> {
  return await context.withRuntime(async ({ sql, now }) => {
    const { version, signal } = context;
    const progress = createProgress(context, 'tables');
    try {
      const { writeBackup } = await import('../../database/backup/write-backup.ts');
      return await writeBackup(sql, file, { version, now: now(), onProgress: progress.update, signal });
    } finally {
      progress.stop();
    }
  });
}
