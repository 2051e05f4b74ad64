// A process that sends as many requests as allowed until it is killed or its input ends. Arguments: a HammerTask as
// JSON.

import { createRequestBudget } from '../src/books/budget/request-budget.sql.ts';
import type { RequestLimit } from '../src/core/request-budget.ts';
import { connect, type DatabaseTarget } from '../src/database/connection.ts';
import { createMarketClient } from '../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../src/market/vast/dialect.ts';

export interface HammerTask {
  target: DatabaseTarget;
  marketId: number;
  url: string;
  apiKey: string;
  limits: Readonly<Record<string, readonly RequestLimit[]>>;
  /** Maximum number of parallel searches. */
  searchers: number;
}

async function hammer(task: HammerTask): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const log = {
    ...{ debug: () => {}, info: () => {} },
    warn: (_: object, message: string) => say(message),
    error: (_: object, message: string) => say(message),
  };
  const sql = connect(task.target, { max: 3, applicationName: 'offerbook-hammer' });
  const { marketId, limits } = task;
  const client = createMarketClient({
    baseUrl: task.url,
    apiKey: task.apiKey,
    dialect: withoutIntervals(defaultDialect),
    maxBodyBytes: 16_000_000,
    log,
    budget: createRequestBudget({ db: sql, marketId, limits, log }).as('crawl'),
  });
  const controller = new AbortController();
  const { signal } = controller;
  process.stdin.on('end', () => controller.abort()).resume();
  const search = { type: 'on-demand', limit: 1, rentable: true, order: 'id', allocatedStorageGb: 8 } as const;
  const repeat = async (send: () => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      await send().catch((error: unknown) => {
        if (!signal.aborted) say(String(error));
      });
    }
  };
  const searches = Array.from({ length: task.searchers }, () =>
    repeat(() => client.searchOffers(search, { signal })),
  );
  await Promise.all([...searches, repeat(() => client.listInstances({ signal }))]);
  await client.close();
  await sql.end();
}

await hammer(JSON.parse(process.argv[2] ?? '{}') as HammerTask);
