import { afterAll, beforeAll, expect, it } from 'vitest';
import { stageRecords } from '../../src/books/landing/records.sql.ts';
import { inTransaction, type Sql } from '../../src/database/connection.ts';
import { createTestDatabase } from '../support/test-database.ts';

let sql: Sql;

beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

afterAll(() => sql.end());

it('rows that the server only refuses at the end are an error, and the connection stays usable', async () => {
  const db = await sql.reserve();
  try {
    // A table that is not the one that the rows are made for.
    await db`create temporary table staged_page (page integer, held integer, records integer[])`;
    const staged = inTransaction(db, (tx) => stageRecords(tx, ['{"id":1}'], 0));
    await expect(staged).rejects.toMatchObject({ code: '42804' });
    expect(await db`select 1 as one`).toEqual([{ one: 1 }]);
  } finally {
    db.release();
  }
});
