import type { VsMarket } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { isEnough, savedAnswer } from './saved-words.ts';

/** The answer to "did I overpay?" beside the totals, with a link to its reasons; nothing until it is known. */
export function SavedAnswer({ compared }: { compared: Pick<VsMarket, 'items' | 'total'> | null }) {
  if (compared === null || compared.items.length === 0) return null;
  const { items, total } = compared;
  const answer = savedAnswer(items, total);
  const reasons = <a href="#vs-market">Compared with the market</a>;
  if (answer === null)
    return (
      <p class="caption" id="saved">
        Whether you could have paid less is unknown: nothing of the {formatAmount(total.paidUsd)} for GPUs and
        disk can be compared. {reasons}
      </p>
    );
  const { lead, rest } = answer;
  const isSure = isEnough(total);
  return (
    <p class={isSure ? 'figures-line' : 'caption'} id="saved" data-value={total.savedUsd}>
      {isSure ? <strong>{lead}</strong> : lead}
      {rest} {reasons}
    </p>
  );
}
