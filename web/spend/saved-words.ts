import type { VsMarket } from '../core/api.ts';
import { formatAmount, formatCount, formatShare, formatUsd } from '../core/figures.ts';

type Total = VsMarket['total'];
type Item = VsMarket['items'][number];
type NotCompared = VsMarket['notCompared'];
type Compared = Pick<Item, 'type' | 'cheaperEqual'>;
type Priced = Compared & Pick<Item, 'label' | 'instanceId' | 'comparedUsd' | 'overMedianUsd' | 'hours'>;

/** Maximum number of bids whose prices are said; those of the equal machines all stand in the table. */
const maxBids = 3;

/** With less of the money compared, more is unknown than known: the answer is then no answer for the whole. */
const minShare = 0.5;

/** Returns the share of the money for GPUs and disk that can be compared. */
const comparedShare = ({ paidUsd, comparedUsd }: Total): number =>
  Number(paidUsd) > 0 ? Number(comparedUsd) / Number(paidUsd) : 1;

/** Whether enough of the money can be compared to judge all of it. */
export const isEnough = (total: Total): boolean => comparedShare(total) >= minShare;

/**
 * Returns the answer to "did I overpay?": by how much on demand and of what, and how far bids were above the minimum,
 * which is no overpaying, as lower bids are stopped first; null: nothing can be compared. What could not be judged is
 * the rest of the sum shown: rounded by itself it would not always add up with what is compared.
 */
export function savedAnswer({
  items,
  total,
  notCompared: { consumptionUsd },
}: {
  items: readonly Compared[];
  total: Total;
  notCompared: Pick<NotCompared, 'consumptionUsd'>;
}): { lead: string; rest: string } | null {
  const { comparedUsd, savedUsd } = total;
  if (comparedUsd === null || savedUsd === null) return null;
  const others = isEnough(total)
    ? ''
    : `; the rest of the ${formatAmount(consumptionUsd)} could not be judged`;
  const whole = `the ${formatAmount(comparedUsd)} that can be compared`;
  if (!(Number(savedUsd) > 0))
    return {
      lead: 'You did not overpay',
      rest: ` for ${whole}: no cheaper equal machine was found${others}.`,
    };
  const shareOf = (usd: number): string => `${formatShare(usd / Number(comparedUsd))} of ${whole}`;
  const bidsUsd = savedAtBids(items);
  if (bidsUsd === null)
    return {
      lead: `You overpaid by at least ${formatAmount(savedUsd)}`,
      rest: `: ${shareOf(Number(savedUsd))}${others}.`,
    };
  // What could be judged is bids and others together: a share of it would be of neither.
  const judged = ` ${isEnough(total) ? '' : 'Only '}${formatAmount(comparedUsd)} of the ${formatAmount(consumptionUsd)} could be judged.`;
  if (bidsUsd === 'all')
    return {
      lead: `Your bids cost at least ${formatAmount(savedUsd)} more than the minimum bids`,
      rest: ` of equal machines. Lower bids are stopped first.${judged}`,
    };
  const onDemandUsd = Number(savedUsd) - bidsUsd;
  return {
    lead: `You overpaid by at least ${formatAmount(String(onDemandUsd))}`,
    rest: `. Your bids cost at least ${formatAmount(String(bidsUsd))} more than the minimum; lower ones are stopped first.${judged}`,
  };
}

/** Returns by how much equal machines were cheaper, and how much of it only at minimum bids; null: nothing was. */
export function cheaperWords(items: readonly Priced[], savedUsd: string | null): string | null {
  const cheaper = items.filter(({ cheaperEqual }) => cheaperEqual !== null);
  if (cheaper.length === 0 || savedUsd === null) return null;
  const machines = cheaper.length === 1 ? 'An equal machine was' : 'Equal machines were';
  return `${machines} cheaper while yours ran, by at least ${formatAmount(savedUsd)}.${bidsWords(cheaper)}`;
}

