import type { VsMarket } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { aboveAnswer, bidsWords, isEnough } from './above-words.ts';

/** The answer to "did I overpay?" beside the totals, with a link to its reasons; nothing until it is known. */
export function AboveMarket({ compared }: { compared: Pick<VsMarket, 'items' | 'total'> | null }) {
  if (compared === null || compared.items.length === 0) return null;
  const { items, total } = compared;
  const answer = aboveAnswer(total);
  const reasons = <a href="#vs-market">Compared with the market</a>;
  if (answer === null)
    return (
      <p class="caption" id="above-market">
        Whether it was above the market is unknown: nothing of the {formatAmount(total.paidUsd)} for GPUs and
        disk can be compared. {reasons}
      </p>
    );
  const { lead, rest } = answer;
  const isSure = isEnough(total);
  return (
    <p class={isSure ? 'figures-line' : 'caption'} id="above-market" data-value={total.overMedianUsd}>
      {isSure ? <strong>{lead}</strong> : lead}
      {rest} {bidsWords(items, total)} {reasons}
    </p>
  );
}
