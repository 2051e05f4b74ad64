import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { createBackgroundWork } from '../src/background-work.ts';
import type { CrawlAsk, Runtime } from '../src/runtime.ts';
import { silentLog } from './support/silent-log.ts';

interface Running {
  types: readonly string[];
  end: () => void;
}

/** A runtime whose crawls begin when `after` has ended and end when told to. */
function createSlowRuntime() {
  const running: Running[] = [];
  const runtime = {
    log: silentLog,
    crawl: async ({ types, after = Promise.resolve() }: CrawlAsk) => {
      await turn();
      const ended = Promise.withResolvers<void>();
      const done = after.then(async () => {
        running.push({ types, end: ended.resolve });
        await ended.promise;
        return [];
      });
      return { runIds: types.map(() => uuidv7()), done };
    },
  } as unknown as Runtime;
  return { runtime, running };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('crawls asked of one service', () => {
  it('run one after the other; one that waits already is answered with, not doubled', async () => {
    const { runtime, running } = createSlowRuntime();
    const work = createBackgroundWork(runtime, new AbortController().signal);
    const first = await work.crawl({ types: ['on-demand', 'bid'], cause: 'api' });
    const again = await work.crawl({ types: ['bid'], cause: 'cron' });
    const other = await work.crawl({ types: ['reserved'], cause: 'api' });
    await turn();
    expect(again.runIds).toEqual(first.runIds);
    expect(running.map(({ types }) => types)).toEqual([['on-demand', 'bid']]);
    running[0]?.end();
    await first.done;
    await turn();
    expect(running.map(({ types }) => types)).toEqual([['on-demand', 'bid'], ['reserved']]);
    running[1]?.end();
    await other.done;
    const later = await work.crawl({ types: ['bid'], cause: 'api' });
    expect(later.runIds).not.toEqual(first.runIds);
    await turn();
    running[2]?.end();
    await work.finished();
  });

  it('are one crawl when they come at once', async () => {
    const { runtime, running } = createSlowRuntime();
    const work = createBackgroundWork(runtime, new AbortController().signal);
    const asks = Array.from({ length: 12 }, () => work.crawl({ types: ['bid'], cause: 'api' }));
    const answers = await Promise.all(asks);
    expect(new Set(answers.flatMap(({ runIds }) => runIds)).size).toBe(1);
    await turn();
    expect(running).toHaveLength(1);
    running[0]?.end();
    await work.finished();
  });
});
