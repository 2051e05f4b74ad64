import { createStored, readLists } from './stored.ts';

/** The models that the reader keeps in view, by market; stored in the browser. */
export interface PinnedModels {
  /** Returns a market's pinned models, the first pinned first. A component that calls it follows changes. */
  of(market: string): readonly string[];
  /** Pins a model, or unpins a pinned one. */
  toggle(market: string, gpuName: string): void;
}

const readName = (name: unknown): string | null => (typeof name === 'string' ? name : null);

/** Returns the pinned models of a window. */
export function createPinnedModels(window: Window): PinnedModels {
  const pinned = createStored(window, 'offerbook-pinned-models', (kept) => readLists(kept, readName));
  const of = (market: string): readonly string[] => pinned.value.value[market] ?? [];
  return {
    of,
    toggle(market, gpuName) {
      const before = of(market);
      const after = before.includes(gpuName)
        ? before.filter((name) => name !== gpuName)
        : [...before, gpuName];
      pinned.set({ ...pinned.value.value, [market]: after });
    },
  };
}
