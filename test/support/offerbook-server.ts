import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { seedHistory } from '../../src/books/seed-history.ts';
import type { PricingType } from '../../src/core/offer.ts';
import type { Sql } from '../../src/database/connection.ts';
import { startService } from '../../src/main.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { RunningOfferbook } from '../web/page-fixture.ts';
import { freePort } from './free-port.ts';
import { createTestDatabase, databaseUrl, type TestDatabase } from './test-database.ts';

const token = 'a-token-of-the-tests';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The whole service on a real database, with a few books of the simulated market and no crawl of offers meanwhile. */
export async function startOfferbook(settings: Record<string, string> = {}): Promise<RunningOfferbook> {
  const database = await createTestDatabase();
  await seedFewBooks(database.sql);
  return await serve(database, settings);
}

/** The same with the books of a recorded market, the newest of that moment. */
export async function startRecordedOfferbook(newestAt: Date): Promise<RunningOfferbook> {
  const database = await createTestDatabase();
  await seedFewBooks(database.sql, newestAt);
  await database.sql`update market set kind = 'recorded'`;
  return await serve(database, {});
}

/** The same without any book, with more settings: those of a market, for example. */
export const startEmptyOfferbook = async (settings: Record<string, string>): Promise<RunningOfferbook> =>
  await serve(await createTestDatabase(), settings);

async function serve(
  { sql, target }: TestDatabase,
  settings: Record<string, string>,
): Promise<RunningOfferbook> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-service-'));
  const start = (port: string) =>
    startService(
      loadConfig({
        DATABASE_URL: databaseUrl(target),
        DATA_DIR: dataDir,
        PORT: port,
        OFFERBOOK_TOKEN: token,
        CRAWL_OFFERS: 'off',
        CRAWL_INVOICES: 'off',
        ...settings,
      }),
      silent,
    );
  let service = await start(String(await freePort()));
  const { url } = service;
  return {
    url,
    token,
    sql,
    restart: async (meanwhile) => {
      await service.stop();
      await meanwhile();
      service = await start(new URL(url).port);
    },
    close: async () => {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Twelve six-hourly books of each type, the newest crawled just now unless told otherwise: the service has nothing to make up for. */
async function seedFewBooks(sql: Sql, newestAt = new Date()): Promise<void> {
  const { id: marketId } = await ensureMarket(sql, 'simulator', 'simulated');
  const simulator = seededMarket();
  await seedHistory(sql, {
    marketId,
    recordsAt: (type, at) => recordsAt(simulator, type, at),
    moments: Array.from(
      { length: 12 },
      (_, index) => new Date(newestAt.getTime() - (11 - index) * 6 * 3_600_000),
    ),
    allocatedStorageGb: 8,
    statistics: pointStatistics,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    onProgress: () => {},
  });
  await sql`update crawl set cause = 'cron'`;
}

/** What the seeded market listed at a moment, as the market itself says it. */
export const listedRecords = (type: PricingType, at: Date): readonly Record<string, unknown>[] =>
  recordsAt(seededMarket(), type, at);

const seededMarket = () => createSimulator({ offersPerType: 400 });

function recordsAt(
  simulator: ReturnType<typeof createSimulator>,
  type: PricingType,
  at: Date,
): readonly Record<string, unknown>[] {
  const tiers = ['verified', 'unverified', 'deverified'];
  const answer = simulator.search({ type, limit: 10_000, verification: { in: tiers } }, at);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.offers;
}
