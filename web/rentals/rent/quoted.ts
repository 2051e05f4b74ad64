import type { Quote, RentRequest } from '../../core/api.ts';
import { hostEnds } from '../../core/ending-words.ts';
import { countOf, formatCount } from '../../core/figures.ts';
import { trafficPrice } from '../../parts/machine-facts.ts';

/** A quote with the request that it is for. */
export interface Quoted {
  quote: Quote;
  request: RentRequest;
}

/** The newest quote, and how the market has changed since the reader saw the price. */
export interface KnownQuote extends Quoted {
  /** The total before and after the newest change of the price of an unchanged request; null: it did not change. */
  change: { before: string | null; after: string | null } | null;
}

/** Whether two requests are the same. */
export const isSame = (one: RentRequest, other: RentRequest): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns what is known after another quote. */
export function nextQuote(known: KnownQuote | null, quoted: Quoted): KnownQuote {
  if (known === null || !isSame(known.request, quoted.request)) return { ...quoted, change: null };
  const [before, after] = [known.quote.usdPerHour, quoted.quote.usdPerHour];
  return { ...quoted, change: before === after ? known.change : { before, after } };
}

/** Returns the quoted price rounded up to a millionth of a dollar, because a number cannot hold all its decimals. */
const capOf = ({ usdPerHour }: Quote): number => Math.ceil(Number(usdPerHour) * 1e6) / 1e6;

/**
 * Returns what the amount of a usage profile is for: `8 hours with 100 GB of traffic`, `the first 8 hours` of an instance
 * that runs on. `hostHours`: for how long the offer lasts; null: not stated.
 */
export function plannedWords(
  { profile = {}, maxHours }: Pick<RentRequest, 'profile' | 'maxHours'>,
  hostHours: number | null,
): string {
  const { runningHours, downGb = 0, upGb = 0 } = profile;
  const gb = downGb + upGb;
  const runsOn = maxHours === undefined && hostEnds(runningHours ?? 0, hostHours) === null;
  const hours =
    runningHours === undefined
      ? 'The planned hours'
      : `${runsOn ? 'The first ' : ''}${runsOn && runningHours === 1 ? 'hour' : countOf(runningHours, 'hour')}`;
  return gb > 0 ? `${hours} with ${formatCount(gb)} GB of traffic` : hours;
}

/** Returns what traffic costs, which the price per hour leaves out. */
export const trafficWords = ({
  inetDownUsdPerGb: down,
  inetUpUsdPerGb: up,
}: Pick<Quote['offer'], 'inetDownUsdPerGb' | 'inetUpUsdPerGb'>): string =>
  `download ${trafficPrice(down)}, upload ${trafficPrice(up)}`;

/** A request as it is sent. Repeated with its key, it is the same rental. */
export interface Attempt {
  key: string;
  body: RentRequest;
}

/**
 * Returns what to send for a quote that the reader has confirmed: never above its price. An attempt of unknown outcome
 * is repeated as it was, so that at most one instance is rented.
 */
export const attemptOf = (unsure: Attempt | null, { quote, request }: Quoted, newKey: string): Attempt =>
  unsure ?? { key: newKey, body: { ...request, offerId: quote.offerId, maxUsdPerHour: capOf(quote) } };
