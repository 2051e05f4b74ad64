import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';

/** A served offer, as far as the tests read it. */
export interface Offer {
  [field: string]: unknown;
  id: number;
  machine_id: number;
  host_id: number;
  gpu_name: string;
  num_gpus: number;
  gpu_ids: number[];
  dph_base: number;
  dph_total: number;
  min_bid: number;
  verification: string;
}

export const allTiers = { verification: { in: ['verified', 'unverified', 'deverified'] } };

/** The moment that the model's bands are measured from. */
export const measuredAt = new Date('2026-11-21T12:00:00Z');

export const hoursLater = (hours: number): Date => new Date(measuredAt.getTime() + hours * 3_600_000);

/** The offers of an accepted search; fails on a refused one. */
export function offersOf(simulator: Simulator, body: object, at: Date): Offer[] {
  const answer = simulator.search(body, at);
  if (answer.status !== 200) throw new Error(answer.body.msg);
  return answer.body.offers as readonly object[] as Offer[];
}

/** Every rentable offer of a moment, all tiers. */
export const wholeBook = (simulator: Simulator, at: Date, body: object = {}): Offer[] =>
  offersOf(simulator, { ...allTiers, limit: 100_000, order: [['id', 'asc']], ...body }, at);

/** A market with no row cap in the way. */
export const createMarket = (seed: number, offersPerType = 1500): Simulator =>
  createSimulator({ seed, offersPerType, cap: 1_000_000 });

/** The share of `items` that pass; 0 of none. */
export const shareOf = <T>(items: readonly T[], passes: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(passes).length / items.length;

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const listingKey = (offer: Offer): string => `${offer.machine_id} ${offer.gpu_name} ${offer.num_gpus}`;

/** Offers by listing key. */
export const byListing = (offers: readonly Offer[]): Map<string, Offer[]> => Map.groupBy(offers, listingKey);
