import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { copyOut, inSnapshot } from '../../src/database/snapshot.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';

let sql: Sql;

beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

afterAll(() => sql.end());

/** Takes a piece whenever the loop has gone round so often: rows pile up in the stream before each. */
function slowWriter(rounds: number): { writer: Writable; bytes: () => number } {
  let bytes = 0;
  const writer = new Writable({
    highWaterMark: 1,
    write: (piece: Buffer, _, done) => {
      bytes += piece.length;
      let left = rounds;
      const wait = (): void => {
        left -= 1;
        if (left < 0) done();
        else setImmediate(wait);
      };
      wait();
    },
  });
  return { writer, bytes: () => bytes };
}

const signal = new AbortController().signal;

// The stream holds 64 KiB: of some of these sizes the last packet brings more than it holds, and the end of the COPY.
it('a slow reader gets every row of a table of any size, and the connection stays usable', async () => {
  for (let rows = 40; rows <= 400; rows += 20) {
    const { writer, bytes } = slowWriter(20);
    const statement = `copy (select lpad('', 999, 'x') from generate_series(1, ${rows})) to stdout`;
    await pipeline(
      inSnapshot(sql, signal, async function* (snapshot) {
        yield* copyOut(snapshot, statement);
        expect(await snapshot.tx`select 1 as one`).toEqual([{ one: 1 }]);
        yield* copyOut(snapshot, statement);
      }),
      writer,
    );
    expect(bytes(), `${rows} rows`).toBe(2 * 1_000 * rows);
  }
});

it('an error in the middle reaches a slow reader, and the connection stays usable', async () => {
  const tx = await sql.reserve();
  try {
    for (const rows of [100, 10_000, 100_000]) {
      const failing = `copy (select 1 / (${rows} - g), lpad('', 50, 'x') from generate_series(1, ${rows}) g) to stdout`;
      const { writer } = slowWriter(20);
      const copied = pipeline(copyOut({ tx, cancel: async () => {} }, failing), writer);
      await expect(copied).rejects.toMatchObject({ code: '22012' });
      expect(await tx`select 1 as one`).toEqual([{ one: 1 }]);
    }
  } finally {
    tx.release();
  }
});
