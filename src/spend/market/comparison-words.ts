import type { SpendVsMarketAnswer } from '../reconciliation/spend-checks.routes.ts';

type Compared = SpendVsMarketAnswer['items'][number];

/** In what a cheaper equal machine is equal, as `cheaperEquals` looks for it; on the page and in explanations. */
export const equalMachineMeaning =
  'Equal: the same GPU model, number of GPUs and pricing type; memory per GPU and verification not lower, reliability at most 1 percentage point lower, room for the disk. Country, CPU, RAM and network are not compared. Counted from 5% cheaper on, without outliers and blocked machines. Of all that were cheaper, the one counts that would have saved the most by itself; they are not added up. Hours after an equal machine’s offer disappeared do not count, so it is at least this: had you rented the machine before, you might have kept it at that price.';

/** Returns why an instance is not compared, or the equal machine that was cheaper; empty for neither. */
export function remarkOf({ unattributable, cheaperEqual, hours }: Compared): string {
  if (unattributable !== null) return unattributable;
  if (cheaperEqual === null) return '';
  const { machineId, usdPerHour, offeredSeconds, savedUsd } = cheaperEqual;
  const price = `$${Number(usdPerHour.toPrecision(6))}/hour`;
  const ran = hours.reduce((sum, { seconds }) => sum + seconds, 0);
  const offered = `${hoursOf(offeredSeconds)} of its ${hoursOf(ran)} h`;
  return `equal machine ${machineId} was seen on offer at ${price} for ${offered}: at least ${savedUsd} USD less`;
}

/** Returns seconds as hours with at most one decimal. */
const hoursOf = (seconds: number): number => Number((seconds / 3600).toFixed(1));

/** Describes how much less could have been paid, the market's prices, and how much cannot be compared. */
export function describeComparison({ items, total, notCompared }: SpendVsMarketAnswer): string {
  if (items.length === 0) return 'No instance was charged in this range.';
  const { paidUsd, comparedUsd, overMedianUsd, overLowestUsd, savedUsd } = total;
  if (comparedUsd === null) {
    return `None of the ${paidUsd} USD for GPUs and disk can be compared: no market prices of those hours are stored.`;
  }
  return (
    `${savedWords(savedUsd, comparedUsd)} ` +
    `${comparedUsd} of ${paidUsd} USD for GPUs and disk (${percentOf(comparedUsd, paidUsd)}) can be compared: ${overMedianUsd} USD over the market's median, ` +
    `${overLowestUsd} USD over its lowest price, in the same hours and of the same pricing type, without outliers (negative: below it); that may be of a machine that is not equal. ` +
    `Not compared of ${notCompared.consumptionUsd} USD of consumption: ${notCompared.amountUsd} USD${reasonsOf(notCompared)}.`
  );
}

/** Returns whether less could have been paid, and how much. */
const savedWords = (savedUsd: string | null, comparedUsd: string): string =>
  Number(savedUsd) > 0
    ? `You could have paid at least ${savedUsd} USD less (${percentOf(savedUsd ?? '0', comparedUsd)} of what can be compared): an equal machine was cheaper while yours ran. Hours after its offer disappeared do not count.`
    : 'No cheaper equal machine was found.';

/** Returns the amounts that are not compared by reason, in brackets; empty if all is compared. */
const reasonsOf = ({ parts }: SpendVsMarketAnswer['notCompared']): string =>
  parts.length === 0 ? '' : ` (${parts.map(({ reason, amountUsd }) => `${reason} ${amountUsd}`).join(', ')})`;

const percentOf = (part: string, whole: string): string =>
  Number(whole) === 0 ? '0%' : `${Number(((100 * Number(part)) / Number(whole)).toFixed(1))}%`;

/** Describes the same hours at the cheapest cloud; empty if no list price of another seller is known. */
export const describeCloud = ({ cloud }: SpendVsMarketAnswer): string[] =>
  cloud.cloudUsd === null
    ? []
    : [
        `The same hours at the cheapest cloud: ${cloud.cloudUsd} USD for what cost ${cloud.cloudComparedUsd} USD; ` +
          `${cloud.notComparedUsd} USD cannot be compared.`,
      ];
