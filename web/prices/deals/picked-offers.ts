import { useState } from 'preact/hooks';
import type { RankedOffer } from '../../core/api.ts';

const maxPicked = 4;

/** The offers that are picked to be compared. */
export interface Picked {
  items: readonly RankedOffer[];
  /** Their listings. */
  chosen: ReadonlySet<string>;
  isFull: boolean;
  toggle: (item: RankedOffer) => void;
  clear: () => void;
}

/** Keeps the offers that are picked, over other filters and pages too. */
export function usePicked(): Picked {
  const [items, setItems] = useState<readonly RankedOffer[]>([]);
  return {
    items,
    chosen: new Set(items.map(({ listingId }) => listingId)),
    isFull: items.length >= maxPicked,
    toggle: (item) =>
      setItems((before) => {
        const others = before.filter(({ listingId }) => listingId !== item.listingId);
        return others.length < before.length ? others : [...before, item].slice(0, maxPicked);
      }),
    clear: () => setItems([]),
  };
}
