import { setTimeout as delay } from 'node:timers/promises';
import { readSamples } from '../../test/support/scraped-metrics.ts';
import type { Backend } from './balancer.ts';

/** What the metrics of the API processes said about the replica. */
export interface ReplicaWatch {
  /** The newest values: whether it is used, its lag in seconds, reads that went to the primary instead. */
  newest: () => { isUp: boolean | null; fallbackReads: number };
  /** Scrapes with a lag, and the largest one. */
  lags: () => { scrapes: number; maxSeconds: number };
  stop: () => Promise<void>;
}

/** Scrapes each living process every second. */
export function watchReplica(backends: readonly Backend[]): ReplicaWatch {
  let [isStopped, scrapes, maxSeconds] = [false, 0, 0];
  const newest = new Map<Backend, { isUp: boolean; fallbackReads: number }>();
  const scrape = async (backend: Backend): Promise<void> => {
    if (backend.url === null) return void newest.delete(backend);
    const answer = await fetch(`${backend.url}/metrics`, { signal: AbortSignal.timeout(5_000) });
    const samples = readSamples(await answer.text());
    const sampleOf = (name: string): number | undefined =>
      samples.find((sample) => sample.name === name)?.value;
    const lag = sampleOf('offerbook_replica_lag_seconds');
    if (lag !== undefined) {
      scrapes += 1;
      maxSeconds = Math.max(maxSeconds, lag);
    }
    newest.set(backend, {
      isUp: sampleOf('offerbook_replica_up') === 1,
      fallbackReads: sampleOf('offerbook_replica_fallback_reads_total') ?? 0,
    });
  };
  const watching = (async () => {
    while (!isStopped) {
      // A process may be killed during its scrape.
      for (const backend of backends) await scrape(backend).catch(() => {});
      await delay(1_000);
    }
  })();
  return {
    newest: () => {
      const all = [...newest.values()];
      return {
        isUp: all.length === 0 ? null : all.every(({ isUp }) => isUp),
        fallbackReads: all.reduce((sum, { fallbackReads }) => sum + fallbackReads, 0),
      };
    },
    lags: () => ({ scrapes, maxSeconds }),
    stop: async () => {
      isStopped = true;
      await watching;
    },
  };
}
