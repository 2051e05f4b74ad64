import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { UserError } from '../../core/errors.ts';
import type { Credential, CredentialKind, Role, TokenScope } from '../../core/http/credential.ts';
import { on } from '../../database/builder.ts';
import type { Db } from '../../database/connection.ts';
import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  or,
  type SQL,
  sql,
} from '../../database/drizzle.ts';
import { credential } from '../../database/schema/access.ts';
import type { TokenLimits } from '../../rentals/rent/token-limits.sql.ts';
import { sessionMs } from './session-life.ts';

/** A token without its secret, which is not stored. */
export interface TokenRecord extends TokenLimits, TokenScope {
  id: string;
  name: string;
  role: Role;
  createdAt: Date;
  /** null: active. */
  revokedAt: Date | null;
  /** By itself or a session of it, to the minute; null: not since this is noted. */
  lastUsedAt: Date | null;
  /** Address of the client; null: unknown. */
  lastUsedFrom: string | null;
}

const loginCodeMs = 10 * 60_000;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const makeSecret = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`;

/** Creates a bearer token; only the result contains its secret. */
export async function createToken(
  tx: Db,
  { name, role, ...limits }: { name: string; role: Role } & Partial<TokenLimits & TokenScope>,
): Promise<{ id: string; token: string }> {
  if (name === adminName) throw new UserError(`${adminName} is the name of OFFERBOOK_TOKEN: choose another.`);
  const isScoped = (limits.markets ?? null) !== null || (limits.label ?? null) !== null;
  if (isScoped && (role === 'admin' || role === 'feed')) {
    throw new UserError(
      `a token with the role ${role} cannot be limited to markets or a label: use viewer or operator.`,
    );
  }
  const token = makeSecret('ob');
  return { id: await store(tx, token, { ...limits, kind: 'token', role, name }), token };
}

/** Stores a credential with the hash of its secret. Returns its id. */
async function store(
  db: Db,
  secret: string,
  row: Omit<typeof credential.$inferInsert, 'id' | 'hash'>,
): Promise<string> {
  const id = uuidv7();
  await on(db)
    .insert(credential)
    .values({ id, hash: hashOf(secret), ...row });
  return id;
}

/** Name of OFFERBOOK_TOKEN among the tokens. */
const adminName = 'administrator';

/**
 * How a token relates to the database's administrator token. `none`: there is none yet, so any unused token is
 * accepted.
 */
export type AdminTokenState = 'none' | 'same' | 'another' | 'used up';

/** Returns this state; with `token` null, `another` means that the database has an administrator token. */
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

/** Stores the administrator's token and ends earlier ones with their sessions. Returns its id and theirs. */
export async function storeAdminToken(tx: Db, token: string): Promise<{ id: string; ended: string[] }> {
  const { kind, name, parentId } = credential;
  const old = await endNow(tx, and(eq(kind, 'token'), eq(name, adminName)));
  for (const { id } of old) await endSessionsOf(tx, id);
  // Sessions opened by login links also belong to the administrator, but to no token.
  if (old.length > 0) {
    await endNow(tx, and(inArray(kind, ['session', 'login']), isNull(parentId)));
  }
  const id = await store(tx, token, { kind: 'token', role: 'admin', name: adminName });
  return { id, ended: old.map((row) => row.id) };
}

/** Returns all tokens, including revoked ones, newest first. */
export async function listTokens(db: Db): Promise<TokenRecord[]> {
  const { hash: _, kind, parentId: __, expiresAt: ___, ...columns } = getTableColumns(credential);
  const { id, createdAt } = columns;
  const rows = await on(db)
    .select(columns)
    .from(credential)
    .where(eq(kind, 'token'))
    .orderBy(desc(createdAt), desc(id));
  return rows as TokenRecord[];
}

/** Revokes the active tokens with this id or name, and their sessions. Returns those tokens. */
export async function revokeTokens(
  tx: Db,
  idOrName: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  const { kind, id: tokenId, name } = credential;
  const isNamed = or(eq(sql`${tokenId}::text`, idOrName), eq(name, idOrName));
  const ended = await endNow(tx, and(eq(kind, 'token'), isNamed));
  for (const { id } of ended) await endSessionsOf(tx, id);
  return ended;
}

/** Creates a code for one sign-in as administrator within 10 minutes. */
export async function createLoginCode(db: Db, now: Date): Promise<string> {
  const code = makeSecret('login');
  const expiresAt = new Date(now.getTime() + loginCodeMs);
  await store(db, code, { kind: 'login', role: 'admin', name: 'login link', createdAt: now, expiresAt });
  return code;
}

/** Uses a login code: of several requests with one code only one gets its role. null: invalid. */
export async function redeemLoginCode(db: Db, code: string, now: Date): Promise<Role | null> {
  const { kind, hash, role, expiresAt } = credential;
  const [row] = await on(db)
    .update(credential)
    .set({ revokedAt: now })
    .where(and(eq(kind, 'login'), eq(hash, hashOf(code)), isInForce, gt(expiresAt, now)))
    .returning({ role });
  return (row?.role as Role | undefined) ?? null;
}

/** Returns why a login code is of no use. */
export async function explainLoginCode(
  db: Db,
  code: string,
  now: Date,
): Promise<'used' | 'expired' | 'unknown'> {
  const { kind, hash, revokedAt, expiresAt } = credential;
  const [row] = await on(db)
    .select({ revokedAt, expiresAt })
    .from(credential)
    .where(and(eq(kind, 'login'), eq(hash, hashOf(code))));
  if (row === undefined) return 'unknown';
  return row.revokedAt === null && row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'used';
}

/**
 * Begins a session of the page, which ends with its token. It has the name of a token with limits, so that they apply.
 * Returns the cookie's secret.
 */
export async function createSession(
  db: Db,
  { role, tokenId: parentId }: { role: Role; tokenId: string | null },
  now: Date,
): Promise<string> {
  const secret = makeSecret('session');
  const expiresAt = new Date(now.getTime() + sessionMs);
  const [limited] = await db<{ name: string }[]>`
    select name from credential where id = ${parentId}
      and (max_usd_per_hour, max_instances, max_rents_per_day) is distinct from (null, null, null)`;
  const name = limited?.name ?? 'session';
  await store(db, secret, { kind: 'session', role, name, parentId, createdAt: now, expiresAt });
  return secret;
}

/** Ends one session. Returns whose it was, by the name of its token; null: it had ended before. */
export async function endSession(db: Db, secret: string): Promise<{ name: string; role: Role } | null> {
  const [ended] = await db<{ name: string; role: Role }[]>`
    update credential c set revoked_at = now()
    where kind = 'session' and hash = ${hashOf(secret)} and revoked_at is null
    returning coalesce((select name from credential t where t.id = c.parent_id), 'login link') as name, role`;
  return ended ?? null;
}

/** Returns the credential that a secret proves; null: unknown, revoked, expired or of another kind. */
export async function findCredential(
  db: Db,
  secret: string,
  kind: CredentialKind,
  now: Date,
): Promise<Credential | null> {
  const wanted = hashOf(secret);
  // Runs on every request: a tagged query costs half of what the builder does.
  const [row] = await db<(Credential & TokenScope & { hash: string })[]>`
    select c.id, c.kind, c.role, c.name, c.hash, t.markets, t.label
    from credential c join credential t on t.id = coalesce(c.parent_id, c.id)
    where c.hash = ${wanted} and c.kind = ${kind} and c.revoked_at is null
      and (c.expires_at is null or c.expires_at > ${now})`;
  if (row === undefined || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(wanted))) return null;
  const { markets, label } = row;
  const found = { id: row.id, kind: row.kind, role: row.role, name: row.name };
  return markets === null && label === null ? found : { ...found, scope: { markets, label } };
}

/** Returns the ids that are no longer active with that role. */
export async function findEndedCredentials(
  db: Db,
  credentials: readonly { id: string; role: string }[],
  now: Date,
): Promise<Set<string>> {
  const { id: ofToken, role: ofRole } = credential;
  const ids = credentials.map(({ id }) => id);
  const rows = await on(db)
    .select({ id: ofToken, role: ofRole })
    .from(credential)
    .where(and(inArray(ofToken, ids), isInForce, isUnexpired(now)));
  const inForce = new Set(rows.map(({ id, role }) => `${id} ${role}`));
  return new Set(credentials.filter(({ id, role }) => !inForce.has(`${id} ${role}`)).map(({ id }) => id));
}

async function endSessionsOf(db: Db, tokenId: string): Promise<void> {
  await endNow(db, and(eq(credential.kind, 'session'), eq(credential.parentId, tokenId)));
}

const isInForce = isNull(credential.revokedAt);
const isUnexpired = (now: Date) => or(isNull(credential.expiresAt), gt(credential.expiresAt, now));

/** Revokes the matching active tokens, by the database's clock. */
async function endNow(db: Db, meant: SQL | undefined): Promise<{ id: string; name: string; role: Role }[]> {
  const { id, name, role } = credential;
  const ended = await on(db)
    .update(credential)
    .set({ revokedAt: sql`now()` })
    .where(and(meant, isInForce))
    .returning({ id, name, role });
  return ended as { id: string; name: string; role: Role }[];
}
