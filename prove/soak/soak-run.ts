import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../src/database/connection.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { addressOf } from '../crawl/service-process.ts';
import type { ProofDatabase } from '../proof-databases.ts';
import { startReceiver } from '../scaled/receiver.ts';
import { type ContentDigest, readContentDigests } from '../stored-contents.ts';
import { type FileClock, openFileClock } from './file-clock.ts';
import { readSample, type Sample } from './measure.ts';
import { createSoakLoad } from './soak-load.ts';
import { type SoakProcess, startSoakProcess } from './soak-task.ts';

export interface SoakOptions {
  seed: number;
  offersPerType: number;
  hours: number;
  startAt: Date;
  /** Whether the process is killed in an hour, and after how many milliseconds of its crawl; null: it is not. */
  killAfterMs: (hour: number) => number | null;
  onHour: (hour: number, sample: Sample) => void;
}

/** What a run of the soak stored, held and answered. */
export interface SoakRun {
  samples: Sample[];
  digests: ContentDigest[];
  spend: string;
  counts: Record<string, number>;
  failures: string[];
}

const readers = 4;
const minuteMs = 60_000;
const pollMs = 200;
const patienceMs = 900_000;
/** Ticks of an hour: offers at 7, bills at 17, each with a poll of the instances. */
const ticks = [7, 17];
const watches = 20;

