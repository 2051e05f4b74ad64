// A worker as a process of its own that prints each phase of its crawls until it is killed.
import { loadConfig } from '../../src/service/config.ts';
import { openRuntime } from '../../src/service/runtime.ts';
import { startServiceWork } from '../../src/service/service-work.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const runtime = await openRuntime(loadConfig(process.env), silent);
await startServiceWork({
  ...runtime,
  offersCrawler: async (requester) => ({
    ...(await runtime.offersCrawler(requester)),
    onPhase: (phase) => void process.stdout.write(`${phase}\n`),
  }),
});
