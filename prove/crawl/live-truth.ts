import type { Simulator } from '../../src/simulator/simulator.ts';

/** What a simulator says was there while it was crawled. */
export interface LiveTruth {
  /** Looks at the market as it is now. */
  look: () => void;
  /** Ids that were there at every look. */
  throughout: () => readonly number[];
  /** Whether the id was there at any look. */
  ever: (id: number) => boolean;
  looks: () => number;
}

/** The truth of what a crawl of the default scope can see: rentable offers of every tier. */
export function createLiveTruth(simulator: Pick<Simulator, 'now' | 'offersAt'>): LiveTruth {
  const seen = new Set<number>();
  let throughout: number[] | null = null;
  let looks = 0;
  return {
    look() {
      looks += 1;
      // What a search that says nothing of the processor's architecture leaves out.
      // Source: docs/marketplace.md#42-search-offers.
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
