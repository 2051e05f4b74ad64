import { randomUUID } from 'node:crypto';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import type { DatabaseTarget, Sql } from '../../../src/database/connection.ts';
import { addBackupAttempt, type BackupAttempt } from '../../../src/service/backups/backups.sql.ts';
import { openLocalPlace } from '../../../src/service/backups/local-place.ts';
import { type BackupRun, runBackup } from '../../../src/service/backups/run-backup.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

/** A database with two books, and with rows that hardly compress. */
export async function createFilledDatabase(notes = 0): Promise<{ sql: Sql; target: DatabaseTarget }> {
  const { sql, target } = await createTestDatabase();
  const { id } = await ensureMarket(sql, 'recorded', 'recorded');
  const offers = [1, 2, 3].map((number) => makeOffer(number));
  await landOffers(sql, id, '2026-07-30T00:00:00Z', offers);
  await landOffers(sql, id, '2026-07-30T01:00:00Z', offers.slice(1));
  await sql`insert into blocklist_entry (id, market_id, kind, machine_id, note, added_at)
    select gen_random_uuid(), ${id}, 'block', g, md5(g::text), '2026-07-30' from generate_series(1, ${notes}) g`;
  return { sql, target };
}

/** A database on which nothing was ever run. */
export async function createEmptyDatabase(): Promise<{ sql: Sql; url: string }> {
  const { sql, target } = await createTestDatabase();
  await sql.unsafe(
    'drop schema if exists offerbook_jobs cascade; drop schema public cascade; create schema public',
  );
  return { sql, url: databaseUrl(target) };
}

/** Makes a backup as the schedule does, at a time of the test's own. */
export async function backUp(
  database: { sql: Sql; target: DatabaseTarget },
  at: string,
  options: Partial<BackupRun> & { folder?: string } = {},
) {
  const { folder = '', ...others } = options;
  const signal = options.signal ?? new AbortController().signal;
  return await runBackup({
    ...database,
    place: options.place ?? openLocalPlace(folder, signal),
    settings: { keep: null, key: null, check: 'restore' },
    version: 'of-the-tests',
    log: silentLog,
    now: () => new Date(at),
    signal,
    ...others,
  });
}

/** Stores an attempt at a backup: a good one, unless it is said otherwise. */
export async function addAttempt(sql: Sql, name: string, attempt: Partial<BackupAttempt>): Promise<void> {
  const startedAt = attempt.startedAt ?? new Date(0);
  await addBackupAttempt(sql, {
    ...{
      id: randomUUID(),
      place: '/backups',
      name,
      startedAt,
      endedAt: new Date(startedAt.getTime() + 7_000),
    },
    ...{ outcome: 'good', reason: null, bytes: 5_000, tables: 60, rows: 70, checked: 'restored' },
    ...attempt,
  });
}
