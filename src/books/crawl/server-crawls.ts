import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import { type Api, orNull } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import type { CrawlOrder } from '../crawl-order.ts';
import type { CrawlAnswer } from '../crawls.routes.ts';

const pollMs = 500;

/**
 * Requests a crawl from the server at OFFERBOOK_URL and waits for it. Throws UserError if the server has no record of
 * the crawl because its market does not list the requested kind.
 */
export async function crawlOnServer(
  context: CommandContext,
  order: CrawlOrder,
  work: (crawls: CrawlAnswer[], api: Api) => Promise<void>,
): Promise<void> {
  await context.withApi(async (api) => {
    const { crawlIds } = await api.startCrawl({ body: order });
    const crawls: CrawlAnswer[] = [];
    for (const crawlId of crawlIds) crawls.push(await untilEnded(api, crawlId, order, context.signal));
    await work(crawls, api);
  });
}

async function untilEnded(
  api: Api,
  crawlId: string,
  { kind = 'offers' }: CrawlOrder,
  signal: AbortSignal,
): Promise<CrawlAnswer> {
  for (;;) {
    const crawl = await orNull(api.getCrawl({ id: crawlId }));
    if (crawl === null) {
      throw new UserError(`The server kept no record of this crawl: its market does not list ${kind}.`);
    }
    if (crawl.state === 'ended') return crawl;
    await sleep(pollMs, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  }
}
