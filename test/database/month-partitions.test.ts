import { expect, it } from 'vitest';
import { ensureMonths } from '../../src/database/month-partitions.ts';
import { createTestDatabase } from '../support/test-database.ts';

it('months that many landings need at once are created once', async () => {
  const { sql } = await createTestDatabase();
  const sessions = await Promise.all(Array.from({ length: 8 }, async () => await sql.reserve()));
  for (let year = 2030; year < 2035; year += 1) {
    const moments = [new Date(Date.UTC(year, 0, 31)), new Date(Date.UTC(year, 1, 3))];
    await Promise.all(sessions.map(async (db) => await ensureMonths(db, moments)));
  }
  for (const db of sessions) db.release();
  const made = await sql`select from pg_class where relname ~ '^day_point_203[0-4]_0[12]$'`;
  expect(made).toHaveLength(10);
});
