import { Decimal } from 'decimal.js';
import type { Instance } from '../market/instance.ts';
import { isStopped } from '../market/instance-status.ts';

/** A rental that counts although no list of instances has it; dollars as decimal text. */
export interface OpenRentalCount {
  rentalId: string;
  /** null: it is unknown whether there is one. */
  instanceId: number | null;
  usdPerHour: string;
}

/** Everything on an account, whoever rented it, including unsettled creates. */
export interface AccountCount {
  instances: number;
  usdPerHour: Decimal;
  /** Instances without a stated price: the total is at least `usdPerHour`. */
  unpriced: number[];
}

type Priced = Pick<
  Instance,
  'instanceId' | 'actualStatus' | 'intendedStatus' | 'baseUsdPerHour' | 'storageUsdPerGbMonth' | 'diskSpaceGb'
>;

const hoursOfMonth = 720;

/** $/hour of a disk; null: its price or size is unknown. */
export function storageUsdPerHour(usdPerGbMonth: Decimal.Value | null, gb: number | null): Decimal | null {
  if (usdPerGbMonth === null || gb === null) return null;
  return new Decimal(usdPerGbMonth).times(gb).div(hoursOfMonth);
}

/** Maximum $/hour of an instance in its current state; null: the market does not state it. */
export function instanceUsdPerHour(instance: Priced): Decimal | null {
  const storage = storageUsdPerHour(instance.storageUsdPerGbMonth, instance.diskSpaceGb);
  if (storage === null) return null;
  if (isStopped(instance)) return storage;
  return instance.baseUsdPerHour === null ? null : storage.plus(instance.baseUsdPerHour);
}

/** Counts an account: every instance of a list, and what only the ledger knows. Source: docs/meaning.md#guards. */
export function countAccount(listed: readonly Priced[], open: readonly OpenRentalCount[]): AccountCount {
  let usdPerHour = new Decimal(0);
  const unpriced: number[] = [];
  for (const instance of listed) {
    const price = instanceUsdPerHour(instance);
    if (price === null) unpriced.push(instance.instanceId);
    else usdPerHour = usdPerHour.plus(price);
  }
  for (const rental of open) usdPerHour = usdPerHour.plus(rental.usdPerHour);
  return { instances: listed.length + open.length, usdPerHour, unpriced };
}
