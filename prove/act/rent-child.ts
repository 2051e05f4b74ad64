// A rent in a separate process, to be killed. Arguments: a RentTask as JSON.
import { writeSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { connect } from '../../src/database/connection.ts';
import { createAccount } from '../../src/market/vast/account.ts';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { createPriceCache } from '../../src/prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../../src/prices/verdicts/segment-medians.ts';
import { limitsOf } from '../../src/rentals/limits.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import { findBlockingBudget } from '../../src/spend/budgets/budget-states.ts';
import { findWatchChoice } from '../../src/watches/watch-books.ts';
import type { RentTask } from './rent-task.ts';
import { createStoppingClient, hangAt } from './stopping-client.ts';

const task = JSON.parse(process.argv[2] ?? '{}') as RentTask;
const nothing = (): void => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const sql = connect(task.target, { max: 2, applicationName: 'offerbook-rent-child' });
const dialect = withoutIntervals(defaultDialect);
const client = createMarketClient({
  ...{ baseUrl: task.url, apiKey: task.apiKey, dialect, maxBodyBytes: 64_000_000, log },
  sleep: async () => {},
});

const stopping = createStoppingClient(client, async (step) => await hangAt(step, task.standsAt));
const market = await ensureMarket(sql, task.market, 'live');
writeSync(1, 'begins\n');
await rent(
  {
    ...{
      sql,
      account: createAccount(stopping, dialect),
      market,
      log,
      newId: uuidv7,
      now: () => new Date(task.now),
    },
    priceCache: { ...createPriceCache(), outlierTests: createOutlierTests(sql) },
    ...{ findWatchChoice, findBlockingBudget },
    limits: {
      ...limitsOf({}),
      actions: true,
      settleMinutes: task.settleMinutes,
    },
  },
  task.request,
  { key: task.key, by: 'prover' },
).catch(nothing);
await client.close();
await sql.end({ timeout: 2 });
