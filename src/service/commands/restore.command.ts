import { Command, InvalidArgumentError } from 'commander';
import { programCommand } from '../../core/program-file.ts';
import { minuteWords } from '../../core/time-words.ts';
import type { Sql } from '../../database/connection.ts';
import type { ServiceContext } from '../service-context.ts';
import { postgresAddress } from '../setting-schemas.ts';
import { requireNoServer } from './no-server.ts';

export function restoreCommand(context: ServiceContext): Command {
  return new Command('restore')
    .description('restore a backup into an empty database')
    .argument(
      '<backup>',
      'file, name of a backup in BACKUP_TO, `latest` of those, or s3://bucket/folder/name',
    )
    .option(
      '--into <database-url>',
      'database to fill (default: DATABASE_URL, or the one in DATA_DIR)',
      readUrl,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  DATA_DIR=./restored offerbook restore offerbook-2026-07-30.backup.gz\n' +
        '  offerbook restore latest --into postgres://offerbook:secret@127.0.0.1/restored',
    )
    .action(async (name: string, { into, json }: { into?: string; json?: true }) => {
      // Both are checked before a database is created.
      requireNoServer(context.config());
      const { findBackupSource } = await import('../backups/find-backup-source.ts');
      const { checkBackup } = await import('../../database/backup/read-backup.ts');
      const { restoreBackup } = await import('../../database/backup/restore-backup.ts');
      const source = await findBackupSource(context.config(), name, context.signal);
      const file = source.name;
      await checkBackup(source, context.signal);
      await context.withDatabase(async (sql) => {
        const restored = await restoreBackup(sql, source, context.signal);
        const { madeAt, rows, tables, migrated } = restored;
        const secretsToEnter = await findClosedSecrets(context, sql);
        const since = migrated.length === 0 ? '' : ` Migrated with ${migrated.join(', ')}.`;
        context.print(
          json
            ? JSON.stringify({ file, ...restored, secretsToEnter })
            : `${rows} rows of ${tables} tables, as of ${minuteWords(madeAt)}.${since}`,
        );
        if (!json && into !== undefined) context.print(filesOfService);
        else {
          const { missingTokenFile } = await import('../admin-token.ts');
          const tokenFile = missingTokenFile(context.config());
          if (!json && tokenFile !== null) context.print(withoutToken(tokenFile));
        }
        if (secretsToEnter.length > 0) {
          const names = secretsToEnter.map(({ kind, name }) => `${name} (${kind})`).join(', ');
          context.note(
            `These channels' secrets were sealed with another SECRETS_KEY; enter them again: ${names}.`,
          );
        }
      }, into);
    });
}

/** For another database than that of these settings, whose DATA_DIR is unknown here. */
const filesOfService =
  'A backup has no secret of a token and no key of secrets: give the service on this database the files `token` and ' +
  '`secrets-key` of the old DATA_DIR, or OFFERBOOK_TOKEN and SECRETS_KEY if those were set.';

const withoutToken = (file: string): string =>
  `A backup has no secret of a token and ${file} is not there: copy that of the old DATA_DIR, or make one with ` +
  `\`${programCommand()} token rotate\`, which ends all sessions.`;

function readUrl(value: string): string {
  const { error } = postgresAddress.safeParse(value);
  if (error === undefined) return value;
  throw new InvalidArgumentError(`${error.issues[0]?.message}.`);
}

/** Returns the channels whose secrets this installation's key cannot open. */
async function findClosedSecrets(
  context: ServiceContext,
  sql: Sql,
): Promise<{ kind: string; name: string }[]> {
  const { openNotify } = await import('../notify-access.ts');
  const { listChannels } = await import('../../watches/channels/channels.sql.ts');
  const { secrets, close } = await openNotify(context.config(), () => new Date(), {
    sql,
    mayMakeKey: async () => false,
  });
  await close();
  const channels = await listChannels(sql, { after: null, limit: null });
  return channels
    .filter(({ id, secret }) => secret !== null && secrets.open(secret, id) === null)
    .map(({ kind, name }) => ({ kind, name }));
}
