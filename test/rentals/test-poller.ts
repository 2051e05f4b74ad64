import { uuidv7 } from 'uuidv7';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import type { MarketClient } from '../../src/market/vast/client.ts';
import type { InstancePoller, PollOptions, PollOutcome } from '../../src/rentals/instances/poll-instances.ts';
import { pollInstances } from '../../src/rentals/instances/poll-instances.ts';
import { reply, startScriptedServer } from '../market/scripted-server.ts';
import { createTestClient } from '../market/test-client.ts';
import { silentLog } from '../support/silent-log.ts';

export const firstPollAt = new Date('2026-03-02T00:00:00Z');

/** A poller with a clock that the test moves, and what its market has stored. */
export interface TestPoller {
  poller: InstancePoller;
  clock: { now: Date };
  /** Asks `seconds` after the first poll's moment. */
  pollAt: (seconds: number, ask?: Partial<PollOptions>) => Promise<PollOutcome>;
  statuses: () => Promise<string[]>;
  runs: () => Promise<string[]>;
}

let markets = 0;

/** A poller of a client, in a market of its own. */
export async function createTestPoller(
  sql: Sql,
  client: Pick<MarketClient, 'listInstances'>,
): Promise<TestPoller> {
  markets += 1;
  const { id: marketId } = await ensureMarket(sql, `polled-${markets}`, 'live');
  const clock = { now: firstPollAt };
  const poller: InstancePoller = { sql, account: client, marketId, log: silentLog, now: () => clock.now };
  return {
    poller,
    clock,
    async pollAt(seconds, ask = {}) {
      clock.now = new Date(firstPollAt.getTime() + seconds * 1_000);
      return await pollInstances(poller, { crawlId: uuidv7(), cause: 'cron', ...ask });
    },
    async statuses() {
      const rows = await sql<{ line: string }[]>`
        select concat_ws(' ', extract(epoch from observed_at - ${firstPollAt}::timestamptz)::int, instance_id,
          case when gone then 'gone' else coalesce(actual_status, 'null') || '/' || coalesce(intended_status, 'null')
          end) as line
        from instance_status where market_id = ${marketId} order by observed_at, instance_id`;
      return rows.map(({ line }) => line);
    },
    async runs() {
      const rows = await sql<{ line: string }[]>`
        select concat_ws(' ', extract(epoch from started_at - ${firstPollAt}::timestamptz)::int, cause, outcome,
          reason) as line
        from crawl where market_id = ${marketId} and kind = 'instances' order by started_at`;
      return rows.map(({ line }) => line);
    },
  };
}

/** The answer of a list market; may be changed between polls. */
export interface ListMarket {
  rows: unknown[];
  /** `instances_found`. @default the number of rows */
  found?: number | undefined;
  /** true: every request is a 500. */
  failing?: boolean | undefined;
}

/** A real server that lists the current instances of `market`, and a client for it. */
export async function startListMarket(market: ListMarket): Promise<MarketClient> {
  const { baseUrl } = await startScriptedServer((response, request) => {
    const { rows, found = rows.length, failing = false } = market;
    const body = { instances_found: found, instances: rows };
    reply(failing ? 500 : 200, failing ? { error: 'oops' } : body)(response, request);
  });
  return createTestClient(baseUrl).client;
}
