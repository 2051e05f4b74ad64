import type { OrderAttempt, OrderChoice, StandingOrder } from '../core/api.ts';
import { formatLimit } from '../core/figures.ts';
import { getNow } from '../core/server-time.ts';
import type { StateWords } from '../rentals/instances/state-words.ts';

const states: Record<StandingOrder['state'], StateWords> = {
  draft: { text: 'not armed yet', grade: 'unchanged' },
  armed: { text: 'armed', grade: 'running' },
  paused: { text: 'paused', grade: 'unchanged' },
  filled: { text: 'filled: all its machines have run', grade: 'complete' },
  expired: { text: 'expired', grade: 'partial' },
  'out-of-budget': { text: 'out of budget', grade: 'partial' },
  failed: { text: 'failed', grade: 'failed' },
};

const waits: Readonly<Record<string, string>> = {
  rentals: 'waiting for its machines to start',
  bids: 'raising bids that are outbid',
  actions: 'waiting until rentals are enabled',
  budget: 'waiting for room in a budget',
  'stale-data': 'waiting for a newer book',
  'partial-book': 'waiting for a complete book',
  guard: 'waiting until your limits allow it',
  market: 'waiting for the market',
};

/** Returns an order's state in words, with what an armed order is waiting for. */
export function orderStateWords({
  state,
  waitingFor,
}: Pick<StandingOrder, 'state' | 'waitingFor'>): StateWords {
  const { text, grade } = states[state];
  if (state !== 'armed') return { text, grade };
  const waiting = waitingFor === null ? 'waiting for an offer that fits' : (waits[waitingFor] ?? 'waiting');
  return {
    text: `${text}, ${waiting}`,
    grade: waitingFor === null || waitingFor === 'rentals' || waitingFor === 'bids' ? grade : 'partial',
  };
}

/** Returns the price conditions of a choice, one text each. */
export function priceConditions({
  maxUsdPerGpuHour,
  maxPercentile,
  minIndexFall,
  bid,
}: OrderChoice): string[] {
  return [
    ...(maxUsdPerGpuHour === undefined
      ? []
      : [`${bid === undefined ? 'max' : 'bids up to'} ${formatLimit(maxUsdPerGpuHour)}/GPU-hour`]),
    ...(maxPercentile === undefined
      ? []
      : [`among the cheapest ${maxPercentile.percentile}% of ${maxPercentile.days} days`]),
    ...(minIndexFall === undefined
      ? []
      : [`index down ${minIndexFall.percent}% in ${dayCount(minIndexFall.days)}`]),
  ];
}

/** Formats a number of days, `1 day`. */
export const dayCount = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** Returns the choices of an order, which its answer declares only as objects. */
export const choicesOf = ({ choices }: Pick<StandingOrder, 'choices'>): OrderChoice[] =>
  choices as unknown as OrderChoice[];

/** Returns why an order cannot be armed as it is; null: it can, or it is armed. */
export function armObstacle(order: StandingOrder, now = getNow()): string | null {
  const { state, dryRun, machines, count, endsAt } = order;
  if (state === 'armed') return null;
  // An order with all its machines still raises their bids.
  const hasBids = choicesOf(order).some(({ bid }) => bid !== undefined);
  if (machines >= count && !hasBids) return 'It has all its machines: raise their number first.';
  if (Date.parse(endsAt) <= now) return 'Its time is over: change it first.';
  return dryRun === null ? 'It needs a dry run with its present settings first.' : null;
}

const outcomes: Readonly<Record<string, StateWords>> = {
  open: { text: 'being rented', grade: 'running' },
  held: { text: 'not sent: it waits and begins again', grade: 'partial' },
  rented: { text: 'rented', grade: 'complete' },
  'given-up': { text: 'outbid: destroyed, and replaced', grade: 'partial' },
  refused: { text: 'refused by the market', grade: 'failed' },
  'not-rented': { text: 'failed: nothing was rented', grade: 'failed' },
  'offer-gone': { text: 'the offer was gone', grade: 'unchanged' },
  'above-price': { text: 'the price had risen above the limit', grade: 'unchanged' },
  'not-rentable': { text: 'your limits do not allow this offer', grade: 'unchanged' },
};

/** Returns the outcome of an attempt in words. */
export const outcomeWords = ({ outcome }: Pick<OrderAttempt, 'outcome'>): StateWords =>
  outcomes[outcome] ?? { text: outcome, grade: 'partial' };

/** Returns what an order did last, as far as it is known when. */
export function newestStep({ attempts, armedAt, createdAt }: StandingOrder): { at: string; words: string } {
  const steps = [
    { at: createdAt, words: 'created' },
    ...(armedAt === null ? [] : [{ at: armedAt, words: 'armed' }]),
    ...attempts.map((attempt) => ({
      at: attempt.at,
      words: `attempt ${attempt.attempt}: ${outcomeWords(attempt).text}`,
    })),
  ];
  return steps.reduce((newest, step) => (step.at >= newest.at ? step : newest));
}

/** Formats hours with one decimal at most, `2.5 h`; long times in days, `4.3 days`. */
export const hourWords = (hours: number): string =>
  hours < 48 ? `${Number(hours.toFixed(1))} h` : `${Number((hours / 24).toFixed(1))} days`;
