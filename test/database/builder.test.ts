import { describe, expect, it } from 'vitest';
import { on } from '../../src/database/builder.ts';
import { connect, type Db, inTransaction } from '../../src/database/connection.ts';
import { asc, eq, inArray } from '../../src/database/drizzle.ts';
import { createReplicaReads } from '../../src/database/replica-reads.ts';
import { market, scope } from '../../src/database/schema/market.ts';
import { event, rental } from '../../src/database/schema/rental.ts';
import { budget } from '../../src/database/schema/spend.ts';
import { createLimitedRole } from '../support/limited-role.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql, target } = await createTestDatabase();
const at = new Date('2026-03-01T12:34:56.789Z');
const hostile = `a "quoted", {braced} \\ back'slash, émoji 🙂`;

const [made] = await on(sql)
  .insert(market)
  .values({ name: hostile, kind: 'live', createdAt: at, daysDroppedBefore: '2026-02-28' })
  .returning();
const marketId = made?.id ?? 0;

const newRental = {
  ...{ id: '0190a000-0000-7000-8000-000000000001', marketId, idempotencyKey: 'k', bodyHash: 'h' },
  ...{
    state: 'creating',
    rentedBy: 'me',
    label: hostile,
    offerId: 2 ** 52 + 1,
    machineId: 7,
    gpuName: 'RTX 4090',
  },
  ...{ numGpus: 2, type: 'on-demand' as const, diskGb: 0.1, usdPerHour: '0.10000000000000000001' },
  ...{ baseUsdPerHour: '0.3', quote: { a: [1, null, hostile] }, request: '5', baseline: [1, 2 ** 52] },
  ...{ onFailure: 'notify', provisionMinutes: 15, createdAt: at, sentAt: null },
};
const newBudget = {
  ...{ id: '0190a000-0000-7000-8000-000000000002', marketId, label: null, monthlyUsd: '12.50' },
  ...{ alertAt: ['0.8', '1'], blockRentals: true, timeZone: 'UTC', createdAt: at },
};
await on(sql).insert(rental).values(newRental);
await on(sql).insert(budget).values(newBudget);
await on(sql)
  .insert(scope)
  .values({ marketId, name: 'narrow', gpuNames: [hostile, ''], rentable: false });

/** Asks on each kind of connection that code is given. */
async function onEachConnection(ask: (db: Db) => Promise<unknown>): Promise<void> {
  await ask(sql);
  const reserved = await sql.reserve();
  try {
    await ask(reserved);
    await inTransaction(reserved, ask);
  } finally {
    reserved.release();
  }
  await sql.begin(ask);
}

describe('a query of the builder', () => {
  it('returns the same as a tagged one, on the pool, a reserved connection and a transaction', async () => {
    await onEachConnection(async (db) => {
      const [one] = await on(db).select().from(rental).where(eq(rental.id, newRental.id));
      const [tagged] = await db`select created_at as "createdAt", sent_at as "sentAt", offer_id as "offerId",
        usd_per_hour as "usdPerHour", quote, request, baseline, type, disk_gb as "diskGb", label, num_gpus as "numGpus"
        from rental`;
      expect(one).toMatchObject({ ...tagged });
      expect(one).toMatchObject(newRental);
      expect(await on(db).select().from(budget)).toEqual([newBudget]);
      expect(await on(db).select({ names: scope.gpuNames, rentable: scope.rentable }).from(scope)).toEqual([
        { names: [hostile, ''], rentable: false },
      ]);
      const [own] = await on(db).select().from(market);
      expect(own).toEqual({
        id: marketId,
        name: hostile,
        kind: 'live',
        createdAt: at,
        daysDroppedBefore: '2026-02-28',
      });
    });
  });

  it.each([
    ['an object', { a: 1 }],
    ['a list', [true, [1], 'x']],
    ['a text that looks like JSON', '{"a":1}'],
    ['a number', 5],
    ['false', false],
  ])('keeps JSON unchanged: %s', async (_, data) => {
    const [row] = await on(sql).insert(event).values({ at, marketId: null, kind: 'book', data }).returning();
    expect(row?.data).toEqual(data);
    const [tagged] = await sql`select data, data::text as text from event where id = ${row?.id ?? 0}`;
    expect(tagged?.data).toEqual(data);
    expect(JSON.parse(String(tagged?.text))).toEqual(data);
  });

  it('writes in the given transaction', async () => {
    const rolledBack = sql.begin(async (tx) => {
      await on(tx).delete(budget).where(eq(budget.id, newBudget.id));
      expect(await on(tx).select().from(budget)).toEqual([]);
      throw new Error('on second thoughts');
    });
    await expect(rolledBack).rejects.toThrow('on second thoughts');
    expect(await on(sql).select().from(budget)).toHaveLength(1);
  });

  it("fails with the driver's error, which contains no parameters", async () => {
    const twice = on(sql).insert(market).values({ name: hostile, kind: 'live' });
    const error = await Promise.resolve(twice).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'PostgresError', code: '23505', constraint_name: 'market_name' });
    expect((error as Error).message).not.toContain(hostile);
  });

  it('is prepared, and its text never contains parameters', async () => {
    const session = await sql.reserve();
    try {
      for (const id of [1, 2, 3]) await on(session).select().from(market).where(eq(market.id, id));
      const kept = await session<{ statement: string }[]>`
        select statement from pg_prepared_statements where statement like 'select%"market"."id" = %'`;
      expect(kept.map(({ statement }) => statement.includes('$1'))).toEqual([true]);
    } finally {
      session.release();
    }
  });

  it('matches nothing with an empty list', async () => {
    expect(await on(sql).select().from(market).where(inArray(market.id, [])).orderBy(asc(market.id))).toEqual(
      [],
    );
  });

  it('waits for room on a full server like a tagged one', async () => {
    const limited = await createLimitedRole(sql, 1);
    await sql`grant select on market to public`;
    const hog = connect(limited, { max: 1 });
    await hog`select 1`;
    const waiting = connect(limited, { max: 2 });
    const answer = Promise.resolve(on(waiting).select({ id: market.id }).from(market));
    answer.catch(() => {});
    setTimeout(() => void hog.end({ timeout: 0 }), 200);
    expect(await answer).toEqual([{ id: marketId }]);
    await waiting.end({ timeout: 1 });
  });

  it('falls back to the primary when the replica fails', async () => {
    const dead = { socketDir: '/nonexistent', port: 1, user: 'none', database: 'none' };
    const replica = createReplicaReads({
      primary: sql,
      open: (max) => connect(dead, { max: max ?? 2, connectSeconds: 1 }),
      log: silentLog,
    });
    expect(await on(replica.sql).select({ id: market.id }).from(market)).toEqual([{ id: marketId }]);
    expect(replica.state().fallbackReads).toBe(1);
    await replica.end();
  });

  it('accepts a list of our own enum on a connection that was opened before the enum existed', async () => {
    const early = connect(target, { max: 1 });
    const types = await on(early)
      .select({ id: rental.id })
      .from(rental)
      .where(inArray(rental.type, ['bid', 'on-demand']));
    expect(types).toEqual([{ id: newRental.id }]);
    await early.end();
  });
});
