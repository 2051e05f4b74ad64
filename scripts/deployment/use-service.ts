import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../../src/main.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { freePort } from '../../test/support/free-port.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { makeFolder } from './run-program.ts';

export type Expect = (holds: boolean, what: string, seen?: unknown) => void;
export const token = 'a-token-of-this-check-alone';
const patienceMs = 30_000;

export interface Running {
  url: string;
  stop: () => Promise<void>;
}

/** Starts the service on a small market of its own, with these settings. */
export async function startChecked(settings: Record<string, string>): Promise<Running> {
  const folder = await makeFolder('service');
  const simulator = createSimulator({ offersPerType: 100, openingCreditUsd: 1_000 });
  const market = await simulator.listen();
  const config = loadConfig({
    ...{ DATA_DIR: join(folder, 'data'), PORT: String(await freePort()), OFFERBOOK_TOKEN: token },
    ...{ MARKET_URL: market.url, MARKET_API_KEY: simulator.apiKey, SEARCHES_PER_MINUTE: '600' },
    ...{ ACTIONS: 'on', MAX_USD_PER_HOUR: '100', MAX_INSTANCES: '10', MAX_TOTAL_USD_PER_HOUR: '500' },
    ...{ CRAWL_OFFERS: 'off', CRAWL_INSTANCES: 'off', CRAWL_INVOICES: 'off', ...settings },
  });
  try {
    const { url, stop } = await startService(config, silentLog);
    return {
      url,
      stop: async () => {
        await stop();
        await simulator.close();
      },
    };
  } catch (error) {
    await simulator.close();
    throw error;
  }
}

/** Starts the service, and asks it for what needs locks, staging tables, notifications and the queue of jobs. */
export async function useService(
  settings: Record<string, string>,
  expect: Expect,
  how: string,
): Promise<void> {
  const { url, stop } = await startChecked(settings);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  try {
    const events = await fetch(`${url}/api/events`, { headers });
    const reader = events.body?.getReader();
    const crawl = await fetch(`${url}/api/crawls`, { method: 'POST', headers, body: '{"kind":"offers"}' });
    expect(crawl.ok, `${how} a crawl begins`, crawl.status);
    expect(await hasEvent(reader, 'event: book'), `${how} a stored book is notified`);
    await reader?.cancel();
    const items = await rankedOffers(url);
    expect(items.length === 1, `${how} offers are ranked`, items);
    const rent = await fetch(`${url}/api/instances`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': 'once' },
      body: JSON.stringify({ offerId: items[0]?.offerId, diskGb: 10, image: 'ubuntu:24.04' }),
    });
    expect(rent.ok, `${how} an instance is rented`, rent.status);
  } finally {
    await stop();
  }
}

/** Returns the cheapest offer on demand; empty: no book of that type came. */
async function rankedOffers(url: string): Promise<{ offerId: number }[]> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await fetch(`${url}/api/rankings?by=usdPerGpuHour&limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { items = [] } = (await answer.json()) as { items?: { offerId: number }[] };
    if (items.length > 0 || Date.now() > end) return items;
    await delay(200);
  }
}

/** Reads events until one holds the text. */
async function hasEvent(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  wanted: string,
): Promise<boolean> {
  const end = Date.now() + patienceMs;
  let seen = '';
  while (reader !== undefined && Date.now() < end) {
    const part = await Promise.race([reader.read(), delay(end - Date.now(), undefined, { ref: false })]);
    if (part === undefined || part.done) break;
    seen += new TextDecoder().decode(part.value);
    if (seen.includes(wanted)) return true;
  }
  return false;
}

/** Returns the message of a start that is refused; empty: it was not. */
export async function refusalOf(settings: Record<string, string>): Promise<string> {
  try {
    const { stop } = await startChecked(settings);
    await stop();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
