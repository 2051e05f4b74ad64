import type { VsMarket } from '../core/api.ts';
import { countOf, formatAmount } from '../core/figures.ts';
import { differAsShown, roundedWords } from '../core/rounded-parts.ts';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { aboveAnswer, bidReason, dearestFirst, isEnough, onlyWords } from './above-words.ts';
import { EqualMachine } from './equal-machine.tsx';
import { shortNameOf } from './instance-name.tsx';
import { notComparedWords } from './not-compared-words.ts';

type Item = VsMarket['items'][number];

/** Number of instances named as reasons. */
const maxReasons = 3;

/** What was paid above the market's median, how that is part of all consumption, and the instances that made up most of it. */
export function PaidAbove({
  items,
  total,
  notCompared,
  query,
}: Pick<VsMarket, 'items' | 'total' | 'notCompared'> & { query: URLSearchParams }) {
  const { paidUsd, comparedUsd, overMedianUsd } = total;
  if (aboveAnswer(total) === null)
    return (
      <p class="caption" id="paid-above">
        Nothing of the {formatAmount(paidUsd)} for GPUs and disk can be compared; why is said below.
      </p>
    );
  const over = Number(overMedianUsd);
  const amount = (
    <Explain query={explainQuery('vs-market', {}, query)}>{formatAmount(String(Math.abs(over)))}</Explain>
  );
  const dearest = dearestFirst(items)
    .filter((item) => Number(item.overMedianUsd) > 0)
    .slice(0, maxReasons);
  const isRounded =
    differAsShown(
      total.overMedianUsd ?? '0',
      items.flatMap((item) => item.overMedianUsd ?? []),
    ) || differAsShown(notCompared.consumptionUsd, [comparedUsd ?? '0', notCompared.amountUsd]);
  return (
    <>
      {isEnough(total) ? (
        <p class="figures-line" id="paid-above" data-value={overMedianUsd}>
          <strong>
            {amount} paid {over < 0 ? 'below' : 'above'} the market
          </strong>
          , against the median price of the same hours. {notComparedWords(notCompared, comparedUsd)}
        </p>
      ) : (
        <p class="caption" id="paid-above" data-value={overMedianUsd}>
          {onlyWords(total)} For that part {amount} was paid {over < 0 ? 'below' : 'above'} the median price
          of the same hours. {notComparedWords(notCompared, comparedUsd)}
        </p>
      )}
      {dearest.length > 0 && (
        <ul class="reasons" aria-label="Why it was above the market">
          {dearest.map((item) => (
            <li key={`${item.instanceId}/${item.source}`}>{reasonOf(item)}</li>
          ))}
        </ul>
      )}
      {isRounded && <p class="caption">{roundedWords}</p>}
    </>
  );
}

/** Why an instance was above the market: in how many hours, and whether an equal machine was cheaper. */
function reasonOf(item: Item) {
  const { instanceId, label, type, overMedianUsd, hours, cheaperEqual } = item;
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
          ; <EqualMachine equal={cheaperEqual} type={type} />.
        </>
      )}
      {type === 'bid' && ` ${bidReason}`}
    </>
  );
}
