import type { Offer } from '../core/offer.ts';

/**
 * The states of a request to rent; the first four have no known instance. Source: docs/meaning.md#states-of-a-rental.
 */
export const rentalStates = [
  'creating',
  'settling',
  'unsettled',
  'failed',
  'provisioning',
  'running',
  'ready',
  'stopped',
  'down',
  'start-failed',
  'destroying',
  'destroyed',
] as const;
export type RentalState = (typeof rentalStates)[number];

/** States in which it is unknown whether there is an instance: counted at their cap. */
export const openStates: readonly RentalState[] = ['creating', 'settling', 'unsettled'];

/** What to do with an instance that never ran. */
export type FailurePolicy = 'notify' | 'replace';

export type EndAction = 'stop' | 'destroy';

/** A rental in the ledger. Dollars as decimal text; null: unknown, or not applicable. */
export interface Rental
  extends Pick<Offer, 'offerId' | 'machineId' | 'hostId' | 'gpuName' | 'numGpus' | 'type'> {
  id: string;
  marketId: number;
  market: string;
  idempotencyKey: string;
  bodyHash: string;
  state: RentalState;
  reason: string | null;
  rentedBy: string;
  label: string | null;
  costCenter: string | null;
  watchId: string | null;
  diskGb: number;
  usdPerHour: string;
  baseUsdPerHour: string;
  storageUsdPerGbMonth: string | null;
  volumeUsdPerHour: string | null;
  bidUsdPerHour: string | null;
  maxUsdPerHour: string | null;
  quote: Record<string, unknown>;
  request: Record<string, unknown>;
  sealedRequest: string | null;
  baseline: number[];
  instanceId: number | null;
  onFailure: FailurePolicy;
  replacementsLeft: number;
  replacesId: string | null;
  provisionMinutes: number;
  createdAt: Date;
  sentAt: Date | null;
  settleBy: Date | null;
  settledAt: Date | null;
  firstRunningAt: Date | null;
  readyAt: Date | null;
  failedStartAt: Date | null;
  endedAt: Date | null;
}

/** Matches the rental id at the end of a market's label, in regular expressions of JavaScript and PostgreSQL. */
export const tagPattern = '\\s*#([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$';
const tag = new RegExp(tagPattern);

/** Returns the label for the market: `<user label> #<rental id>`. */
export const taggedLabel = (label: string | null, rentalId: string): string =>
  label === null || label === '' ? `#${rentalId}` : `${label} #${rentalId}`;

/** Returns the rental id at the end of a market's label; null: not one of ours. */
export const rentalIdOf = (label: string | null): string | null => tag.exec(label ?? '')?.[1] ?? null;

/** Returns a market's label without the rental id; null if nothing is left. */
export function plainLabel(label: string | null): string | null {
  const plain = (label ?? '').replace(tag, '').trim();
  return plain === '' ? null : plain;
}