/** Lives through virtual hours: at each tick the clock stands still until all its work is done. */
export async function runSoak({ sql, target }: ProofDatabase, options: SoakOptions): Promise<SoakRun> {
  const { seed, offersPerType, hours, startAt, killAfterMs } = options;
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-soak-'));
  const clock = openFileClock(join(folder, 'clock'), startAt);
  const simulator = createSimulator({ seed, offersPerType, now: clock.now, openingCreditUsd: 100_000 });
  const market = await simulator.listen();
  const receiver = await startReceiver();
  const settings = {
    ...{ DATABASE_URL: addressOf(target), MARKET_URL: market.url, MARKET_API_KEY: simulator.apiKey },
    ...{ MARKET_NAME: 'soak', SECRETS_KEY: 'a-key-of-the-proofs', SEARCHES_PER_MINUTE: '100000' },
    ...{ WEBHOOK_ALLOW_PRIVATE: 'on', ACTIONS: 'on', MAX_INSTANCES: '1000' },
    ...{ MAX_USD_PER_HOUR: '1000', MAX_TOTAL_USD_PER_HOUR: '10000', DATA_DIR: folder },
    SLOW_STATEMENT_MS: '60000',
  };
  let current: SoakProcess | null = null;
  const start = async (): Promise<SoakProcess> => {
    current = await startSoakProcess({ settings, clockFile: join(folder, 'clock') });
    return current;
  };
  const kill = async (): Promise<void> => {
    const killed = current;
    current = null;
    await killed?.end('SIGKILL');
  };
  const samples: Sample[] = [];
  const failures: string[] = [];
  let kills = 0;
  let service = await start();
  const load = createSoakLoad(readers, () => current);
  try {
    // The first crawl begins at once: it must end before the clock goes on.
    await service.queueDue();
    await untilDone(sql, null);
    for (let hour = 0; hour < hours; hour += 1) {
      const begin = startAt.getTime() + hour * 60 * minuteMs;
      const reading = load.readHour();
      for (const minute of ticks) {
        const tick = new Date(begin + minute * minuteMs);
        await passTick(clock, tick, sql, service);
        const after = minute === 7 ? killAfterMs(hour) : null;
        if (after !== null) {
          await delay(after);
          await kill();
          service = await start();
          await service.queueDue();
          kills += 1;
        }
        await untilDone(sql, minute === 7 ? tick : null);
      }
      if (hour === 0) await prepare(current, receiver.url);
      await actOnce(current, hour, failures);
      await Promise.all([reading, untilDone(sql, null)]);
      const sample = await readSample(sql, hour / 24, await service.residentBytes());
      samples.push(sample);
      options.onHour(hour, sample);
    }
    const spend = await read(current, '/api/spend?groupBy=service');
    const { answered, failed } = load.counts();
    if (failed > 0) failures.push(`${failed} reads failed`);
    const [stored] = await sql<{ deliveries: number; unsent: number }[]>`
      select count(*)::int as deliveries, (count(*) filter (where state <> 'sent'))::int as unsent from delivery`;
    if (stored?.unsent !== 0) failures.push(`${stored?.unsent} deliveries were not sent`);
    return {
      ...{ samples, failures, spend, digests: await readContentDigests(sql) },
      counts: { kills, reads: answered, deliveries: stored?.deliveries ?? 0 },
    };
  } finally {
    await (current as SoakProcess | null)?.end('SIGTERM');
    receiver.close();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Between the two moments the clock stands still until what fell due before the tick is done: watches have crawls of
 * their own. No time would be long enough to wait for the scheduler, which looks at one schedule after another.
 */
async function passTick(clock: FileClock, tick: Date, sql: Sql, process: SoakProcess): Promise<void> {
  clock.set(new Date(tick.getTime() - 5_000));
  await process.queueDue();
  await untilDone(sql, null);
  clock.set(new Date(tick.getTime() + 5_000));
  await process.queueDue();
}

/** Waits until the tick has a book of each type, if it has any, and nothing waits in a queue. */
async function untilDone(sql: Sql, tick: Date | null): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  for (let idle = 0; idle < 3; ) {
    if (performance.now() > endsAt)
      throw new Error(`the work of ${tick?.toISOString() ?? 'a tick'} did not end`);
    const [row] = await sql<{ open: number; books: number }[]>`
      select (select count(*) from offerbook_jobs.job where state <= 'active' and name <> 'dead-letters')
          + (select count(*) from delivery where state = 'queued') as open,
        (select count(*) from crawl where kind = 'offers' and book_id is not null and tick_at = ${tick}) as books`;
    idle = row?.open === 0 && (tick === null || row.books >= 2) ? idle + 1 : 0;
    await delay(pollMs);
  }
}

async function read(process: SoakProcess | null, path: string, body?: object, key?: string): Promise<string> {
  const answer = await fetch(`${process?.url}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text;
}

/** Watches with rules and a channel. */
async function prepare(process: SoakProcess | null, hook: string): Promise<void> {
  const make = async (path: string, body: object): Promise<string> =>
    (JSON.parse(await read(process, path, body)) as { id: string }).id;
  const channelId = await make('/api/channels', { kind: 'webhook', name: 'soak', config: { url: hook } });
  const { gpuNames } = JSON.parse(await read(process, '/api/status')) as { gpuNames: string[] };
  for (const gpuName of gpuNames.slice(0, watches)) {
    const watchId = await make('/api/watches', {
      ...{ name: gpuName, filters: { gpuName }, channelIds: [channelId] },
      reportSchedule: { cron: '7 9 * * *' },
    });
    await make('/api/rules', { watchId, kind: 'lowestInDays', params: { days: 7 } });
  }
}

/** Rents in every fourth hour, and destroys the oldest rental of more than six. */
async function actOnce(process: SoakProcess | null, hour: number, failures: string[]): Promise<void> {
  if (hour % 4 !== 0) return;
  const { items } = JSON.parse(await read(process, '/api/rankings?by=usdPerGpuHour&limit=1')) as {
    items: { offerId: number }[];
  };
  const [offer] = items;
  if (offer === undefined) return;
  const key = `soak-${hour}`;
  const body = { offerId: offer.offerId, image: 'ubuntu:24.04', diskGb: 10, nextBest: true, label: key };
  const rented = JSON.parse(await read(process, '/api/instances', body, key)) as {
    instanceId?: number | null;
  };
  if (rented.instanceId === undefined || rented.instanceId === null) failures.push(`${key} rented nothing`);
  const listed = JSON.parse(await read(process, '/api/instances')) as {
    items: { instanceId: number | null }[];
  };
  const oldest = listed.items.map(({ instanceId }) => instanceId).sort((a, b) => (a ?? 0) - (b ?? 0))[0];
  if (listed.items.length > 6 && oldest !== null && oldest !== undefined)
    await fetch(`${process?.url}/api/instances/${oldest}`, { method: 'DELETE' });
}
