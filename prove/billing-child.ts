// A crawl of invoices in a separate process, to be killed: prints its steps as JSON lines. Arguments: a BillingTask
// as JSON.
import { writeSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { connect } from '../src/database/connection.ts';
import { createBills } from '../src/market/vast/bills.ts';
import { createMarketClient } from '../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../src/market/vast/dialect.ts';
import { crawlBilling } from '../src/spend/bills/crawl-bills.ts';
import type { BillingEvent, BillingTask } from './billing-task.ts';

const nothing = (): void => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

async function crawl({ target, marketId, url, apiKey, all }: BillingTask): Promise<void> {
  // Written at once, so that the last line is the last step even after SIGKILL.
  const tell = (event: BillingEvent): void => void writeSync(1, `${JSON.stringify(event)}\n`);
  const sql = connect(target, { max: 2, applicationName: 'offerbook-bills' });
  const client = createMarketClient({
    ...{ baseUrl: url, apiKey, dialect: withoutIntervals(defaultDialect), maxBodyBytes: 16_000_000, log },
  });
  const outcome = await crawlBilling(
    {
      ...{ sql, bills: createBills(client), marketId, log, now: () => new Date(), newId: uuidv7 },
      onPhase: (phase) => tell({ event: 'phase', phase }),
    },
    {
      ...{ crawlId: uuidv7(), kind: 'invoice', cause: 'command', tickAt: null, jobId: null, all },
      onProgress: () => tell({ event: 'page' }),
    },
  );
  await client.close();
  await sql.end();
  const reason = 'reason' in outcome ? outcome.reason : null;
  const certificate = 'certificate' in outcome ? outcome.certificate : null;
  tell({ event: 'end', outcome: outcome.kind, reason, certificate });
}

await crawl(JSON.parse(process.argv[2] ?? '{}') as BillingTask);
