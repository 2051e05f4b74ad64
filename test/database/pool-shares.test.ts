import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connection.ts';
import {
  defaultPoolSize,
  minPoolSize,
  poolSizePerMarket,
  sharePool,
} from '../../src/database/pool-shares.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('DATABASE_POOL_SIZE', () => {
  it('equals the sum of all shares, at every size', () => {
    for (let size = minPoolSize; size <= 200; size += 1) {
      const { pool, reserved } = sharePool(size);
      // LISTEN, and the queue's queries and transactions.
      expect(pool + reserved + 3).toBe(size);
      expect(pool).toBeGreaterThanOrEqual(1);
      expect(reserved).toBeGreaterThanOrEqual(3);
      const more = sharePool(size + 2 * poolSizePerMarket, 2);
      expect(more).toEqual({ pool, reserved: reserved + 2 * poolSizePerMarket });
    }
  });

  it.each([minPoolSize, defaultPoolSize])(
    'of %i lets many nested locks, snapshots, transactions and queries finish',
    async (size) => {
      const { target, sql: beside } = await createTestDatabase();
      const { pool, reserved } = sharePool(size);
      const sql = connect(target, { max: pool, maxReserved: reserved, applicationName: 'nested' });
      let most = 0;
      const work = async (): Promise<void> => {
        const lock = await sql.reserve('lock');
        const snapshot = await sql.reserve('snapshot');
        await sql.begin(async (tx) => {
          await tx`select 1`;
          await sql`select pg_sleep(0.01)`;
          const rows = await beside`select from pg_stat_activity where application_name = 'nested'`;
          most = Math.max(most, rows.length);
        });
        snapshot.release();
        lock.release();
      };
      await Promise.all(Array.from({ length: 12 }, work));
      expect(most).toBeLessThanOrEqual(pool + reserved);
      await sql.end();
    },
  );
});
