import type { Log } from '../../core/log.ts';
import type { Sql } from '../../database/connection.ts';
import { writeAudit } from '../../rentals/audit.sql.ts';
import type { SignInWay } from './sign-in-audit.sql.ts';

const windowMs = 3_600_000;
/** Addresses that have entries of their own within a window; the others share theirs. */
const maxAddresses = 20;
const otherAddresses = 'other addresses';

interface Parts {
  sql: Sql;
  log: Log;
  now: () => Date;
}

/** Counts a refused attempt. */
export type NoteRefusal = (attempt: { address: string; way: SignInWay }) => Promise<void>;

/**
 * Returns what notes refused sign-ins of this process in the audit log: the 1st, 10th, 100th… within an hour, by
 * address, so that guessing neither fills the log nor goes unseen.
 */
export function createRefusedSignIns({ sql, now, log }: Parts): NoteRefusal {
  let since = new Date(0);
  const attempts = new Map<string, number>();
  return async ({ address, way }) => {
    const at = now();
    if (at.getTime() - since.getTime() >= windowMs) {
      since = at;
      attempts.clear();
    }
    const from = attempts.has(address) || attempts.size < maxAddresses ? address : otherAddresses;
    const count = (attempts.get(from) ?? 0) + 1;
    attempts.set(from, count);
    if (!Number.isInteger(Math.log10(count))) return;
    const detail = { address: from, way, attempts: count, since: since.toISOString() };
    const entry = { market: '*', actor: 'unknown', at, action: 'sign-in', phase: 'refused', detail } as const;
    // The answer is a refusal anyway.
    await writeAudit(sql, entry).catch((error: unknown) =>
      log.warn({ err: error, ...detail }, 'a refused sign-in could not be written to the audit log'),
    );
  };
}
