import type { Spend } from '../core/api.ts';
import { formatAmount, formatSignedPercent } from '../core/figures.ts';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { compareBefore, timesWords } from './compare-before.ts';
import { earlierWords, endsWithinDay, firstDayOf, formatDays, formatSpan } from './spend-periods.ts';

type Shown = Pick<Spend, 'before' | 'from' | 'timeZone'>;

/** The change of consumption against the same days earlier, in a sentence; nothing if there was none in both. */
export function SpendBefore({ spend: { before, from: rangeFrom, timeZone } }: { spend: Shown }) {
  if (before === null) return null;
  const { from, to, consumptionUsd, changeUsd, changePercent, firstSpendAt } = before;
  const range = new URLSearchParams({ from, to, timeZone });
  const change = Number(changeUsd);
  const compared = compareBefore(before);
  if (compared === 'neither') return null;
  const times = timesWords(changePercent);
  const firstDay = firstDayOf(firstSpendAt, timeZone);
  const percent = changePercent === null || times !== null ? '' : ` (${formatSignedPercent(changePercent)})`;
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
      {compared === 'uncovered' ? (
        <>
          Not compared with{' '}
          {Number(consumptionUsd) > 0 && (
            <>
              the <Explain query={query}>{formatAmount(consumptionUsd)}</Explain> from{' '}
            </>
          )}
          {span}, {words}: what is known of your spend begins only on {formatDays(firstDay, firstDay)}.
        </>
      ) : compared === 'only-now' ? (
        <>
          <Explain query={query}>Nothing</Explain> was spent from {span}, {words}.
        </>
      ) : compared === 'only-before' ? (
        <>Nothing was spent in this range; in the period before it was {then}</>
      ) : (
        <>
          <strong class={change > 0 ? 'rose' : change < 0 ? 'fell' : 'soft'}>
            {change === 0
              ? 'As much as'
              : `${formatAmount(String(Math.abs(change)))} ${change > 0 ? 'more' : 'less'}${percent}`}
          </strong>
          {change === 0 ? ' the' : times === null ? ' than the' : `, ${times} the`} {then}
        </>
      )}
    </p>
  );
}
