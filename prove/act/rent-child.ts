// A rent as a process of its own, to be killed. Arguments: a RentTask as JSON.
import { writeSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { rent } from '../../src/act/rent.ts';
import { createInsight } from '../../src/analytics/insight.ts';
import { createJokeTests } from '../../src/analytics/segment-medians.ts';
import { connect } from '../../src/db/connection.ts';
import { ensureMarket } from '../../src/db/markets.ts';
import { createMarketClient } from '../../src/market/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/dialect.ts';
import type { RentTask } from './rent-task.ts';

const task = JSON.parse(process.argv[2] ?? '{}') as RentTask;
const nothing = (): void => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const sql = connect(task.target, { max: 2, applicationName: 'offerbook-rent-child' });
const dialect = withoutIntervals(defaultDialect);
const client = createMarketClient({
  ...{ baseUrl: task.url, apiKey: task.apiKey, dialect, maxBodyBytes: 64_000_000, log },
  sleep: async () => {},
});
const market = await ensureMarket(sql, task.market, 'live');
writeSync(1, 'begins\n');
await rent(
  {
    ...{ sql, client, dialect, market, log, newId: uuidv7, now: () => new Date(task.now) },
    insight: { ...createInsight(), jokeTests: createJokeTests(sql) },
    limits: {
      ...{ actions: true, maxUsdPerHour: null, maxTotalUsdPerHour: null, maxInstances: null },
      settleMinutes: task.settleMinutes,
    },
  },
  task.wish,
  { key: task.key, by: 'prover' },
).catch(nothing);
await client.close();
await sql.end({ timeout: 2 });
