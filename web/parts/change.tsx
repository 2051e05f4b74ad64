import type { PriceChange } from '../core/api.ts';
import { changeWords } from '../core/change-words.ts';
import { Icon } from './icon.tsx';

/**
 * A change of prices like for like, with the median's below it. Coloured, with a shape for its direction, only where it is
 * clear; the split into prices and mix on hover.
 */
export function Change({ change }: { change: PriceChange }) {
  const { text, median, direction, detail } = changeWords(change);
  return (
    <span class="change" title={detail} data-status={change.status}>
      <span class={direction === 'down' ? 'fell' : direction === 'up' ? 'rose' : 'soft'}>
        {direction !== null && <Icon name={direction === 'down' ? 'good' : 'dear'} />}
        {text}
      </span>
      {median !== null && <small class="soft">median {median}</small>}
    </span>
  );
}
