import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { crawlOffers } from '../../../src/books/crawl/crawl-offers.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { defaultScope } from '../../../src/core/crawl-scope.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { openKind } from '../read-book.ts';
import { fileMarket } from './file-market.ts';
import { machines, world } from './world.ts';

it('a market that is one folder and one line of the registry is crawled like any other', async () => {
  const { sql } = await createTestDatabase();
  const { crawlBook } = openKind(fileMarket, await world.start()).market;
  const { id: marketId } = await ensureMarket(sql, 'file', 'live');
  const run = {
    crawlId: uuidv7(),
    scope: defaultScope,
    cause: 'command',
    tickAt: null,
    jobId: null,
  } as const;
  const [outcome] = await crawlOffers(
    {
      ...{ sql, crawlBook, marketId, log: silentLog, now: () => new Date() },
      ...{ allocatedStorageGb: 8, statistics: pointStatistics, maxBookMinutes: 120 },
    },
    { type: 'on-demand', crawls: [run] },
  );
  expect(outcome).toMatchObject({ kind: 'complete', offers: machines.machines.length });
  const rows = await sql<{ id: number; model: string; gpus: number; usd: number }[]>`
    select o.offer_id as id, m.name as model, l.num_gpus as gpus, o.base_usd_per_hour::float8 as usd
    from latest_offer o join listing l on l.id = o.listing_id join gpu_model m on m.id = l.gpu_model_id
    order by o.offer_id`;
  const stored = rows.map(({ id, model, gpus, usd }) => [id, model, gpus, usd]);
  const wanted = machines.machines.map((one) => [one.number, one.card, one.cards, one.dollarsPerHour]);
  expect(stored).toEqual(wanted);
});
