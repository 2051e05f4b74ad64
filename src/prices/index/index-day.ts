import { fitWindow, type WindowFit } from './fit-window.ts';
import { type IndexWindow, windowDays } from './index-window.ts';
import type { HostInfluences } from './pack-influences.ts';

/** How the level of a day lies to that of an earlier one of its window. */
export interface Contrast {
  /** How many days before. */
  daysBefore: number;
  /** Difference of the log levels, to 12 decimals. */
  change: number;
  /** Its standard error; null: there were fewer than 3 hosts. */
  error: number | null;
}

/** What the index says of one model on one day. */
export interface IndexDay {
  /** The movement since the last day that can be compared with; null: the index restarts. */
  movement: Contrast | null;
  /** The change over 7 and over 27 days, or one day less or more; null: no such day can be compared with. */
  week: Contrast | null;
  month: Contrast | null;
  /** Listings seen on two days or more of the part, their machines and hosts. */
  listings: number;
  machines: number;
  hosts: number;
  /** Listings and days of the part. */
  observations: number;
  /** Of the window: listings that cannot be told from each other, and prices of 0 or less. */
  listingsLeftOut: number;
  pricesLeftOut: number;
}

/** A day as it was computed. */
export interface FittedIndexDay extends IndexDay {
  /** On the movement; null: there is none, or there were fewer than 3 hosts. */
  influences: HostInfluences | null;
}

const last = windowDays - 1;

/** The figures of a window's last day; null: nothing was observed on it. */
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

/** With the day so long before, else with the day before that one, else with the day after it. */
function contrastNear(fit: WindowFit, daysBefore: number): Contrast | null {
  const wanted = last - daysBefore;
  const place = [wanted, wanted - 1, wanted + 1].find((each) => fit.days.includes(each));
  return place === undefined ? null : contrastWith(fit, place);
}
