import { expect, it } from 'vitest';
import { backupName, findBackups, readBackupName } from '../../../src/service/backups/backup-names.ts';
import { findOutdated, keepRule, readKeepRule } from '../../../src/service/backups/keep-rule.ts';
import { loadConfig } from '../../../src/service/config.ts';

const hour = 3_600_000;
/** A backup every 6 hours for 400 days until a Thursday. */
const backups = Array.from({ length: 1_600 }, (_, index) => ({
  at: new Date(Date.UTC(2026, 6, 30, 20) - index * 6 * hour),
}));

function keptBy(rule: string): string[] {
  const gone = new Set(findOutdated(backups, readKeepRule(rule)));
  return backups.filter((backup) => !gone.has(backup)).map(({ at }) => at.toISOString().slice(0, 13));
}

it('keeps the newest backup of each of the last days, weeks, months and years', () => {
  expect(keptBy('3d')).toEqual(['2026-07-30T20', '2026-07-29T20', '2026-07-28T20']);
  expect(keptBy('2w')).toEqual(['2026-07-30T20', '2026-07-26T20']);
  expect(keptBy('3m 1d')).toEqual(['2026-07-30T20', '2026-06-30T20', '2026-05-31T20']);
  expect(keptBy('2y')).toEqual(['2026-07-30T20', '2025-12-31T20']);
  expect(keptBy('2h')).toEqual(['2026-07-30T20', '2026-07-30T14']);
  expect(keptBy('7d 4w 12m')).toHaveLength(7 + 2 + 11);
  expect(keptBy('all')).toHaveLength(backups.length);
});

it('counts only periods that have a backup, and never removes the newest', () => {
  const old = [{ at: new Date('2024-01-01T00:00:00Z') }, { at: new Date('2025-01-01T00:00:00Z') }];
  expect(findOutdated(old, readKeepRule('2d'))).toEqual([]);
  expect(findOutdated(old, readKeepRule('1d'))).toEqual(old.slice(0, 1));
});

it('is read from BACKUP_KEEP, and what it cannot be is refused with what is expected', () => {
  for (const good of ['all', '1d', '7d 4w 12m', '24h  7d 10y']) expect(keepRule.parse(good)).toBe(good);
  for (const bad of ['', '0d', '7', 'd', '7d,4w', '7x', 'all 7d', '-1d']) {
    expect(keepRule.safeParse(bad).error?.issues[0]?.message, bad).toContain('`7d 4w 12m`');
  }
});

it('settings of backups that do not fit together are refused', () => {
  const problem = (env: Record<string, string>): string => {
    try {
      loadConfig(env);
      return 'none';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(problem({ BACKUPS: '0 3 * * *' })).toMatch(/BACKUP_TO: is missing/);
  expect(problem({ BACKUP_TO: 'gs://bucket' })).toMatch(/BACKUP_TO .*expected a folder or s3/);
  expect(problem({ BACKUP_TO: 's3://bucket/a' })).toMatch(/AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
  expect(problem({ BACKUP_KEY: 'short' })).toMatch(/BACKUP_KEY: expected at least 16/);
  expect(problem({ BACKUPS: '0 3 * * *', BACKUP_TO: 'backups' })).toBe('none');
});

it('names of backups say when they were begun, and other files are no backups', () => {
  const at = new Date('2026-07-30T02:15:09.000Z');
  expect(backupName(at, false)).toBe('offerbook-20260730T021509Z.backup.gz');
  expect(readBackupName(backupName(at, true))).toMatchObject({ at, isEncrypted: true, kind: 'backup' });
  const files = ['', '.read', '.restored', '.12.part'].map((end) => ({
    path: `${backupName(at, false)}${end}`,
    bytes: end === '' ? 5 : 0,
  }));
  const others = ['notes.txt', 'offerbook-2026.backup.gz', 'offerbook-20269930T021509Z.backup.gz'];
  expect(findBackups([...files, ...others.map((path) => ({ path, bytes: 1 }))])).toEqual([
    { name: backupName(at, false), at, bytes: 5, isEncrypted: false, check: 'restored' },
  ]);
});
