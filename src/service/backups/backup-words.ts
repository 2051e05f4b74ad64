import { timeWords } from '../../core/time-words.ts';
import type { BackupState } from './backup-state.ts';
import { sizeWords } from './size-words.ts';

/** The last backups as the API has them. */
export interface BackupView {
  isOverdue: boolean;
  lastGood: { name: string; startedAt: string; bytes: number; verified: 'restored' | 'read' | null } | null;
  lastFailure: { startedAt: string; reason: string } | null;
}

/** Returns the state of backups as the API has it. */
export const viewOf = ({ lastGood, lastFailed, isOverdue }: BackupState): BackupView => ({
  isOverdue,
  lastGood:
    lastGood === null
      ? null
      : {
          name: lastGood.name,
          startedAt: lastGood.startedAt.toISOString(),
          bytes: lastGood.bytes ?? 0,
          verified: lastGood.checked as 'restored' | 'read' | null,
        },
  lastFailure:
    lastFailed === null
      ? null
      : { startedAt: lastFailed.startedAt.toISOString(), reason: lastFailed.reason ?? '' },
});

const verifiedWords = { restored: 'verified by a restore', read: 'read through' } as const;

/** Returns the last good backup and a failure since, in a sentence. */
export function backupWords({ lastGood, lastFailure, isOverdue }: BackupView, now: Date): string {
  const good =
    lastGood === null
      ? 'no good backup yet'
      : `last good one ${timeWords(lastGood.startedAt, now)}, ${sizeWords(lastGood.bytes)}, ${
          lastGood.verified === null ? 'not verified' : verifiedWords[lastGood.verified]
        }`;
  const isNewer = lastFailure !== null && (lastGood === null || lastFailure.startedAt > lastGood.startedAt);
  const failure = isNewer ? `; failed ${timeWords(lastFailure.startedAt, now)}: ${lastFailure.reason}` : '';
  return `${good}${isOverdue ? ' (overdue)' : ''}${failure}`;
}
