import { UserError } from '../../core/errors.ts';
import type { Finding } from '../../market/finding.ts';
import { hasData } from '../has-data.ts';
import type { ServiceContext } from '../service-context.ts';
import { type BackupState, readBackupState } from './backup-state.ts';
import { backupWords, viewOf } from './backup-words.ts';
import { hasBackups } from './backups.sql.ts';

/** Reports how old the last good backup is; empty without a database, or while BACKUPS is off and there never was one. */
export async function examineBackups(
  { config, withDatabase }: Pick<ServiceContext, 'config' | 'withDatabase'>,
  now: Date,
): Promise<Finding[]> {
  const { backups, timeZone } = config();
  if (!(await hasData(config()))) return [];
  try {
    const state = await withDatabase(async (sql) =>
      (await hasBackups(sql)) ? await readBackupState(sql, { cron: backups.cron, timeZone }, now) : null,
    );
    if (state === null || (backups.cron === null && state.lastGood === null && state.lastFailed === null)) {
      return [];
    }
    return [describe(state, backups.cron !== null, now)];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ subject: 'backups', status: 'unknown', message: error.message, measured: {} }];
  }
}

function describe(state: BackupState, isScheduled: boolean, now: Date): Finding {
  const { lastGood, isOverdue } = state;
  return {
    subject: 'backups',
    status: isOverdue || hasFailedSince(state) ? 'warning' : isScheduled ? 'ok' : 'off',
    message: `${isScheduled ? '' : 'BACKUPS is off; '}${backupWords(viewOf(state), now)}`,
    measured: { lastGoodAt: lastGood?.startedAt.toISOString() ?? null, bytes: lastGood?.bytes ?? null },
  };
}

const hasFailedSince = ({ lastGood, lastFailed }: BackupState): boolean =>
  lastFailed !== null && (lastGood === null || lastFailed.startedAt > lastGood.startedAt);
