import { UserError } from '../../core/errors.ts';
import type { Role, TokenScope } from '../../core/http/credential.ts';
import type { Db, Sql } from '../../database/connection.ts';
import { type AuditEntry, appendAudit } from '../../rentals/audit.sql.ts';
import type { TokenLimits } from '../../rentals/rent/token-limits.sql.ts';
import {
  type AdminTokenState,
  adminTokenState,
  createToken,
  revokeTokens,
  storeAdminToken,
} from './credentials.sql.ts';

/** Who changes a token, and when. */
interface Change {
  by: string;
  at: Date;
}

/** Shorter ones could be guessed; a token of an earlier version stays valid. */
const minTokenCharacters = 16;

const entryOf = ({ by, at }: Change, action: string, detail: object): AuditEntry => ({
  // Tokens are of the whole program, whatever its markets.
  market: '*',
  actor: by,
  at,
  action,
  phase: 'after',
  detail,
});

/** Creates a bearer token with an audit entry; only the result contains its secret. */
export async function addToken(
  sql: Sql,
  fields: { name: string; role: Role } & Partial<TokenLimits & TokenScope>,
  change: Change,
): Promise<{ id: string; token: string }> {
  return await sql.begin(async (tx) => {
    const made = await createToken(tx as Db, fields);
    await appendAudit(tx as Db, entryOf(change, 'create-token', { id: made.id, ...fields }));
    return made;
  });
}

/** Revokes tokens and their sessions, with an audit entry each. Returns their number. */
export async function endTokens(sql: Sql, idOrName: string, change: Change): Promise<number> {
  return await sql.begin(async (tx) => {
    const ended = await revokeTokens(tx as Db, idOrName);
    for (const token of ended) await appendAudit(tx as Db, entryOf(change, 'revoke-token', token));
    return ended.length;
  });
}

/**
 * Makes `token` the administrator's if the database has none, else changes nothing. Returns the state before. Throws
 * UserError for a new token that is too short.
 */
export async function ensureAdminToken(sql: Sql, token: string, change: Change): Promise<AdminTokenState> {
  return await withAdminLock(sql, async (tx) => {
    const state = await adminTokenState(tx, token);
    if (state !== 'none') return state;
    await keepAdminToken(tx, token, change);
    return state;
  });
}

/** Replaces the administrator's token by `token`. Throws UserError for an invalid one. */
export async function changeAdminToken(sql: Sql, token: string, change: Change): Promise<void> {
  await withAdminLock(sql, async (tx) => {
    const state = await adminTokenState(tx, token);
    if (state === 'same')
      throw new UserError("This is the administrator's token already: nothing was changed.");
    if (state === 'used up') {
      throw new UserError('This token was revoked or has another role: set OFFERBOOK_TOKEN to a new one.');
    }
    await keepAdminToken(tx, token, change);
  });
}

async function keepAdminToken(tx: Db, token: string, change: Change): Promise<void> {
  if (token.length < minTokenCharacters) {
    throw new UserError(
      `The administrator's token has ${token.length} characters and could be guessed: set OFFERBOOK_TOKEN to one of ` +
        `${minTokenCharacters} or more, for example from \`openssl rand -hex 24\`.`,
    );
  }
  const { id, ended } = await storeAdminToken(tx, token);
  const before = ended.length === 0 ? {} : { inPlaceOf: ended };
  await appendAudit(tx, entryOf(change, 'set-admin-token', { id, ...before }));
}

/** Of several processes that start together, one creates the token. */
async function withAdminLock<T>(sql: Sql, work: (tx: Db) => Promise<T>): Promise<T> {
  return (await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('ensure-admin-token'))`;
    return await work(tx as Db);
  })) as T;
}
