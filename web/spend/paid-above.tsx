import type { VsMarket } from '../core/api.ts';
import { countOf, formatAmount, formatShare } from '../core/figures.ts';
import { differAsShown, roundedWords } from '../core/rounded-parts.ts';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Moment } from '../parts/moment.tsx';
import { shortNameOf } from './instance-name.tsx';
import { overShareWords } from './over-share.ts';

type Item = VsMarket['items'][number];

/** Number of instances named as reasons. */
const maxReasons = 3;
/** With less of the money compared, more is unknown than known: such a figure is no answer for the whole. */
const minShare = 0.5;

/** What was paid above the market's median, of how much of the money, and the instances that made up most of it. */
export function PaidAbove({
  items,
  total,
  query,
}: Pick<VsMarket, 'items' | 'total'> & { query: URLSearchParams }) {
  const { paidUsd, comparedUsd, overMedianUsd } = total;
  const shareWords = overShareWords(total);
  if (overMedianUsd === null || comparedUsd === null || shareWords === null)
    return (
      <p class="caption" id="paid-above">
        Nothing of the {formatAmount(paidUsd)} for GPUs and disk can be compared; why is said below.
      </p>
    );
  const share = Number(paidUsd) > 0 ? Number(comparedUsd) / Number(paidUsd) : 1;
  const over = Number(overMedianUsd);
  const amount = (
    <Explain query={explainQuery('vs-market', {}, query)}>{formatAmount(String(Math.abs(over)))}</Explain>
  );
  const dearest = items
    .filter((item) => Number(item.overMedianUsd ?? 0) > 0)
    .toSorted((a, b) => Number(b.overMedianUsd) - Number(a.overMedianUsd))
    .slice(0, maxReasons);
  return (
    <>
      {share < minShare ? (
        <p class="caption" id="paid-above" data-value={overMedianUsd}>
          Only {formatShare(share)} of the money can be compared, {formatAmount(comparedUsd)} of{' '}
          {formatAmount(paidUsd)} for GPUs and disk while they ran: too little to judge all of it. For that
          part {amount} was paid {over < 0 ? 'below' : 'above'} the median price of the same hours,{' '}
          {shareWords}.
        </p>
      ) : (
        <p class="figures-line" id="paid-above" data-value={overMedianUsd}>
          <strong>
            {amount} paid {over < 0 ? 'below' : 'above'} the market
          </strong>
          , {shareWords}, against the median price of the same hours.{' '}
          {comparedUsd === paidUsd
            ? `All of the ${formatAmount(paidUsd)} for GPUs and disk while they ran is compared.`
            : `Compared is ${formatShare(share)} of the money, ${formatAmount(comparedUsd)} of ${formatAmount(paidUsd)} for GPUs and disk while they ran.`}
        </p>
      )}
      {dearest.length > 0 && (
        <ul class="reasons" aria-label="Why it was above the market">
          {dearest.map((item) => (
            <li key={`${item.instanceId}/${item.source}`}>{reasonOf(item)}</li>
          ))}
        </ul>
      )}
      {differAsShown(
        overMedianUsd,
        items.flatMap((item) => item.overMedianUsd ?? []),
      ) && <p class="caption">{roundedWords}</p>}
    </>
  );
}

/** Why an instance was above the market: in how many hours, and whether an equal machine was cheaper. */
function reasonOf(item: Item) {
  const { instanceId, label, overMedianUsd, hours, cheaperEqual } = item;
  const known = hours.filter((hour) => hour.overMedianUsd !== null);
  const above = known.filter((hour) => Number(hour.overMedianUsd) > 0).length;
  return (
    <>
      {formatAmount(overMedianUsd)} by {shortNameOf(item)}
      {label !== null && instanceId !== null && ` (${instanceId})`}: above the median in {above} of{' '}
      {countOf(known.length, 'compared hour')}
      {cheaperEqual === null ? (
        '; no equal machine was cheaper.'
      ) : (
        <>
          ; machine {cheaperEqual.machineId} was equal and cheaper from{' '}
          <Moment t={cheaperEqual.since} relative={false} />.
        </>
      )}
    </>
  );
}
