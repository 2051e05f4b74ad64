import { describe, expect, it, onTestFinished } from 'vitest';
import type { ReservedSql } from '../../src/database/connection.ts';
import { isDatabaseUnreachable } from '../../src/database/unreachable.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql } = await createTestDatabase();

async function endSessionOf(pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid})`;
  for (;;) {
    const [row] = await sql<{ there: boolean }[]>`
      select exists (select from pg_stat_activity where pid = ${pid}) as there`;
    if (row?.there === false) break;
  }
}

/** A connection that a failed test gives back, too: what is still held would keep the file from ending. */
async function reserve(): Promise<ReservedSql> {
  const db = await sql.reserve();
  onTestFinished(() => db.release());
  return db;
}

/** Asks until the client has learned from its socket that the session is gone; no query before may have an answer. */
async function untilLost(db: ReservedSql): Promise<void> {
  for (;;) {
    const error = await (async () => await db`select 1`)().then(
      () => new Error('answered by another session'),
      (refusal: unknown) => refusal as Error,
    );
    if (error.message.includes('lost')) return;
    expect(error).toSatisfy(isDatabaseUnreachable);
  }
}

describe('a reserved connection whose session ends', () => {
  it('throws at its next query, never runs it on another session, and other connections continue', async () => {
    const db = await reserve();
    const [session] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await db`create temporary table kept (a int)`;
    await endSessionOf(session?.pid ?? 0);
    await untilLost(db);
    expect(() => db.unsafe('select 1')).toThrow('lost');
    db.release();
    const next = await sql.reserve();
    expect(await next`select 1 as one`).toEqual([{ one: 1 }]);
    next.release();
  });

  it('rejects the current query', async () => {
    const db = await reserve();
    const [session] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const slow = db`select pg_sleep(20)`.then(
      () => 'done',
      (error: unknown) => error,
    );
    await endSessionOf(session?.pid ?? 0);
    // Whether PostgreSQL ends it, or the connection before it has begun.
    expect(await slow).toSatisfy(isDatabaseUnreachable);
    db.release();
  });

  it('ends a transaction between two statements, storing nothing', async () => {
    await sql`create table if not exists half (a int)`;
    const work = sql.begin(async (tx) => {
      await tx`insert into half values (1)`;
      const [session] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await endSessionOf(session?.pid ?? 0);
      await tx`insert into half values (2)`;
    });
    await expect(work).rejects.toSatisfy(isDatabaseUnreachable);
    expect(await sql`select a from half`).toEqual([]);
  });
});

describe('a reserved connection', () => {
  it('is reused after it was returned, and refuses its previous holder', async () => {
    const db = await reserve();
    const [first] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`;
    db.release();
    expect(() => db`select 1`).toThrow('given back');
    const again = await sql.reserve();
    expect(await again`select pg_backend_pid() as pid`).toEqual([first]);
    again.release();
  });

  it('loses its transaction and locks when its program is suspended', async () => {
    const db = await reserve();
    await db`set idle_in_transaction_session_timeout = '100ms'`;
    await db`begin`;
    await db`select pg_advisory_xact_lock(7)`;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await sql`select pg_try_advisory_lock(7) as free`).toEqual([{ free: true }]);
    await expect(async () => await db`commit`).rejects.toThrow();
    db.release();
  });
});
