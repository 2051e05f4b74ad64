import { describe, expect, it } from 'vitest';
import { verifyAudit, writeAudit } from '../../src/rentals/audit.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql } = await createTestDatabase();
const entry = (instanceId: number) => ({
  ...{ at: new Date('2026-03-02T00:00:00.123Z'), market: 'm', actor: 'me', action: 'stop' },
  ...{ phase: 'before' as const, instanceId, detail: { why: 'a "quoted" word' } },
});

describe('the audit log', () => {
  it('stores entries of many writers in one chain, and refuses UPDATE, DELETE and TRUNCATE', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => writeAudit(sql, entry(index))));
    const verdict = await verifyAudit(sql);
    expect(verdict).toMatchObject({ entries: 8, problem: null });
    for (const statement of [
      "update audit_log set actor = 'you' where seq = 1",
      "update audit_log set actor = 'you' where false",
      'delete from audit_log where seq = 8',
      'truncate audit_log',
      'truncate audit_log cascade',
    ]) {
      await expect(sql.unsafe(statement), statement).rejects.toThrow(/append-only|permission denied/);
    }
    expect(await verifyAudit(sql, verdict.head)).toEqual(verdict);
  });

  it('detects one changed byte, a missing entry and a truncated end', async () => {
    const before = await verifyAudit(sql);
    // As somebody could who owns the server: the program itself never does.
    const tamper = async (statement: string) => {
      await sql.begin(async (tx) => {
        await tx.unsafe('alter table audit_log disable trigger all');
        await tx.unsafe('grant all on audit_log to current_user');
        await tx.unsafe(statement);
        await tx.unsafe('alter table audit_log enable trigger all');
      });
    };
    await tamper(`update audit_log set detail = replace(detail, 'word', 'worb') where seq = 4`);
    expect((await verifyAudit(sql)).problem).toEqual({ seq: 4, what: 'it was changed after it was written' });
    await tamper(`update audit_log set detail = replace(detail, 'worb', 'word') where seq = 4`);
    expect((await verifyAudit(sql)).problem).toBeNull();
    await tamper('delete from audit_log where seq = 8');
    expect((await verifyAudit(sql)).problem).toBeNull();
    expect((await verifyAudit(sql, before.head)).problem).toMatchObject({ seq: 8 });
    await tamper('delete from audit_log where seq = 3');
    expect((await verifyAudit(sql)).problem).toEqual({ seq: 4, what: 'entries 3 to 3 are missing' });
  });
});
