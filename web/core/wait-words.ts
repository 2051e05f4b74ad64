import type { BidSurvival, MarketWait, PriceTiming } from './api.ts';
import type { GoneOffer } from './app.ts';
import { endsIn } from './ending-words.ts';
import { countOf, formatFixed, formatPercent, formatUsd } from './figures.ts';
import { sentenceCase } from './sentence-case.ts';
import { formatDay, formatMoment } from './times.ts';
import { timingClaim } from './verdict-words.ts';

/** Choices of hours until the work must begin. */
export const waitHours = [6, 24, 72, 168] as const;

export const hoursLabel = (hours: number): string =>
  hours < 72 ? countOf(hours, 'hour') : `${hours / 24} days`;

/** Formats a share as tenths: `7 of 10`, `fewer than 1 of 10`. */
function tenths(share: number): string {
  const count = Math.round(10 * share);
  if (share > 0 && count === 0) return 'fewer than 1 of 10';
  return share < 1 && count === 10 ? 'more than 9 of 10' : `${count} of 10`;
}

/** Formats a duration from the past: `20 minutes`, `3 hours`. */
export const waitLength = (hours: number): string =>
  hours < 1
    ? countOf(Math.round(60 * hours), 'minute')
    : `${formatFixed(hours, 1).replace(/\D0$/, '')} ${hours === 1 ? 'hour' : 'hours'}`;

/** Says whether waiting has paid off, by the share of past periods in which it did. */
function payWords(chance: number): string {
  if (chance >= 0.6) return 'Waiting has usually paid off';
  return chance <= 0.4 ? 'Waiting has seldom paid off' : 'Waiting has paid off about as often as not';
}

/**
 * Describes whether waiting has paid off: when the lowest price was as it is now, if that is known, because a low price
 * is followed by lower ones less often. Source: docs/meaning.md#wait-or-rent.
 */
export function waitSentence({
  overall,
  similar,
  hours,
}: Pick<MarketWait, 'overall' | 'similar' | 'hours'>): string {
  const isSimilar = similar.drops[0]?.chance != null;
  const { cases, drops } = isSimilar ? similar : overall;
  const [drop] = drops;
  const periods = `past periods of ${hoursLabel(hours)}`;
  if (drop?.chance == null) return 'Not enough history yet';
  const what = `an offer at least ${drop.percent}% below the lowest price appeared`;
  const after = drop.medianHours === null ? '' : `, usually after ${waitLength(drop.medianHours)}`;
  const lead = `${payWords(drop.chance)}${isSimilar ? ' at prices like now’s' : ''}`;
  const atAny = overall.drops[0]?.chance ?? null;
  const others = isSimilar && atAny !== null ? `; at any price in ${tenths(atAny)}` : '';
  return drop.chance === 0
    ? `${lead}: in ${cases} ${periods} no offer ${drop.percent}% below the lowest price appeared${others}.`
    : `${lead}: in ${tenths(drop.chance)} ${periods} ${what}${after} (${cases} periods)${others}.`;
}

/** What an answer still needs. */
export interface WaitNeeds {
  /** When the periods will be enough if prices are read often enough; null: no book yet. */
  readyAt: string | null;
  /** How many past periods it takes, up to the number of those that there are. */
  cases: string;
  /** Why prices of the past do not count yet. */
  reason: string;
}

type NeedingWait = Pick<
  MarketWait,
  'overall' | 'similar' | 'hours' | 'observedAt' | 'closeSince' | 'gapHoursBefore'
>;

/** Returns what is missing to say whether waiting pays off; null: nothing. */
export function waitNeeds({
  overall,
  similar,
  hours,
  observedAt,
  closeSince,
  gapHoursBefore,
}: NeedingWait): WaitNeeds | null {
  if (overall.drops[0]?.chance != null || similar.drops[0]?.chance != null) return null;
  const { cases, neededCases } = overall;
  const missingMs = (neededCases - cases) * hours * 3_600_000;
  return {
    readyAt: observedAt === null ? null : new Date(Date.parse(observedAt) + missingMs).toISOString(),
    cases: `This goes by the lowest price of a whole offer, and needs ${neededCases} past periods of ${hoursLabel(hours)}. So far there ${cases === 1 ? 'is' : 'are'}`,
    reason: paceWords(closeSince, gapHoursBefore),
  };
}

/** Says that it is not known yet whether waiting pays off, and until when. A recorded market gets no more books. */
export function needsSentence({ readyAt }: Pick<WaitNeeds, 'readyAt'>, isRecorded: boolean): string {
  const what = 'not enough history to say whether waiting pays off';
  if (isRecorded) return `This record has ${what}.`;
  return readyAt === null ? `There is ${what} yet.` : `Until about ${formatDay(readyAt)} there is ${what}.`;
}

/** What stands in place of a verdict while it is asked for. */
export const checkingWords = 'Checking past prices…';

interface TimingContext {
  /** Names the offers, now and before: `reliable`. */
  set: string;
  /** Whether the lowest price is that of a deverified machine, which a list may have last. */
  isDeverified: boolean;
  /** The only numbers of GPUs that are counted; empty: all. */
  numGpus: readonly string[];
  /** The lowest price now, per GPU-hour. */
  lowest: number;
  /** The number of GPUs of its offer. */
  lowestGpus: number;
  /** In how many hours its host ends that offer, if before those of the usage profile; null: later, or not stated. */
  endsInHours: number | null;
  /** Why that offer is known to be gone since the newest book; null: it is not. */
  gone: GoneOffer | null;
  /** The price of the offer that would be rented; null: none, or unknown. */
  usdPerGpuHour: number | null;
  /** What time it is with any number of GPUs; null: that is what is judged, or too little history. */
  widerText: string | null;
  /** A recorded market's newest book; null: it is now. */
  newest: string | null;
}

