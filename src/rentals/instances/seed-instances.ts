import { type InstancePoller, pollInstances } from './poll-instances.ts';

/** The account of a market whose time can be put back. */
export interface SeedInstancesOptions extends Omit<InstancePoller, 'now' | 'askAgain'> {
  /** Puts the market's time to a moment. */
  goTo: (at: Date) => void;
  /** The moments at which an instance changed, ascending. */
  moments: readonly Date[];
  newId: () => string;
  signal?: AbortSignal | undefined;
}

/**
 * Lists the simulated market's instances as polls at past moments would have, so that a first start knows ended ones.
 * Moments before the newest stored poll change nothing. Throws the error of a failed list.
 */
export async function seedInstances(options: SeedInstancesOptions): Promise<void> {
  const { goTo, moments, newId, signal, ...poller } = options;
  for (const at of moments) {
    signal?.throwIfAborted();
    goTo(at);
    const crawl = { crawlId: newId(), cause: 'seed', signal } as const;
    const outcome = await pollInstances({ ...poller, now: () => at }, crawl);
    if (outcome.kind === 'failed') throw outcome.error;
  }
}
