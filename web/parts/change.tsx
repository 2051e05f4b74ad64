import type { PriceChange } from '../core/api.ts';
import { changeWords } from '../core/change-words.ts';
import { Explain, type Explained, explainQuery } from './explain.tsx';

/**
 * A like-for-like price change, with the median's below it. Bold and colored only if it is clear. Hover shows
 * the split into prices and mix, a click how it was computed; `worded` adds its meaning below.
 */
export function Change({
  change,
  of,
  worded = false,
}: {
  change: PriceChange;
  of: Explained;
  worded?: boolean;
}) {
  const { text, median, direction, detail } = changeWords(change);
  return (
    <Explain query={explainQuery('change', { ...of, days: String(change.days) })}>
      <span class="change" title={detail} data-status={change.status}>
        <span class={direction === 'down' ? 'fell' : direction === 'up' ? 'rose' : 'soft'}>
          {/* A narrow cell breaks before ±, not behind it. */}
          {text.replace('± ', '±\u00a0')}
        </span>
        {median !== null && <small class="soft">day’s median {median}</small>}
        {worded && <small class="soft">{change.words}</small>}
      </span>
    </Explain>
  );
}
