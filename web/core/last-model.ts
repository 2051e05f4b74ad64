import { createStored } from './stored.ts';

/** The model that the reader looked at last, by market; stored in the browser. */
export interface LastModel {
  /** Returns a market's model; null: none has been looked at. */
  of(market: string): string | null;
  look(market: string, gpuName: string): void;
}

/** Returns the last model of a window. */
export function createLastModel(window: Window): LastModel {
  const last = createStored(window, 'offerbook-last-model', readNamesByMarket);
  return {
    of: (market) => last.value.value[market] ?? null,
    look(market, gpuName) {
      if (last.value.value[market] !== gpuName) last.set({ ...last.value.value, [market]: gpuName });
    },
  };
}

function readNamesByMarket(kept: unknown): Record<string, string | undefined> {
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter(([, name]) => typeof name === 'string'));
}
