import { fitWindow, type WindowFit } from './fit-window.ts';
import { type IndexWindow, windowDays } from './index-window.ts';
import type { HostInfluences } from './pack-influences.ts';

/** A day's level compared with that of an earlier day of its window. */
export interface Contrast {
  /** Days between the two. */
  daysBefore: number;
  /** Difference of the log levels, to 12 decimals. */
  change: number;
  /** Its standard error; null: there were fewer than 3 hosts. */
  error: number | null;
}

/** The index of one model on one day. */
export interface IndexDay {
  /** Movement since the last comparable day; null: the index restarts. */
  movement: Contrast | null;
  /** Change over 7 and 27 days, or one day less or more; null: no comparable day. */
  week: Contrast | null;
  month: Contrast | null;
  /** Listings seen on two or more days of the part, with their machines and hosts. */
  listings: number;
  machines: number;
  hosts: number;
  /** Listing-days of the part. */
  observations: number;
  /** In the window: indistinguishable listings, and prices of 0 or less. */
  listingsLeftOut: number;
  pricesLeftOut: number;
}

/** A computed day. */
export interface FittedIndexDay extends IndexDay {
  /** Contributions to the movement's error; null: there is no movement, or fewer than 3 hosts. */
  influences: HostInfluences | null;
}

const last = windowDays - 1;

/** Returns the figures of a window's last day; null: nothing was observed on it. */
export function describeDay(window: IndexWindow): FittedIndexDay | null {
  const fit = fitWindow(window);
  if (fit === null) return null;
  const previous = fit.days.at(-2);
  const { listings, machines, hosts, observations } = fit;
  const { listingsLeftOut, pricesLeftOut } = window;
  return {
    movement: previous === undefined ? null : contrastWith(fit, previous),
    influences: previous === undefined ? null : fit.influencesOn(previous),
    week: contrastNear(fit, 7),
    month: contrastNear(fit, 27),
    listings,
    machines,
    hosts,
    observations,
    listingsLeftOut,
    pricesLeftOut,
  };
}

const contrastWith = (fit: WindowFit, place: number): Contrast => ({
  daysBefore: last - place,
  change: fit.changes[place] as number,
  error: fit.errorOf(place),
});

/** Compares with the day `daysBefore` earlier, else with the one before it, else with the one after it. */
function contrastNear(fit: WindowFit, daysBefore: number): Contrast | null {
  const wanted = last - daysBefore;
  const place = [wanted, wanted - 1, wanted + 1].find((each) => fit.days.includes(each));
  return place === undefined ? null : contrastWith(fit, place);
}
