import type { Spend } from '../core/api.ts';
import { formatAmount, formatSignedPercent } from '../core/figures.ts';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { compareBefore } from './compare-before.ts';
import { earlierWords, endsWithinDay, formatSpan } from './spend-periods.ts';

type Shown = Pick<Spend, 'before' | 'from' | 'timeZone' | 'totals'>;

/** The change of consumption against the same days earlier, in a sentence; nothing if there was none in both. */
export function SpendBefore({ spend: { before, from: rangeFrom, timeZone, totals } }: { spend: Shown }) {
  if (before === null) return null;
  const { from, to, consumptionUsd, changeUsd, changePercent } = before;
  const range = new URLSearchParams({ from, to, timeZone });
  const change = Number(changeUsd);
  const compared = compareBefore(before);
  if (compared === 'neither') return null;
  const percent = changePercent === null ? '' : ` (${formatSignedPercent(changePercent)})`;
  const estimated = totals.find((total) => total.category === 'consumption' && total.basis === 'estimated');
  const upTo = endsWithinDay(to, timeZone) ? ' up to this time of day' : '';
  const [span, words] = [formatSpan(from, to, timeZone), `${earlierWords(from, rangeFrom, timeZone)}${upTo}`];
  const query = explainQuery('spend', { category: 'consumption' }, range);
  const then = (
    <>
      <Explain query={query}>{formatAmount(consumptionUsd)}</Explain> from {span}, {words}.
    </>
  );
  return (
    <p class="caption" id="spend-before" data-value={changeUsd}>
      {compared === 'only-now' ? (
        <>
          <Explain query={query}>Nothing</Explain> was spent from {span}, {words}.
        </>
      ) : compared === 'only-before' ? (
        <>Nothing was spent in this range; in the period before it was {then}</>
      ) : (
        <>
          {estimated !== undefined && `With the estimated ${formatAmount(estimated.amountUsd)}, `}
          <strong class={change > 0 ? 'rose' : change < 0 ? 'fell' : 'soft'}>
            {change === 0
              ? `${estimated === undefined ? 'As' : 'as'} much as`
              : `${formatAmount(String(Math.abs(change)))} ${change > 0 ? 'more' : 'less'}${percent}`}
          </strong>{' '}
          {change === 0 ? 'the' : 'than the'} {then}
        </>
      )}
    </p>
  );
}
