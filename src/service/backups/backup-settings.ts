import { resolve } from 'node:path';
import { z } from 'zod';
import { schedule, text, unlessOff } from '../setting-schemas.ts';
import { type KeepRule, keepRule, readKeepRule } from './keep-rule.ts';

/** How a new backup is checked: restored into a scratch database, read through, or not at all. */
export const backupChecks = ['restore', 'read', 'off'] as const;

/** Settings of scheduled backups. */
export const backupValues = {
  BACKUPS: schedule.default('off'),
  BACKUP_TO: text
    .refine(
      (value) => !/^[a-z][a-z0-9+.-]+:\/\//i.test(value) || /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/.*)?$/.test(value),
      'expected a folder or s3://bucket/folder',
    )
    .optional(),
  BACKUP_KEEP: keepRule.default('7d 4w 12m'),
  BACKUP_KEY: text.min(16, 'expected at least 16 characters').optional(),
  BACKUP_VERIFY: z.enum(backupChecks, 'expected restore, read or off').default('restore'),
} as const;

export interface BackupSettings {
  /** Cron expression; null: no scheduled backups. */
  cron: string | null;
  /** Absolute folder, or `s3://…`; null: none is set. */
  to: string | null;
  keep: KeepRule;
  /** Encrypts backups; null: they are not encrypted. */
  key: string | null;
  check: (typeof backupChecks)[number];
}

/** Returns the settings of backups. */
export const backupsOf = (values: z.output<z.ZodObject<typeof backupValues>>): BackupSettings => ({
  cron: unlessOff(values.BACKUPS),
  to: toAbsolute(values.BACKUP_TO),
  keep: readKeepRule(values.BACKUP_KEEP),
  key: values.BACKUP_KEY ?? null,
  check: values.BACKUP_VERIFY,
});

const toAbsolute = (to: string | undefined): string | null => {
  if (to === undefined) return null;
  return to.startsWith('s3://') ? to : resolve(to);
};

/** Returns what is missing beside the given settings. */
export function findBackupProblems(given: Readonly<Record<string, string>>): string[] {
  const { BACKUPS = 'off', BACKUP_TO } = given;
  if (BACKUPS !== 'off' && BACKUP_TO === undefined) {
    return ['BACKUP_TO: is missing; BACKUPS says when backups are written there. Set both or neither'];
  }
  const missing = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].filter((name) => given[name] === undefined);
  if (BACKUP_TO?.startsWith('s3://') !== true || missing.length === 0) return [];
  return [`BACKUP_TO: s3:// needs ${missing.join(' and ')} too`];
}
