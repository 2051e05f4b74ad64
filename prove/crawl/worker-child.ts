// A worker in a separate process that prints each phase of its crawls until it is killed.
import { loadConfig } from '../../src/service/config.ts';
import { openRuntime } from '../../src/service/runtime.ts';
import { startServiceWork } from '../../src/service/service-work.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const runtime = await openRuntime(loadConfig(process.env), silent);
const onPhase = (phase: string) => void process.stdout.write(`${phase}\n`);
await startServiceWork({
  ...runtime,
  crawledMarkets: runtime.crawledMarkets.map((crawled) => ({
    ...crawled,
    offersCrawler: async (requester) => ({ ...(await crawled.offersCrawler(requester)), onPhase }),
  })),
});
