import type { Credential, Role } from '../../core/http/credential.ts';
import type { Db, Sql } from '../../database/connection.ts';
import { type AuditEntry, appendAudit, writeAudit } from '../../rentals/audit.sql.ts';
import { createSession } from './credentials.sql.ts';

/** How somebody proves who they are. */
export type SignInWay = 'token' | 'session' | 'login link' | 'proxy' | 'link';

/** Somebody who signed in or out; `address` null: from within the process. */
interface SignInEntry {
  at: Date;
  name: string;
  role: Role;
  way: SignInWay;
  address: string | null;
}

/** Returns the audit entry of a sign-in or a sign-out. */
export const signInEntry = (
  { at, name, ...detail }: SignInEntry,
  action: 'sign-in' | 'sign-out' = 'sign-in',
): AuditEntry => {
  // Sign-ins are of the whole program, whatever its markets.
  return { market: '*', actor: name, at, action, phase: 'after', detail };
};

/** Who begins a session, and how; `tokenId` null: by a login link. */
export interface NewSession {
  role: Role;
  tokenId: string | null;
  name: string;
  way: SignInWay;
}

/** Begins a session of the page with its audit entry. Returns the cookie's secret. */
export async function beginSession(
  sql: Sql,
  { tokenId, ...who }: NewSession,
  { at, address }: Pick<SignInEntry, 'at' | 'address'>,
): Promise<string> {
  return await sql.begin(async (tx) => {
    await appendAudit(tx as Db, signInEntry({ ...who, at, address }));
    return await createSession(tx as Db, { role: who.role, tokenId }, at);
  });
}

const noteEveryMs = 60_000;
/** Somebody known by a proxy's header has signed in again after this time without a request. */
const absentMs = 12 * 3_600_000;

/**
 * Returns what notes the last use of a credential's token, or of a person, at most once a minute, and a person's
 * sign-in after an absence.
 */
export function createLastUses({ sql, now }: { sql: Sql; now: () => Date }) {
  const notedAt = new Map<string, number>();
  return async ({ id, kind, name, role }: Credential, address: string | null): Promise<void> => {
    const at = now();
    const last = notedAt.get(id);
    if (last !== undefined && at.getTime() - last < noteEveryMs) return;
    // As many as are used within a minute are enough to know.
    if (notedAt.size >= 10_000) notedAt.clear();
    notedAt.set(id, at.getTime());
    const [noted] = await sql<{ before: Date | null }[]>`
      update credential c set last_used_at = ${at}, last_used_from = ${address}
      from (select coalesce(parent_id, id) as id from credential where id = ${id}) used,
        lateral (select last_used_at as before from credential where id = used.id for update) old
      where c.id = used.id and (old.before is null or old.before <= ${new Date(at.getTime() - noteEveryMs)})
      returning old.before`;
    if (kind !== 'person' || noted === undefined) return;
    if (noted.before !== null && at.getTime() - noted.before.getTime() < absentMs) return;
    await writeAudit(sql, signInEntry({ at, name, role, way: 'proxy', address }));
  };
}
