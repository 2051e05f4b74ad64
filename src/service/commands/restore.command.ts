import { Command } from 'commander';
import { minuteWords } from '../../core/time-words.ts';
import type { Sql } from '../../database/connection.ts';
import type { ServiceContext } from '../service-context.ts';
import { requireNoServer } from './no-server.ts';

export function restoreCommand(context: ServiceContext): Command {
  return new Command('restore')
    .description('restore a backup into an empty database')
    .argument('<file>', 'a file that `offerbook backup` wrote')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  DATA_DIR=./restored offerbook restore offerbook-2026-07-30.backup.gz',
    )
    .action(async (file: string, { json }: { json?: true }) => {
      // Both are checked before a database is created.
      requireNoServer(context.config());
      const { checkBackup } = await import('../../database/backup/read-backup.ts');
      const { restoreBackup } = await import('../../database/backup/restore-backup.ts');
      await checkBackup(file, context.signal);
      await context.withDatabase(async (sql) => {
        const restored = await restoreBackup(sql, file, context.signal);
        const { madeAt, rows, tables, migrated } = restored;
        const secretsToEnter = await findClosedSecrets(context, sql);
        const since = migrated.length === 0 ? '' : ` Migrated with ${migrated.join(', ')}.`;
        context.print(
          json
            ? JSON.stringify({ file, ...restored, secretsToEnter })
            : `${rows} rows of ${tables} tables, as of ${minuteWords(madeAt)}.${since}`,
        );
        if (secretsToEnter.length > 0) {
          const names = secretsToEnter.map(({ kind, name }) => `${name} (${kind})`).join(', ');
          context.note(
            `These channels' secrets were sealed with another SECRETS_KEY; enter them again: ${names}.`,
          );
        }
      });
    });
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
