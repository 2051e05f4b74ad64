import { readFileSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';

const at = new Date('2026-07-30T08:00:00Z');

it('deliveries that earlier versions called dead or given up are failed after the migration', async () => {
  const { sql } = await createTestDatabase();
  const { id: marketId } = await ensureMarket(sql, 'shop', 'live');
  const [channelId, syncId] = [uuidv7(), uuidv7()];
  await sql`insert into channel (id, kind, name, config, created_at)
    values (${channelId}, 'file', 'file', '{}', ${at})`;
  await sql`alter table delivery drop constraint delivery_state`;
  await sql`alter table delivery add constraint delivery_state
    check (state in ('queued', 'sent', 'refused', 'dead'))`;
  for (const state of ['dead', 'queued', 'refused', 'sent']) {
    await sql`insert into delivery (id, channel_id, notice, kind, title, state, created_at, next_attempt_at)
      values (${uuidv7()}, ${channelId}, '{}', 'alert', ${state}, ${state}, ${at}, ${at})`;
  }
  await sql`insert into billing_sync (id, market_id, kind, started_at, advanced_at, state, walk, certificate)
    values (${syncId}, ${marketId}, 'invoice', ${at}, ${at}, 'open', ${sql.json({ round: 2, givenUp: 1 })}, '{}')`;
  await sql.unsafe(readFileSync('migrations/0019_failed_deliveries.sql', 'utf8'));
  const deliveries = await sql<{ title: string; state: string }[]>`
    select title, state from delivery order by title`;
  expect(deliveries.map(({ title, state }) => `${title} ${state}`)).toEqual([
    'dead failed',
    'queued queued',
    'refused refused',
    'sent sent',
  ]);
  const [sync] = await sql<{ walk: object }[]>`select walk from billing_sync where id = ${syncId}`;
  expect(sync?.walk).toEqual({ round: 2, failedParts: 1 });
  await expect(sql`update delivery set state = 'dead'`).rejects.toThrow('delivery_state');
});
