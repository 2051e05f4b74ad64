// node hostile-body-child.ts BASE-URL CALL: makes one call and prints how it ended, what memory it took and how long it kept the process from everything else.
import { existsSync, readFileSync } from 'node:fs';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';

const [baseUrl = '', call = ''] = process.argv.slice(2);
const silent = () => {};
const client = createMarketClient({
  ...{ baseUrl, apiKey: 'k', dialect: withoutIntervals(defaultDialect), maxBodyBytes: 256 * 1024 * 1024 },
  log: { debug: silent, info: silent, warn: silent, error: silent },
  sleep: async () => {},
});
const calls: Record<string, () => Promise<unknown>> = {
  offers: () =>
    client.searchOffers({
      type: 'on-demand',
      limit: 5_000,
      allocatedStorageGb: 8,
      rentable: true,
      order: 'id',
    }),
  instances: () => client.listInstances(),
  templates: () => client.searchTemplates(),
};

let heldMs = 0;
let lookedAt = performance.now();
const look = setInterval(() => {
  heldMs = Math.max(heldMs, performance.now() - lookedAt);
  lookedAt = performance.now();
}, 1);
const begunAt = performance.now();
const end = await (calls[call] ?? (() => Promise.reject(new Error(`no call ${call}`))))().then(
  () => ({ kind: 'success', message: '' }),
  (error: { kind?: string; message: string }) => ({ kind: error.kind ?? 'error', message: error.message }),
);
clearInterval(look);
heldMs = Math.max(heldMs, performance.now() - lookedAt);
// On Linux `maxRSS` counts what the process that started this one held, too.
const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
const peakKb = /^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
const rssMb = Math.round(Number(peakKb) / 1_024);
const ms = Math.round(performance.now() - begunAt);
process.stdout.write(`${JSON.stringify({ ...end, rssMb, heldMs: Math.round(heldMs), ms })}\n`);
await client.close();
