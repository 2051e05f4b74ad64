import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createOrdersHandler } from '../../src/service/order-work.ts';
import { openRuntime } from '../../src/service/runtime.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

it('a round of orders that was queued before books were imported ends without a failure', async () => {
  const { sql, target } = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-recorded-orders-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = loadConfig({ DATABASE_URL: databaseUrl(target), DATA_DIR: folder });
  const runtime = await openRuntime(config, silentLog);
  onTestFinished(() => runtime.close());
  const { id: marketId } = await runtime.crawledMarket();
  const archive = await ensureMarket(sql, 'archive', 'recorded');
  await landOffers(sql, archive.id, '2026-07-30T10:00:00Z', [makeOffer(1)]);
  const job = { id: 'a round', data: { marketId } };
  const ends = await createOrdersHandler(runtime)([job as never], AbortSignal.timeout(60_000));
  expect([...ends]).toEqual([['a round', { kind: 'done' }]]);
});
