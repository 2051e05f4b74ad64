import { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { createProgress } from '../../core/terminal/progress.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { minuteWords } from '../../core/time-words.ts';
import { requireNoServer } from '../commands/no-server.ts';
import type { ServiceContext } from '../service-context.ts';
import type { StoredBackup } from './backup-names.ts';
import type { MadeBackup } from './run-backup.ts';
import { sizeWords } from './size-words.ts';

/** `offerbook backup list`. */
export function backupListCommand(context: ServiceContext): Command {
  return new Command('list')
    .description('list the backups in BACKUP_TO')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook backup list')
    .action(async (_: object, command: Command) => {
      const json = wantsJson(command);
      const { backups, s3, serverUrl } = context.config();
      requireNoServer({ serverUrl });
      if (backups.to === null) {
        throw new UserError('BACKUP_TO is not set: set it to a folder or s3://bucket/folder.');
      }
      const { listBackups } = await import('./backup-place.ts');
      const { openBackupPlace } = await import('./open-place.ts');
      const place = await openBackupPlace(backups.to, s3, context.signal);
      const found = (await listBackups(place)).toReversed();
      context.print(
        json ? JSON.stringify({ place: place.place, backups: found }) : inWords(place.place, found),
      );
    });
}

/** `offerbook backup run`. */
export function backupRunCommand(context: ServiceContext): Command {
  return new Command('run')
    .description('make a backup in BACKUP_TO now, check it and remove outdated ones, as the schedule does')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  BACKUP_TO=backups offerbook backup run')
    .action(async (_: object, command: Command) => {
      const json = wantsJson(command);
      requireNoServer(context.config());
      const made = await context.withRuntime(async (runtime) => {
        const { makeConfiguredBackup } = await import('./backup-work.ts');
        const progress = createProgress(context, 'tables');
        try {
          return await makeConfiguredBackup(runtime, context.signal, progress.update);
        } finally {
          progress.stop();
        }
      });
      const { attempt, removed } = made;
      context.print(json ? JSON.stringify({ ...attempt, removed }) : describeMade(made));
    });
}

/** `offerbook backup verify`. */
export function backupVerifyCommand(context: ServiceContext): Command {
  return new Command('verify')
    .description('read a backup through and check its hash and counts, without a database')
    .argument(
      '<backup>',
      'file, name of a backup in BACKUP_TO, `latest` of those, or s3://bucket/folder/name',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook backup verify latest')
    .action(async (name: string, _: object, command: Command) => {
      const json = wantsJson(command);
      requireNoServer(context.config());
      const { findBackupSource } = await import('./find-backup-source.ts');
      const { checkBackup } = await import('../../database/backup/read-backup.ts');
      const source = await findBackupSource(context.config(), name, context.signal);
      const found = await checkBackup(source, context.signal);
      const { madeAt, rows, tables } = found;
      context.print(
        json
          ? JSON.stringify({ file: source.name, checked: 'read', ...found })
          : `${source.name} is whole and unchanged: ${rows} rows of ${tables} tables, as of ${minuteWords(madeAt)}. It was read ` +
              'through; that it restores, only `offerbook restore` into an unused database shows.',
      );
    });
}

/** The group has the same option, and takes it wherever it stands. */
const wantsJson = (command: Command): boolean => command.optsWithGlobals<{ json?: true }>().json === true;

const checkWords = { restored: 'restored', read: 'read through' } as const;

function inWords(place: string, backups: readonly StoredBackup[]): string {
  if (backups.length === 0) return `There is no backup in ${place}.`;
  const rows = backups.map(({ name, at, bytes, isEncrypted, check }) => [
    name,
    minuteWords(at),
    sizeWords(bytes),
    isEncrypted ? 'yes' : 'no',
    check === null ? 'no' : checkWords[check],
  ]);
  return `${place}\n\n${formatTable(['Backup', 'Made', 'Size', 'Encrypted', 'Verified'], rows, [2])}`;
}

function describeMade({ attempt, removed }: MadeBackup): string {
  const { place, name, bytes, rows, tables, checked, reason } = attempt;
  const check =
    checked === null
      ? 'not verified'
      : checked === 'restored'
        ? 'verified: restored into a scratch database, every table with its rows'
        : 'verified: read through';
  const why = reason === null ? '' : ` (${reason})`;
  const gone = removed.length === 0 ? '' : ` Outdated and removed: ${removed.join(', ')}.`;
  return `${name} in ${place}: ${rows} rows of ${tables} tables, ${sizeWords(bytes ?? 0)}, ${check}${why}.${gone}`;
}
