import { changedQuery } from './address.ts';
import { createStored, readLists } from './stored.ts';

/** A named selection of deals: filters, columns and order as the query of an address, without the market. */
export interface Preset {
  name: string;
  query: string;
}

/** The reader's presets by market; stored in the browser. */
export interface Presets {
  /** Returns a market's presets, the first saved first. A component that calls it follows changes. */
  of(market: string): readonly Preset[];
  /** Saves a preset; one with the same name is replaced. */
  save(market: string, preset: Preset): void;
  rename(market: string, name: string, newName: string): void;
  remove(market: string, name: string): void;
}

/** Length of a name. */
export const maxNameLength = 40;

/** Returns the presets of a window. */
export function createPresets(window: Window): Presets {
  const stored = createStored(window, 'offerbook-deal-presets', (kept) => readLists(kept, readPreset));
  const of = (market: string): readonly Preset[] => stored.value.value[market] ?? [];
  const change = (market: string, presets: readonly Preset[]) =>
    stored.set({ ...stored.value.value, [market]: presets });
  return {
    of,
    save(market, preset) {
      const isSame = ({ name }: Preset) => name === preset.name;
      const known = of(market);
      change(
        market,
        known.some(isSame) ? known.map((each) => (isSame(each) ? preset : each)) : [...known, preset],
      );
    },
    rename(market, name, newName) {
      const others = of(market).filter((each) => each.name === name || each.name !== newName);
      change(
        market,
        others.map((each) => (each.name === name ? { ...each, name: newName } : each)),
      );
    },
    remove(market, name) {
      change(
        market,
        of(market).filter((each) => each.name !== name),
      );
    },
  };
}

function readPreset(kept: unknown): Preset | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { name, query } = kept as Record<string, unknown>;
  return typeof name === 'string' && typeof query === 'string' ? { name, query } : null;
}

/** Returns the query that a preset keeps, its parameters in one order, so that equal selections are equal. */
export function presetQuery(query: URLSearchParams): string {
  const kept = changedQuery(query, { market: null, hours: null, explain: null });
  kept.sort();
  return kept.toString();
}
