import { expect, it } from 'vitest';
import { listEvents, publishEventNow } from '../../src/rentals/events.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';

it('an event is stored whatever text it contains, so that it never undoes the change that it reports', async () => {
  const { sql } = await createTestDatabase();
  const at = new Date('2026-07-30T00:00:00Z');
  const data = { reason: 'cut within \uD83D', names: ['\uDE00 a', '\u{1F600}'], count: 1, none: null };
  await publishEventNow(sql, { at, marketId: null, kind: 'rental', data });
  expect((await listEvents(sql, 0)).map((event) => event.data)).toEqual([
    { reason: 'cut within \uFFFD', names: ['\uFFFD a', '\u{1F600}'], count: 1, none: null },
  ]);
});
