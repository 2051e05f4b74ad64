import { signal } from '@preact/signals';

/** The models that the reader keeps in view, by market; stored in the browser. */
export interface PinnedModels {
  /** Returns a market's pinned models, the first pinned first. A component that calls it follows changes. */
  of(market: string): readonly string[];
  /** Pins a model, or unpins a pinned one. */
  toggle(market: string, gpuName: string): void;
}

type ByMarket = Record<string, readonly string[] | undefined>;

const key = 'offerbook-pinned-models';

/** Returns the pinned models of a window; they are in its local storage if that is allowed, and follow its other tabs. */
export function createPinnedModels(window: Window): PinnedModels {
  const pinned = signal(readPinned(window));
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) pinned.value = readPinned(window);
  });
  const of = (market: string): readonly string[] => pinned.value[market] ?? [];
  return {
    of,
    toggle(market, gpuName) {
      const before = of(market);
      const after = before.includes(gpuName)
        ? before.filter((name) => name !== gpuName)
        : [...before, gpuName];
      pinned.value = { ...pinned.value, [market]: after };
      try {
        window.localStorage.setItem(key, JSON.stringify(pinned.value));
      } catch {
        // Storage may be forbidden or full; then they last until the page is closed.
      }
    },
  };
}

/** Returns what is stored; empty if there is nothing or it is not of this form. */
function readPinned(window: Window): ByMarket {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    const lists = Object.entries(kept).flatMap(([market, names]) =>
      Array.isArray(names) ? [[market, names.filter((name) => typeof name === 'string')]] : [],
    );
    return Object.fromEntries(lists) as ByMarket;
  } catch {
    return {};
  }
}
