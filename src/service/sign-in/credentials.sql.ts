import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { UserError } from '../../core/errors.ts';
import type { Credential, CredentialKind, Role } from '../../core/http/credential.ts';
import type { Db } from '../../database/connection.ts';

/** A token as it may be shown: never its secret, which is not stored. */
export interface TokenRecord {
  id: string;
  name: string;
  role: Role;
  createdAt: Date;
  /** null: in force. */
  revokedAt: Date | null;
}

const dayMs = 86_400_000;
/** How long a page stays logged in. */
export const sessionMs = 30 * dayMs;
const loginCodeMs = 10 * 60_000;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const makeSecret = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`;

/** Makes a bearer token; its secret is in the answer and nowhere else. */
export async function createToken(
  tx: Db,
  { name, role }: { name: string; role: Role },
): Promise<{ id: string; token: string }> {
  if (name === adminName) throw new UserError(`${adminName} is the name of OFFERBOOK_TOKEN: choose another.`);
  const token = makeSecret('ob');
  const id = uuidv7();
  await tx`insert into credential (id, kind, role, name, hash)
    values (${id}, 'token', ${role}, ${name}, ${hashOf(token)})`;
  return { id, token };
}

/** Name of OFFERBOOK_TOKEN among the tokens. */
const adminName = 'administrator';

/** How a token stands to the administrator's of a database. `none`: it has none, and takes any that was never used. */
export type AdminTokenState = 'none' | 'same' | 'another' | 'used up';

/** The same as `none` and `same`, where no token is known here; `another`: there is one, whatever it is. */
export async function adminTokenState(db: Db, token: string | null): Promise<AdminTokenState> {
  const hash = token === null ? '' : hashOf(token);
  const rows = await db<{ hash: string; isAdmin: boolean; inForce: boolean }[]>`
    select hash, kind = 'token' and role = 'admin' and name = ${adminName} as "isAdmin", revoked_at is null as "inForce"
    from credential
    where hash = ${hash} or (kind = 'token' and name = ${adminName} and role = 'admin' and revoked_at is null)`;
  const own = rows.find((row) => row.hash === hash);
  if (own !== undefined) return own.isAdmin && own.inForce ? 'same' : 'used up';
  return rows.length === 0 ? 'none' : 'another';
}

/** Stores the administrator's token; those before it end with their sessions. Returns its id and theirs. */
export async function storeAdminToken(tx: Db, token: string): Promise<{ id: string; ended: string[] }> {
  const old = await tx<{ id: string }[]>`
    update credential set revoked_at = now()
    where kind = 'token' and name = ${adminName} and revoked_at is null returning id`;
  for (const { id } of old) await endSessionsOf(tx, id);
  // Sessions of login links are the administrator's too, and belong to no token.
  if (old.length > 0) {
    await tx`update credential set revoked_at = now()
      where kind in ('session', 'login') and parent_id is null and revoked_at is null`;
  }
  const id = uuidv7();
  await tx`insert into credential (id, kind, role, name, hash)
    values (${id}, 'token', 'admin', ${adminName}, ${hashOf(token)})`;
  return { id, ended: old.map((row) => row.id) };
}

/** All tokens, revoked ones included, the newest first. */
export async function listTokens(sql: Db): Promise<TokenRecord[]> {
  return await sql<TokenRecord[]>`
    select id, name, role, created_at as "createdAt", revoked_at as "revokedAt"
    from credential where kind = 'token' order by created_at desc, id desc`;
}

/** Ends the tokens in force that have this id or name, and every session begun with them. Returns those tokens. */
export async function revokeTokens(
  tx: Db,
  idOrName: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  const ended = await tx<{ id: string; name: string; role: Role }[]>`
    update credential set revoked_at = now()
    where kind = 'token' and revoked_at is null and (id::text = ${idOrName} or name = ${idOrName})
    returning id, name, role`;
  for (const { id } of ended) await endSessionsOf(tx, id);
  return ended;
}

/** A code for one login as administrator within 10 minutes. */
export async function createLoginCode(sql: Db, now: Date): Promise<string> {
  const code = makeSecret('login');
  await sql`insert into credential (id, kind, role, name, hash, created_at, expires_at)
    values (${uuidv7()}, 'login', 'admin', 'login link', ${hashOf(code)}, ${now},
      ${new Date(now.getTime() + loginCodeMs)})`;
  return code;
}

/** Uses a login code up; of many requests with one code a single one is told its role. null: not valid. */
export async function redeemLoginCode(sql: Db, code: string, now: Date): Promise<Role | null> {
  const [row] = await sql<{ role: Role }[]>`
    update credential set revoked_at = ${now}
    where kind = 'login' and hash = ${hashOf(code)} and revoked_at is null and expires_at > ${now}
    returning role`;
  return row?.role ?? null;
}

/** Begins a session of the page; it ends with the token that it came from. Returns the cookie's secret. */
export async function createSession(
  sql: Db,
  session: { role: Role; tokenId: string | null },
  now: Date,
): Promise<string> {
  const secret = makeSecret('session');
  await sql`insert into credential (id, kind, role, name, parent_id, hash, created_at, expires_at)
    values (${uuidv7()}, 'session', ${session.role}, 'session', ${session.tokenId}, ${hashOf(secret)},
      ${now}, ${new Date(now.getTime() + sessionMs)})`;
  return secret;
}

/** Ends one session. */
export async function endSession(sql: Db, secret: string): Promise<void> {
  await sql`update credential set revoked_at = now()
    where kind = 'session' and hash = ${hashOf(secret)} and revoked_at is null`;
}

/** The credential that a secret proves; null: unknown, revoked, expired or of another kind. */
export async function findCredential(
  sql: Db,
  secret: string,
  kind: CredentialKind,
  now: Date,
): Promise<Credential | null> {
  const wanted = hashOf(secret);
  const [row] = await sql<(Credential & { hash: string })[]>`
    select id, kind, role, name, hash from credential
    where hash = ${wanted} and kind = ${kind} and revoked_at is null
      and (expires_at is null or expires_at > ${now})`;
  if (row === undefined || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(wanted))) return null;
  return { id: row.id, kind: row.kind, role: row.role, name: row.name };
}

/** The ids of those that are no longer in force with that role. */
export async function findEndedCredentials(
  db: Db,
  credentials: readonly { id: string; role: string }[],
  now: Date,
): Promise<Set<string>> {
  const rows = await db<{ id: string; role: string }[]>`
    select id, role from credential
    where id = any(${credentials.map(({ id }) => id)}::uuid[]) and revoked_at is null
      and (expires_at is null or expires_at > ${now})`;
  const inForce = new Set(rows.map(({ id, role }) => `${id} ${role}`));
  return new Set(credentials.filter(({ id, role }) => !inForce.has(`${id} ${role}`)).map(({ id }) => id));
}

async function endSessionsOf(sql: Db, tokenId: string): Promise<void> {
  await sql`update credential set revoked_at = now()
    where kind = 'session' and parent_id = ${tokenId} and revoked_at is null`;
}
