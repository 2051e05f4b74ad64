import type { Spend } from '../core/api.ts';
import { formatAmount, formatSignedPercent } from '../core/figures.ts';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Moment } from '../parts/moment.tsx';

/** The change of consumption against the period before, in a sentence; nothing if there was none in both. */
export function SpendBefore({ before, timeZone }: Pick<Spend, 'before' | 'timeZone'>) {
  if (before === null) return null;
  const { from, to, consumptionUsd, changeUsd, changePercent } = before;
  const range = new URLSearchParams({ from, to, timeZone });
  const change = Number(changeUsd);
  if (change === 0 && Number(consumptionUsd) === 0) return null;
  const percent = changePercent === null ? '' : ` (${formatSignedPercent(changePercent)})`;
  const isFirst = Number(consumptionUsd) === 0;
  return (
    <p class="caption" id="spend-before" data-value={changeUsd}>
      {isFirst ? (
        'Nothing was consumed in the period before: '
      ) : (
        <>
          <strong class={change > 0 ? 'rose' : change < 0 ? 'fell' : 'soft'}>
            {change === 0
              ? 'As much as'
              : `${formatAmount(String(Math.abs(change)))} ${change > 0 ? 'more' : 'less'}${percent} than`}
          </strong>{' '}
          in the period before:{' '}
        </>
      )}
      <Explain query={explainQuery('spend', { category: 'consumption' }, range)}>
        {formatAmount(consumptionUsd)}
      </Explain>{' '}
      from <Moment t={from} /> to <Moment t={to} />.
    </p>
  );
}
