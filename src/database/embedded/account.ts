import { chown, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from '../../core/errors.ts';

/** The system user of the server when the program itself runs as root. */
export interface Account {
  uid: number;
  gid: number;
  name: string;
}

const candidates = ['postgres', '_postgres', 'nobody'];

/** Whether this process is root, as which PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Returns the account of `postgres`, else of `nobody`. Throws UserError if the system has neither. */
export async function findServerAccount(): Promise<Account> {
  const accounts = await readAccounts();
  for (const name of candidates) {
    const account = accounts.find((each) => each.name === name && each.uid !== 0);
    if (account !== undefined) return account;
  }
  throw new UserError(
    'PostgreSQL does not run as root and this system has no user `postgres` or `nobody`: run as an ordinary user or set DATABASE_URL',
  );
}

/** Returns the account with this uid; gid and name are derived from the uid if the system does not list it. */
export async function accountOf(uid: number, gid: number): Promise<Account> {
  const known = (await readAccounts()).find((each) => each.uid === uid);
  return known ?? { uid, gid, name: String(uid) };
}

async function readAccounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || name.startsWith('#') || uid === undefined || gid === undefined) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/** Whether `account` may traverse `path` and every folder above it. */
export async function canReach(account: Account, path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder);
    const search = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & search) === 0) return false;
    if (dirname(folder) === folder) return true;
  }
}

/** Makes the account the owner of `path`; null: leaves it to this user. */
export async function giveTo(account: Account | null, path: string): Promise<void> {
  if (account !== null) await chown(path, account.uid, account.gid);
}

/** Returns the `spawn` options to run a program as the account, with a minimal environment; null: as this user. */
export function spawnAs(account: Account | null) {
  return {
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' },
    ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
  };
}