/** Says whether it is a good time to rent, by the lowest price now and before, and how much more an offer costs. */
export function timingSentence(
  timing: Pick<NonNullable<PriceTiming>, 'text' | 'claim' | 'last' | 'medianUsdPerGpuHour'>,
  context: TimingContext,
): string {
  const {
    set,
    isDeverified,
    numGpus,
    lowest,
    lowestGpus,
    endsInHours,
    gone,
    usdPerGpuHour,
    widerText,
    newest,
  } = context;
  const counted =
    numGpus.length === 0
      ? 'any number of GPUs'
      : `${numGpus.join(' or ')} GPU${String(numGpus) === '1' ? '' : 's'}`;
  const gpus = numGpus.length === 0 ? ` if ${counted} will do` : ` ${counted}`;
  const what = set === 'all offers' ? 'lowest price of all offers' : `lowest ${set} price`;
  // Who wants another number of GPUs must know whose price it is.
  const of = [numGpus.length === 1 ? [] : `× ${lowestGpus}`, isDeverified ? 'deverified' : []].flat();
  const more = usdPerGpuHour === null ? 0 : Math.round(100 * (usdPerGpuHour / lowest - 1));
  // Of an offer that costs more, that comes first: a good time to rent the cheapest is none for it.
  if (gone === null && usdPerGpuHour !== null && more >= 1) {
    const ends = endsInHours === null ? [] : `of an offer that its host ends in ${endsIn(endsInHours)}`;
    const which = [of, ends].flat();
    const its = which.length === 0 ? '' : ` (${which.join(', ')})`;
    const claim = timingClaim({ ...timing, last: null }, { now: lowest, newest });
    return `This offer costs ${formatPercent(more, 0)} more than the ${what} of ${counted}, ${formatUsd(lowest)}${its}, and ${besideUsual(usdPerGpuHour, timing.medianUsdPerGpuHour)}. By that lowest price it is ${timing.text}: ${claim}.`;
  }
  const its = of.length === 0 ? '' : ` (${of.join(', ')})`;
  const now = `the ${what} is ${formatUsd(lowest)}${its} ${gone === null ? 'now' : 'in the newest book'};`;
  // What is cheap now may end long before the work does. Of an offer that would be rented that is said elsewhere.
  const upTo =
    endsInHours === null || usdPerGpuHour !== null
      ? ''
      : `${numGpus.length === 0 ? ',' : ''} for up to ${endsIn(endsInHours)}`;
  const claim = timingClaim(timing, { now: lowest, newest });
  // Until the next book nobody knows what is usual without it.
  if (gone !== null)
    return `${gone === 'missing' ? 'The lowest offer is gone' : 'You rented the lowest offer'}; with it, ${timing.text}${gpus}: ${now} ${claim}. The next book judges again.`;
  const wider =
    widerText === null || widerText === timing.text
      ? ''
      : ` If any number of GPUs will do, it is ${widerText}.`;
  return `${sentenceCase(timing.text)}${gpus}${upTo}: ${now} ${claim}.${wider}`;
}

/** Compares a price with the usual lowest one: `21% more than the usual lowest price`. */
function besideUsual(usd: number, usual: number): string {
  const percent = Math.round(100 * (usd / usual - 1));
  if (percent === 0) return 'as much as the usual lowest price';
  return `${formatPercent(Math.abs(percent), 0)} ${percent > 0 ? 'more' : 'less'} than the usual lowest price`;
}

interface LastingContext {
  /** The hours of the usage profile, more than the offer with the lowest price lasts. */
  hours: number;
  /** The lowest price of the offers that last these hours, per GPU-hour; null: there is none. */
  usdPerGpuHour: number | null;
  /** The usual lowest price; null: too little history. */
  usual: number | null;
}

/** Says what the cheapest offer costs that lasts the hours, and that no earlier price of such offers is known. */
export function lastingSentence({ hours, usdPerGpuHour, usual }: LastingContext): string {
  if (usdPerGpuHour === null) return `No offer lasts ${hours} h.`;
  const beside = usual === null ? '' : `, ${besideUsual(usdPerGpuHour, usual)} of any offer`;
  return `The lowest that lasts ${hours} h costs ${formatUsd(usdPerGpuHour)}${beside}; earlier prices of such offers are not known.`;
}

/** Says why history that is older than close readings does not count. */
function paceWords(closeSince: string | null, gapHoursBefore: number | null): string {
  const why = 'Only times count in which there is a book (snapshot of the market) at least every 3 hours.';
  if (closeSince === null || gapHoursBefore === null) return why;
  return `${why} That has always been so since ${formatMoment(closeSince)}; before, only at times: gaps were usually ${waitLength(gapHoursBefore)} long.`;
}

/** Describes how long bids this far above the minimum lasted; null: no such bid was followed. */
export function bidSentence(
  { bidSurvival, hours }: Pick<MarketWait, 'bidSurvival' | 'hours'>,
  raisePercent: number,
): string | null {
  const fits = (bid: BidSurvival): boolean => bid.raisePercent <= raisePercent + 1e-6 && bid.hours <= hours;
  const bid = bidSurvival.bids
    .filter(fits)
    .sort((a, b) => a.raisePercent - b.raisePercent || a.hours - b.hours)
    .at(-1);
  if (bid === undefined) return null;
  const which = bid.raisePercent === 0 ? 'at the minimum' : `${bid.raisePercent}% above the minimum`;
  return bid.share === null
    ? `Not enough history to say how long a bid ${which} lasts (${countOf(bid.cases, 'past bid')}).`
    : `${sentenceCase(tenths(bid.share))} past bids ${which} were not outbid for ${hoursLabel(bid.hours)} (${countOf(bid.cases, 'bid')}).`;
}
