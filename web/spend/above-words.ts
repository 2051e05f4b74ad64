import type { VsMarket } from '../core/api.ts';
import { formatAmount, formatShare, formatUsd } from '../core/figures.ts';
import { overShareWords } from './over-share.ts';

type Total = VsMarket['total'];
type Item = VsMarket['items'][number];

/** With less of the money compared, more is unknown than known: such a figure is no answer for the whole. */
const minShare = 0.5;

/** Returns the share of the money for GPUs and disk that can be compared. */
const comparedShare = ({ paidUsd, comparedUsd }: Total): number =>
  Number(paidUsd) > 0 ? Number(comparedUsd) / Number(paidUsd) : 1;

/** Whether enough of the money can be compared to judge all of it. */
export const isEnough = (total: Total): boolean => comparedShare(total) >= minShare;

/** Returns `Only 15.0% of the money for GPUs and disk can be compared: too little to judge all of it.` */
export const onlyWords = (total: Total): string =>
  `Only ${formatShare(comparedShare(total))} of the money for GPUs and disk can be compared: too little to judge all of it.`;

/** Returns the answer to "did I overpay?" with what it is a share of; null: nothing can be compared. */
export function aboveAnswer(total: Total): { lead: string; rest: string } | null {
  const shareWords = overShareWords(total);
  if (total.overMedianUsd === null || shareWords === null) return null;
  const over = Number(total.overMedianUsd);
  return {
    lead: `Paid ${over < 0 ? 'below' : 'above'} the market: ${formatAmount(String(Math.abs(over)))}`,
    rest: `, ${shareWords}.${isEnough(total) ? '' : ` ${onlyWords(total)}`}`,
  };
}

/** What is paid above minimum bids is the price of something. */
const bidPrice = 'what is above the minimum keeps it from being outbid';

/** Returns how much of what is above the market is for bids, and that it is the price of not being outbid; empty without any. */
export function bidsWords(
  items: readonly Pick<Item, 'type' | 'overMedianUsd'>[],
  total: Pick<Total, 'overMedianUsd'>,
): string {
  const above = items.filter(({ type, overMedianUsd }) => type === 'bid' && Number(overMedianUsd) > 0);
  if (above.length === 0) return '';
  const usd = above.reduce((sum, { overMedianUsd }) => sum + Number(overMedianUsd), 0);
  const whose = above.length === 1 ? 'one bid' : `${above.length} bids`;
  const isPart = usd <= Number(total.overMedianUsd);
  return `${formatAmount(String(usd))} ${isPart ? 'of it ' : ''}comes from ${whose} above the market’s minimum bids: ${above.length === 1 ? bidPrice : bidPrice.replace('it', 'them')}.`;
}

/** What the amount of a bid above the market is. */
export const bidReason = `Your bid was above the market’s minimum bids; ${bidPrice}.`;

/** Returns what stands before and after the moment since when an equal machine was cheaper. */
export function equalWords(
  { machineId, usdPerHour, savedUsd, until }: NonNullable<Item['cheaperEqual']>,
  type: Item['type'],
): { before: string; after: string } {
  const price = `${formatUsd(usdPerHour)}/hour with the same disk`;
  const saved = Number(savedUsd) > 0 ? `: ${formatAmount(savedUsd)} less ` : ' ';
  return {
    before: `machine ${machineId}, equal, was ${type === 'bid' ? `open to bids from ${price}` : `offered at ${price}`} from`,
    after: `${saved}${until === null ? 'until the end' : 'while it was offered'}`,
  };
}

/** Returns the same in short, for a table: who, at which price, and how much less. */
export const shortEqualWords = ({
  machineId,
  usdPerHour,
  savedUsd,
}: NonNullable<Item['cheaperEqual']>): string =>
  `equal machine ${machineId} at ${formatUsd(usdPerHour)}/hour${Number(savedUsd) > 0 ? `: ${formatAmount(savedUsd)} less` : ''}`;

/** Returns what can be compared, the most above the market first. */
export const dearestFirst = <T extends Pick<Item, 'overMedianUsd'>>(items: readonly T[]): T[] =>
  items
    .filter(({ overMedianUsd }) => overMedianUsd !== null)
    .toSorted((a, b) => Number(b.overMedianUsd) - Number(a.overMedianUsd));
