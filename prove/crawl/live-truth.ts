import type { Simulator } from '../../src/simulator/simulator.ts';

/** The simulator's own record of what was listed during a crawl. */
export interface LiveTruth {
  /** Takes a look at the market now. */
  look: () => void;
  /** Ids that were listed at every look. */
  throughout: () => readonly number[];
  /** Whether the id was listed at any look. */
  ever: (id: number) => boolean;
  looks: () => number;
}

/** Offers that a crawl of the default scope can see: rentable ones of every tier. */
export function createLiveTruth(simulator: Pick<Simulator, 'now' | 'offersAt'>): LiveTruth {
  const seen = new Set<number>();
  let throughout: number[] | null = null;
  let looks = 0;
  return {
    look() {
      looks += 1;
      // Omitted by a search that does not name a processor architecture. Source: docs/marketplace.md#42-search-offers.
      const here = new Set(
        simulator
          .offersAt(simulator.now())
          .filter((row) => row.rentable === true && row.rented === false && row.cpu_arch === 'amd64')
          .map(({ id }) => Number(id)),
      );
      for (const id of here) seen.add(id);
      throughout = throughout === null ? [...here] : throughout.filter((id) => here.has(id));
    },
    throughout: () => throughout ?? [],
    ever: (id) => seen.has(id),
    looks: () => looks,
  };
}
