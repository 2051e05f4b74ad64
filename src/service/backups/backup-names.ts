/** A backup in the folder of backups. */
export interface StoredBackup {
  name: string;
  /** When it was begun, as its name says. */
  at: Date;
  bytes: number;
  isEncrypted: boolean;
  /** How it was checked after it was written; null: it was not. */
  check: 'restored' | 'read' | null;
}

const pattern =
  /^offerbook-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup\.gz(\.encrypted)?(\.restored|\.read|\.\d+\.part)?$/;

/** Returns the name of a backup begun at this moment. */
export const backupName = (at: Date, isEncrypted: boolean): string =>
  `offerbook-${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.backup.gz${isEncrypted ? '.encrypted' : ''}`;

/** Returns the name of the empty file beside a backup that says how it was checked. */
export const checkName = (name: string, check: 'restored' | 'read'): string => `${name}.${check}`;

/** A file that a name says to be a backup, the mark of its check, or the part of one that was not finished. */
interface ReadName {
  /** Of the backup. */
  name: string;
  at: Date;
  isEncrypted: boolean;
  kind: 'backup' | 'restored' | 'read' | 'part';
}

/** Returns what a file's name says; null: it is not of a backup. */
export function readBackupName(file: string): ReadName | null {
  const [, year, month, day, hour, minute, second, encrypted, ending] = pattern.exec(file) ?? [];
  if (year === undefined) return null;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(at.getTime())) return null;
  const kind = ending === undefined ? 'backup' : ending.endsWith('.part') ? 'part' : ending.slice(1);
  return {
    name: file.slice(0, file.length - (ending?.length ?? 0)),
    at,
    isEncrypted: encrypted !== undefined,
    kind: kind as ReadName['kind'],
  };
}

/** Returns the backups among files, oldest first. */
export function findBackups(files: readonly { path: string; bytes: number }[]): StoredBackup[] {
  const read = files.flatMap(({ path, bytes }) => {
    const known = readBackupName(path);
    return known === null ? [] : [{ ...known, bytes }];
  });
  const checks = new Map<string, 'restored' | 'read'>();
  for (const { name, kind } of read) {
    if (kind === 'restored' || (kind === 'read' && !checks.has(name))) checks.set(name, kind);
  }
  return read
    .filter(({ kind }) => kind === 'backup')
    .map(({ name, at, bytes, isEncrypted }) => ({
      name,
      at,
      bytes,
      isEncrypted,
      check: checks.get(name) ?? null,
    }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
