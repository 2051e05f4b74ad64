import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Returns how long some work took, and the longest time during which nothing else could run, ms. */
export async function holdOf(work: () => Promise<void>): Promise<{ ms: number; heldMs: number }> {
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  delay.disable();
  return { ms, heldMs: delay.max / 1e6 };
}
