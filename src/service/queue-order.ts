import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { seriesKey } from '../books/crawl/crawl-alone.ts';
import type { CrawlOrder } from '../books/crawl-order.ts';
import { defaultScope } from '../core/crawl-scope.ts';
import { UserError } from '../core/errors.ts';
import type { PricingType } from '../core/offer.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { findUnfinishedCrawl } from '../jobs/jobs.sql.ts';
import { jobPriority } from '../jobs/queues.ts';
import { type CrawledMarket, findCrawled } from './crawled-market.ts';
import type { OffersJob, PlainJob } from './job-data.ts';
import { kindOf } from './open-market.ts';
import type { Runtime } from './runtime.ts';

/** Queues a person's crawls ahead of schedules; returns their ids, or those already queued or running. */
export async function queueOrder(runtime: Runtime, queue: JobQueue, order: CrawlOrder): Promise<string[]> {
  const { kind = 'offers', type, all } = order;
  const crawled = findCrawled(runtime.crawledMarkets, order.market);
  if (kind === 'offers') {
    return await queueCrawls(
      runtime,
      queue,
      crawled,
      type === undefined ? kindOf(crawled.config).types : [type],
    );
  }
  const [first] = runtime.crawledMarkets;
  if (crawled !== first) {
    throw new UserError(
      `Of ${crawled.name} only offers are read: ${kind} are of the account of ${first?.name}. Leave the market out.`,
    );
  }
  const { id: marketId } = await crawled.market();
  const [name, key] = [
    kind === 'instances' ? 'poll-instances' : 'crawl-billing',
    `${marketId}|${kind}`,
  ] as const;
  // Never an earlier poll, which may record no crawl, and not for `all`, which a partial sync does not satisfy.
  const known = kind === 'instances' || all ? null : await findUnfinishedCrawl(runtime.sql, name, key);
  if (known !== null) return [known];
  const crawlId = uuidv7();
  const data: PlainJob = { marketId, kind, cause: 'api', tickAt: null, crawlId, ...(all ? { all } : {}) };
  await queue.add(name, [{ id: randomUUID(), key, data, priority: jobPriority.asked }]);
  return [crawlId];
}

async function queueCrawls(
  { sql }: Runtime,
  queue: JobQueue,
  { market, queueOf }: CrawledMarket,
  types: readonly PricingType[],
): Promise<string[]> {
  const { id: marketId } = await market();
  const crawlIds: string[] = [];
  for (const type of types) {
    const key = seriesKey(marketId, defaultScope.name, type);
    const known = await findUnfinishedCrawl(sql, queueOf(type), key);
    const crawlId = known ?? uuidv7();
    if (known === null) {
      const data: OffersJob = { marketId, cause: 'api', tickAt: null, crawlId, scope: defaultScope, type };
      await queue.add(queueOf(type), [{ id: randomUUID(), key, data, priority: jobPriority.asked }]);
    }
    crawlIds.push(crawlId);
  }
  return crawlIds;
}
