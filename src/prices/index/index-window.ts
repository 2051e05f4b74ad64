import type { DayObservations } from './day-observations.ts';

/** Days in a window: its own day and the days before it. */
export const windowDays = 28;

/** Observations of one window, listing by listing, each with one or more days. */
export interface IndexWindow {
  machineIds: number[];
  /** Host on the listing's last day; -1: unknown. */
  hostIds: number[];
  /** Days of the listing: bit 0 is the window's first day, bit 27 its last. */
  masks: number[];
  /** Index of the listing's first value. */
  starts: number[];
  /** Mean log prices in day order. */
  values: number[];
  /** Listings that differ only in their ordinal but had different prices in some book. */
  listingsLeftOut: number;
  pricesLeftOut: number;
}

/**
 * Joins the days of a window listing by listing, in an order that depends only on their content. `days`: `windowDays`
 * of them, oldest first; null: nothing was observed.
 */
export function joinDays(days: readonly (DayObservations | null)[]): IndexWindow {
  const window: IndexWindow = {
    machineIds: [],
    hostIds: [],
    masks: [],
    starts: [],
    values: [],
    listingsLeftOut: 0,
    pricesLeftOut: days.reduce((sum, day) => sum + (day?.pricesLeftOut ?? 0), 0),
  };
  const next = new Int32Array(days.length);
  const group: IndexGroup = { machineId: Number.NaN, numGpus: 0, first: 0, differs: false };
  for (;;) {
    const listing = findNext(days, next);
    if (listing === null) break;
    if (listing.machineId !== group.machineId || listing.numGpus !== group.numGpus) {
      closeGroup(window, group);
      Object.assign(group, { ...listing, first: window.masks.length, differs: false });
    }
    if (takeListing(window, days, next, listing)) group.differs = true;
  }
  closeGroup(window, group);
  return window;
}

/** Listings that differ only in their ordinal, from index `first` of the window. */
interface IndexGroup {
  machineId: number;
  numGpus: number;
  first: number;
  differs: boolean;
}

interface ListingKey {
  machineId: number;
  numGpus: number;
  ordinal: number;
}

/** Returns the lowest key among each day's next entry; null: all days are read. */
function findNext(days: readonly (DayObservations | null)[], next: Int32Array): ListingKey | null {
  let [machineId, numGpus, ordinal] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let place = 0; place < days.length; place += 1) {
    const day = days[place];
    const at = next[place] as number;
    if (!day || at >= day.machineIds.length) continue;
    const machine = day.machineIds[at] as number;
    if (machine > machineId) continue;
    const gpus = day.numGpus[at] as number;
    const own = day.ordinals[at] as number;
    if (machine < machineId || gpus < numGpus || (gpus === numGpus && own < ordinal)) {
      [machineId, numGpus, ordinal] = [machine, gpus, own];
    }
  }
  return machineId === Number.POSITIVE_INFINITY ? null : { machineId, numGpus, ordinal };
}

/** Adds a listing with its days and advances over its entries; returns whether its group differs. */
function takeListing(
  window: IndexWindow,
  days: readonly (DayObservations | null)[],
  next: Int32Array,
  { machineId, numGpus, ordinal }: ListingKey,
): boolean {
  const start = window.values.length;
  let [mask, hostId, differs] = [0, -1, false];
  for (let place = 0; place < days.length; place += 1) {
    const day = days[place];
    const at = next[place] as number;
    if (!day || day.machineIds[at] !== machineId) continue;
    if (day.numGpus[at] !== numGpus || day.ordinals[at] !== ordinal) continue;
    next[place] = at + 1;
    if (day.differs[at] === 1) differs = true;
    const value = day.logPrices[at] as number;
    if (Number.isNaN(value)) continue;
    mask |= 1 << place;
    hostId = day.hostIds[at] as number;
    window.values.push(value);
  }
  if (mask !== 0) {
    window.machineIds.push(machineId);
    window.hostIds.push(hostId);
    window.masks.push(mask);
    window.starts.push(start);
  }
  return differs;
}

/** Removes the listings of a group that differs. */
function closeGroup(window: IndexWindow, { first, differs }: IndexGroup): void {
  if (!differs) return;
  window.listingsLeftOut += window.masks.length - first;
  window.values.length = window.starts[first] ?? window.values.length;
  for (const column of [window.machineIds, window.hostIds, window.masks, window.starts]) {
    column.length = first;
  }
}
