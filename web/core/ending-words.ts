import { formatLength, formatMoment } from './times.ts';

/** Returns the hours for which an offer of a book can still be rented at a moment, at least 0; null: the market does not say. */
export function hoursUntilEnd(
  maxDurationHours: number | null,
  observedAt: string,
  now: number,
): number | null {
  if (maxDurationHours === null) return null;
  return Math.max(0, maxDurationHours - (now - Date.parse(observedAt)) / 3_600_000);
}

/** What is known of an instance after its host's offer, and what to do. Source: docs/meaning.md#limits-of-an-instance. */
export const afterEndWords =
  'The market does not say what happens then to the instance and its disk: copy your data before.';

/** Returns in how long an offer ends, the same in every view: `2 days 12 h`. */
export const endsIn = (hours: number): string => formatLength(hours * 60);

/** Returns in how long a host ends an offer, where there is little room: `host ends it in 28 h`. */
const hostEndsIn = (hours: number): string => `host ends it in ${endsIn(hours)}`;

/** Returns the same for a list, short enough to stand beside a model: `host ends it in 5+ days` is between 5 and 6. */
export function listedEnd(hours: number): string {
  const days = Math.floor(hours / 24);
  return days < 2 || days >= 10 ? hostEndsIn(hours) : `host ends it in ${days}+ days`;
}

/** Returns the same in a sentence about one offer: `the host ends this offer in 28 h`. */
export const hostEndsThisIn = (hours: number): string => `the host ends this offer in ${endsIn(hours)}`;

/** Returns the same at the beginning of a sentence about the lowest price: `The host ends the cheapest offer in 28 h`. */
export const cheapestEndsIn = (hours: number): string =>
  `The host ends the cheapest offer in ${endsIn(hours)}`;

/** An end within this many hours is soon: it takes the machine and the data with it. */
const soonHours = 48;

/** Whether a host ends an offer so soon that it is a warning. */
export const endsSoon = (hours: number): boolean => hours <= soonHours;

/** Returns until when an offer is to be had, if not for the hours of a usage profile, and what can be done about it. */
export const offeredUntil = (hours: number, profileHours: number, now: number): string =>
  `The machine is offered ${endMoment(hours, now)}, less than the ${profileHours} h that prices are compared by. Deals can list such offers last.`;

/** Returns the moment of an end for titles: `until 20 Jul 2026, 07:19`. */
export const endMoment = (hours: number, now: number): string =>
  `until ${formatMoment(now + hours * 3_600_000)}`;

/** The hours that prices assume where the reader set none. */
export const assumedHours = 720;

/** Returns the hours of a usage profile as they are named: `the 720 h that prices assume` where the reader set none. */
const profileWords = (hours: number): string =>
  `the ${hours} h ${hours === assumedHours ? 'that prices assume' : 'of the usage profile'}`;

/**
 * Returns that an offer ends before the hours of a usage profile are over: `host ends it in 2 days 13 h, before the 720
 * h that prices assume`; null: it does not. `ends`: how that begins, for hours until then.
 */
export function endingWords(
  hours: number | null,
  profileHours: number,
  ends: (hours: number) => string = hostEndsIn,
): string | null {
  if (hours === null || hours >= profileHours) return null;
  return `${ends(hours)}, before ${profileWords(profileHours)}`;
}

/** Returns hours as they were typed; 0: nothing was; NaN: no number. */
export const hoursOf = (typed: string): number => Number(typed.replace(',', '.'));

/**
 * Returns whether an offer ends before planned hours are over, or with them, less than an hour later; null: it lasts
 * longer, the market does not say, or the hours are no number.
 */
export function hostEnds(planned: number, maxHours: number | null): 'before' | 'with' | null {
  if (maxHours === null || !(planned >= Math.floor(maxHours))) return null;
  return planned > maxHours ? 'before' : 'with';
}

/**
 * Says when the host ends the offer, and whether the planned hours and those of the usage profile fit in. `keeps`: whether
 * nothing else ends it after the planned hours.
 */
export function hoursWords(
  planned: string,
  { maxHours, profileHours, keeps }: { maxHours: number; profileHours: number; keeps: boolean },
): string {
  const lasts = `The host ends the offer in ${endsIn(maxHours)}`;
  const ends = hostEnds(hoursOf(planned), maxHours);
  if (ends === 'before') return `${lasts}, before the planned hours are over.`;
  if (ends === null)
    return `${lasts}, after the hours planned${keeps ? '; until then it runs on, unless you end it' : ''}.`;
  const early = maxHours < profileHours ? `, before ${profileWords(profileHours)}` : '';
  return `${lasts}${early}; the hours planned end with it.`;
}

/**
 * Returns what is said against the end of an equal machine, `sooner than this one (in 100 days) and before the 720 h that
 * prices assume`; null: nothing. Ends within an hour of each other are alike. `left`, `ownLeft`: hours until the host
 * ends it, and this one; null: the market does not say.
 */
export function earlyEnd(left: number | null, ownLeft: number | null, profileHours: number): string | null {
  if (left === null) return null;
  const why = [
    ...(ownLeft !== null && left < ownLeft - 1 ? [`sooner than this one (in ${endsIn(ownLeft)})`] : []),
    ...(left < profileHours ? [`before ${profileWords(profileHours)}`] : []),
  ];
  return why.length === 0 ? null : why.join(' and ');
}
