import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How long some work took, and the longest that nothing else could run meanwhile, ms. */
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
