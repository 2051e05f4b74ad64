import { createHash } from 'node:crypto';
import { on } from '../database/builder.ts';
import type { Db, Sql } from '../database/connection.ts';
import { and, asc, desc, gt, inArray, lt } from '../database/drizzle.ts';
import { auditLog } from '../database/schema/rental.ts';

/** A change to an account, or its refusal. */
export interface AuditEntry {
  at: Date;
  market: string;
  /** The name of the token, or of the limit that the owner set. */
  actor: string;
  /** `sign-in`, `rent`, `stop`, `start`, `destroy`, `bid`, `label`, `actions`… */
  action: string;
  phase: 'before' | 'after' | 'refused';
  rentalId?: string | null | undefined;
  instanceId?: number | null | undefined;
  /** Never contains a secret: anyone with access to the log can read it. */
  detail: object;
}

/** A stored entry. */
export type AuditRow = typeof auditLog.$inferSelect;

const chainLock = 0x0ffe_b010;
const beginning = '0'.repeat(64);

/** Appends to the chain in the transaction of `db`; entries are in commit order. */
export async function appendAudit(db: Sql | Db, entry: AuditEntry): Promise<void> {
  // The lock is held until the end of the transaction, so that each entry knows the hash of the previous one.
  await lockAudit(db as Db);
  const { seq, hash } = auditLog;
  const [last] = await on(db).select({ seq, hash }).from(auditLog).orderBy(desc(seq)).limit(1);
  const row = {
    seq: (last?.seq ?? 0) + 1,
    at: entry.at,
    market: entry.market,
    actor: entry.actor,
    action: entry.action,
    phase: entry.phase,
    rentalId: entry.rentalId ?? null,
    instanceId: entry.instanceId ?? null,
    detail: JSON.stringify(entry.detail),
    previousHash: last?.hash ?? beginning,
  };
  await on(db)
    .insert(auditLog)
    .values({ ...row, hash: hashOf(row) });
}

/** Blocks other writers until the transaction ends, for a writer whose entry depends on other rows. */
export async function lockAudit(tx: Db): Promise<void> {
  await tx`with locked as materialized (select pg_advisory_xact_lock(${chainLock})) select from locked`;
}

/** Appends in a transaction of its own. */
export async function writeAudit(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql.begin(async (tx) => await appendAudit(tx, entry));
}

const hashOf = (row: Omit<AuditRow, 'hash'>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        row.seq,
        row.at.toISOString(),
        row.market,
        row.actor,
        row.action,
        row.phase,
        row.rentalId,
        row.instanceId,
        row.detail,
        row.previousHash,
      ]),
    )
    .digest('hex');

/** Returns entries after `afterSeq`, oldest first, or newest first before it; `actions` empty: of every action. */
export async function listAudit(
  db: Db,
  {
    afterSeq,
    limit,
    order = 'asc',
    actions = [],
  }: { afterSeq: number | null; limit: number; order?: 'asc' | 'desc'; actions?: readonly string[] },
): Promise<AuditRow[]> {
  const { seq, action } = auditLog;
  const isOlder = order === 'desc';
  return await on(db)
    .select()
    .from(auditLog)
    .where(
      and(
        afterSeq === null ? undefined : isOlder ? lt(seq, afterSeq) : gt(seq, afterSeq),
        actions.length === 0 ? undefined : inArray(action, [...actions]),
      ),
    )
    .orderBy(isOlder ? desc(seq) : asc(seq))
    .limit(limit);
}

/** Result of a check of the whole chain; `problem` null: every entry is intact. */
export interface AuditVerdict {
  entries: number;
  /** The hash of the last entry: stored elsewhere, it also reveals whether entries were removed at the end. */
  head: string | null;
  problem: { seq: number; what: string } | null;
}

const checkedAtOnce = 1_000;

/** Recomputes every hash; `head`, from an earlier check, must be among them. */
export async function verifyAudit(db: Db, head: string | null = null): Promise<AuditVerdict> {
  let previous = { seq: 0, hash: beginning };
  let seenHead = head === null;
  for (;;) {
    const rows = await listAudit(db, { afterSeq: previous.seq, limit: checkedAtOnce });
    for (const row of rows) {
      const what = problemOf(row, previous);
      if (what !== null) {
        return { entries: previous.seq, head: previous.hash, problem: { seq: row.seq, what } };
      }
      previous = row;
      if (row.hash === head) seenHead = true;
    }
    if (rows.length < checkedAtOnce) break;
  }
  const problem = seenHead
    ? null
    : { seq: previous.seq + 1, what: 'the entry with the given head is missing: the end was cut off' };
  return { entries: previous.seq, head: previous.seq === 0 ? null : previous.hash, problem };
}

function problemOf(row: AuditRow, previous: { seq: number; hash: string }): string | null {
  if (row.seq !== previous.seq + 1) return `entries ${previous.seq + 1} to ${row.seq - 1} are missing`;
  if (row.previousHash !== previous.hash) return 'it does not follow the entry before it';
  return hashOf(row) === row.hash ? null : 'it was changed after it was written';
}
