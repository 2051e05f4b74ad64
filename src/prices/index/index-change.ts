import type { Contrast, IndexDay } from './index-day.ts';
import { priceVerdict } from './price-verdict.ts';

/** The conclusions about a change. Source: docs/meaning.md#like-for-like-index. */
export const changeStatuses = ['insufficient', 'steady', 'clear', 'unclear'] as const;
export type ChangeStatus = (typeof changeStatuses)[number];

/** A change of the median, split into the like-for-like change of prices and the effect of other machines. */
export interface PriceChange {
  /** The requested days; the compared days may be one further apart or nearer. */
  days: number;
  /** Like-for-like change; null: there is no comparable day. */
  percent: number | null;
  /** null: fewer than 3 hosts. */
  stderrPercent: number | null;
  /** Between the same two days; null: one of them has no median. */
  medianPercent: number | null;
  /** Points of `medianPercent` that `percent` does not explain. */
  mixPercent: number | null;
  status: ChangeStatus;
  /** A short description: `prices steady, cheap ones are taken`. */
  words: string;
}

/** Days over which changes are given. */
export const indexChangeDays = [1, 7, 27] as const;

const minListings = 5;
const minMachines = 8;
const minHosts = 3;
const steadyPercent = 1;

/** Rounds percentages to 9 decimals. */
const roundPercent = (value: number): number => Math.round(value * 1e9) / 1e9 + 0;

/** Converts a difference of log levels to percent. */
export const percentOf = ({ change }: Contrast): number => roundPercent(100 * Math.expm1(change));

/**
 * The standard error in percent: scaled as the change itself, so that one exceeds twice the other exactly where the
 * difference of log levels exceeds twice its error; null: unknown.
 */
export const errorPercentOf = ({ change, error }: Contrast): number | null =>
  error === null ? null : roundPercent(100 * error * (change === 0 ? 1 : Math.expm1(change) / change));

/** Shown instead of a change if the books were stored before there was an index. */
export const noIndexWords = 'no index of the stored books yet: `offerbook rebuild` computes it';

/** Shown instead of a change if there is no price to compare with. */
const noPricesBefore = (days: number): string =>
  `no prices from ${days === 1 ? 'the day' : `${days} days`} before`;

/**
 * Returns the changes over 1, 7 and 27 days up to a day; `medianOf` returns an earlier day's median, or null.
 * `lacksIndex`: the stored books have no index.
 */
export function describeChanges(
  day: IndexDay | null,
  medianOf: (daysBefore: number) => number | null,
  lacksIndex = false,
): PriceChange[] {
  const toYesterday = day?.movement?.daysBefore === 1 ? day.movement : null;
  const spans = [
    { days: 1, near: [1], contrast: toYesterday },
    { days: 7, near: [7, 8, 6], contrast: day?.week ?? null },
    { days: 27, near: [27, 28, 26], contrast: day?.month ?? null },
  ];
  return spans.map(({ days, near, contrast }) => {
    const compared = contrast?.daysBefore ?? near.find((each) => medianOf(each) !== null) ?? days;
    const medianPercent = relativeChange(medianOf(compared), medianOf(0));
    const percent = contrast === null ? null : percentOf(contrast);
    const change = {
      days,
      percent,
      stderrPercent: contrast === null ? null : errorPercentOf(contrast),
      medianPercent,
      mixPercent: percent === null || medianPercent === null ? null : roundPercent(medianPercent - percent),
      status: day === null || contrast === null ? ('insufficient' as const) : statusOf(day, contrast),
    };
    if (lacksIndex) return { ...change, words: noIndexWords };
    const isTooEarly = contrast === null && near.every((each) => medianOf(each) === null);
    return { ...change, words: isTooEarly ? noPricesBefore(days) : priceVerdict(change) };
  });
}

function relativeChange(before: number | null, now: number | null): number | null {
  return before === null || now === null || before <= 0 ? null : roundPercent(100 * (now / before - 1));
}

function statusOf({ listings, machines, hosts }: IndexDay, contrast: Contrast): ChangeStatus {
  const size = Math.abs(percentOf(contrast));
  const errorPercent = errorPercentOf(contrast);
  if (errorPercent === null || listings < minListings) return 'insufficient';
  if (size + 2 * errorPercent < steadyPercent) return 'steady';
  return size > 2 * errorPercent && machines >= minMachines && hosts >= minHosts ? 'clear' : 'unclear';
}

/** Returns the like-for-like price change over these days, percent; null: no change is `clear`. */
export function clearChangePercent(day: IndexDay | null, days: number): number | null {
  const change = describeChanges(day, () => null).find((each) => each.days === days);
  return change?.status === 'clear' ? change.percent : null;
}