/** Returns sentences about how much of the sum is at minimum bids, and how near the bids were; empty for nothing. */
function bidsWords(items: readonly Priced[]): string {
  const atBids = savedAtBids(items);
  if (atBids === null) return '';
  const part = atBids === 'all' ? 'That' : `${formatAmount(String(atBids))} of that`;
  const bids = items.filter(({ type }) => type === 'bid').slice(0, maxBids);
  return ` ${part} was possible only at the minimum bid, and such rentals are stopped first; a higher bid lowers that risk.${bids.map((item) => bidWords(item, bids.length > 1)).join('')}`;
}

/** Returns what a bid cost per hour beside the minimum bid of the equal machine and the model's usual one; empty if unknown. */
function bidWords(item: Priced, isNamed: boolean): string {
  const { label, instanceId, cheaperEqual, comparedUsd, overMedianUsd, hours } = item;
  const ran = hours.reduce((sum, hour) => sum + (hour.overMedianUsd === null ? 0 : hour.seconds), 0) / 3600;
  if (cheaperEqual === null || comparedUsd === null || overMedianUsd === null || ran === 0) return '';
  const hourly = (usd: number): string => `${formatUsd(usd / ran)}/hour`;
  const who = isNamed ? `For ${label ?? instanceId ?? 'one'} you` : 'You';
  const usual = Number(comparedUsd) - Number(overMedianUsd);
  return ` ${who} paid ${hourly(Number(comparedUsd))} on average, disk included; the minimum bid there was ${formatUsd(cheaperEqual.usdPerHour)}/hour, the model’s usual one in those hours ${hourly(usual)}.`;
}

/** Returns how much of what was possible less is at minimum bids: `all`, or an amount in USD; null: nothing is. */
function savedAtBids(items: readonly Compared[]): 'all' | number | null {
  const cheaper = items.filter(({ cheaperEqual }) => cheaperEqual !== null);
  const bids = cheaper.flatMap(({ type, cheaperEqual }) =>
    type === 'bid' ? Number(cheaperEqual?.savedUsd) : [],
  );
  if (bids.length === 0) return null;
  return bids.length === cheaper.length ? 'all' : bids.reduce((sum, saved) => sum + saved, 0);
}

/** Returns the price of the equal machine that would have cost less, and in how many of the instance's hours; null: none is known. */
export function equalWords({ type, cheaperEqual, hours }: Pick<Item, 'type' | 'cheaperEqual' | 'hours'>) {
  if (cheaperEqual === null) return null;
  const { usdPerHour, offeredSeconds } = cheaperEqual;
  const ran = hours.reduce((sum, { seconds }) => sum + seconds, 0);
  const price = `${formatUsd(usdPerHour)}/hour`;
  return `${type === 'bid' ? `open to bids from ${price},` : `at ${price},`} seen on offer for ${hoursWords(offeredSeconds, ran)}`;
}

/** Returns `12 of the 40 h of your charges`, or `all of the 40 h of your charges`: a charge may cover hours in which it stood still. */
function hoursWords(offeredSeconds: number, ranSeconds: number): string {
  const [offered, ran] = [formatCount(offeredSeconds / 3600), formatCount(ranSeconds / 3600)];
  return `${offered === ran ? 'all' : offered} of the ${ran} h of your charges`;
}

/** Returns what can be compared, the largest saving first, then the most above the market's median. */
export const dearestFirst = <T extends Pick<Item, 'overMedianUsd' | 'cheaperEqual'>>(
  items: readonly T[],
): T[] => {
  const saved = ({ cheaperEqual }: T): number => Number(cheaperEqual?.savedUsd ?? 0);
  return items
    .filter(({ overMedianUsd }) => overMedianUsd !== null)
    .toSorted((a, b) => saved(b) - saved(a) || Number(b.overMedianUsd) - Number(a.overMedianUsd));
};
