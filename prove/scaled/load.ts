import { setTimeout as delay } from 'node:timers/promises';
import type { Balancer, Reply } from './balancer.ts';
import { createTally, type Tally } from './tally.ts';

/** What the load has done so far. */
export interface Load {
  reads: Tally;
  changes: Tally;
  /** Instances by key, as answered; null: refused, so that there is none. */
  rented: ReadonlyMap<string, number | null>;
  /** Keys whose outcome no answer told. */
  unknown: readonly string[];
  /** Reports that an answer confirmed. */
  reports: () => number;
  /** Ends it once the requests under way have ended. */
  stop: () => Promise<void>;
}

export interface LoadOptions {
  ask: Balancer;
  readers: number;
  random: () => number;
  /** Watch whose reports are sent; null: only reads, as for the comparison. */
  watchId: string | null;
  /** Whether the database is away at this moment of `performance.now()`. */
  isAway: (at: number) => boolean;
  /** Begins the names of keys, so that loads of one run do not share them. */
  prefix: string;
}

const rentEveryMs = 1_500;
const reportEveryMs = 1_000;
/** A key is sent again until an answer tells its outcome, for this long. */
const patienceMs = 60_000;

/** Reads in parallel without pause; with a watch it also rents with keys and sends reports. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const { ask, readers, random, watchId, isAway, prefix } = options;
  const [reads, changes] = [createTally(isAway), createTally(isAway)];
  const rented = new Map<string, number | null>();
  const unknown: string[] = [];
  let [isStopped, sent, keys] = [false, 0, 0];
  const paths = await readPaths(ask);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const read = async (): Promise<void> => {
    while (!isStopped) reads.add(await ask(pick(paths)));
  };
  const sendUntilTold = async (path: string, init: RequestInit): Promise<Reply | null> => {
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      const reply = await ask(path, init);
      changes.add(reply);
      if (reply.ending.kind === 'answered' && reply.ending.status < 500) return reply;
      await delay(300);
    }
    return null;
  };
  const rent = async (): Promise<void> => {
    while (!isStopped) {
      await delay(rentEveryMs);
      const list = await ask('/api/rankings?by=usdPerGpuHour&limit=50');
      if (list.ending.kind !== 'answered' || list.ending.status !== 200) continue;
      const { items } = JSON.parse(list.ending.text) as { items: { offerId: number }[] };
      if (items.length === 0) continue;
      keys += 1;
      const key = `${prefix}-${keys}`;
      const body = {
        offerId: pick(items).offerId,
        image: 'ubuntu:24.04',
        diskGb: 10,
        nextBest: true,
        label: key,
      };
      const reply = await sendUntilTold('/api/instances', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'idempotency-key': key },
      });
      if (reply?.ending.kind !== 'answered') unknown.push(key);
      else if (reply.ending.status >= 400) rented.set(key, null);
      else {
        const { instanceId } = JSON.parse(reply.ending.text) as { instanceId: number | null };
        if (instanceId === null) unknown.push(key);
        else rented.set(key, instanceId);
      }
    }
  };
  const report = async (): Promise<void> => {
    while (!isStopped) {
      await delay(reportEveryMs);
      const reply = await ask(`/api/watches/${watchId}/report`, { method: 'POST', body: '{"send":true}' });
      changes.add(reply);
      if (reply.ending.kind === 'answered' && reply.ending.status === 200) sent += 1;
    }
  };
  const running = [...Array.from({ length: readers }, read), ...(watchId === null ? [] : [rent(), report()])];
  return {
    reads,
    changes,
    rented,
    unknown,
    reports: () => sent,
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Reads of a market's newest book, its history and its account. */
async function readPaths(ask: Balancer): Promise<string[]> {
  const { ending } = await ask('/api/status');
  if (ending.kind !== 'answered' || ending.status !== 200) throw new Error('the status cannot be read');
  const { gpuNames } = JSON.parse(ending.text) as { gpuNames: string[] };
  const ofModels = gpuNames.flatMap((name) => {
    const named = `gpuName=${encodeURIComponent(name)}`;
    return [
      `/api/rankings?by=usdPerGpuHour&limit=20&${named}`,
      `/api/trends?${named}&bucket=book`,
      `/api/offers?limit=20&${named}`,
      `/api/index?${named}`,
    ];
  });
  const common = ['/api/market?type=on-demand', '/api/market?type=bid', '/api/instances', '/api/status'];
  return [...ofModels, ...common];
}
