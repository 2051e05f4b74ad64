import { hasCrawled, newestRunStart } from './db/crawl-runs.ts';
import type { PricingType } from './domain/offer.ts';
import { type CrawlAsk, crawledTypes, type Runtime } from './runtime.ts';

/** What the service does beside answering: the first books, then one crawl after the other. */
export interface BackgroundWork {
  /** null: nothing is being seeded. */
  seeding: () => { done: number; total: number } | null;
  /**
   * Queues a crawl behind the one under way; one that waits already for these types is answered with, not
   * doubled. Resolves when its runs are known; `done` when it has ended.
   */
  crawl: (ask: Omit<CrawlAsk, 'signal' | 'after'>) => Promise<QueuedCrawl>;
  start: () => void;
  finished: () => Promise<void>;
}

interface QueuedCrawl {
  runIds: string[];
  done: Promise<void>;
}

/** A first crawl at start only when the newest is older than this. */
const freshMs = 3_600_000;

/** The background work of one service; `signal` ends it. */
export function createBackgroundWork(runtime: Runtime, signal: AbortSignal): BackgroundWork {
  const { log } = runtime;
  let progress: { done: number; total: number } | null = null;
  let last: Promise<void> = Promise.resolve();
  const unfinished: (QueuedCrawl & { types: readonly PricingType[] })[] = [];

  const enqueue: BackgroundWork['crawl'] = async (ask) => {
    const same = unfinished.find(({ types }) => ask.types.every((type) => types.includes(type)));
    if (same !== undefined) return same;
    const queued = await runtime.crawl({ ...ask, signal, after: last });
    const done = queued.done.then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, 'a crawl could not be made'),
    );
    const entry = { runIds: queued.runIds, types: ask.types, done };
    unfinished.push(entry);
    last = done.then(() => {
      unfinished.splice(unfinished.indexOf(entry), 1);
    });
    return entry;
  };
  // One ask at a time: of two that came at once, the second must see what the first has queued.
  let asking: Promise<unknown> = Promise.resolve();
  const crawl: BackgroundWork['crawl'] = (ask) => {
    const answer = asking.then(() => enqueue(ask));
    asking = answer.catch(() => undefined);
    return answer;
  };
  const begin = async (): Promise<void> => {
    if ((await runtime.mode()) === 'simulated' && !(await wasCrawled(runtime))) {
      progress = { done: 0, total: 0 };
      await runtime.seed((done, total) => {
        progress = { done, total };
      }, signal);
      progress = null;
    }
    if ((await runtime.mode()) !== 'replay' && !signal.aborted && !(await isFresh(runtime))) {
      const { done } = await runtime.crawl({ types: crawledTypes, cause: 'cron', signal });
      await done;
    }
  };
  return {
    seeding: () => progress,
    crawl,
    start: () => {
      last = begin().catch((error: unknown) => {
        progress = null;
        if (!signal.aborted) log.error({ err: error }, 'the first books could not be stored');
      });
    },
    finished: async () => {
      await last;
    },
  };
}

const wasCrawled = async ({ sql, defaultMarket }: Runtime): Promise<boolean> =>
  await hasCrawled(sql, (await defaultMarket()).id);

async function isFresh({ sql, defaultMarket, now }: Runtime): Promise<boolean> {
  const newest = await newestRunStart(sql, (await defaultMarket()).id);
  return newest !== null && now().getTime() - newest.getTime() < freshMs;
}
