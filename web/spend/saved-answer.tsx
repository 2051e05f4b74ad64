import type { VsMarket } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { isEnough, savedAnswer } from './saved-words.ts';

type Compared = Pick<VsMarket, 'items' | 'notCompared' | 'total'>;

/** The answer to "did I overpay?" beside the totals, with a link to how and why; its place is kept until it is known. */
export function SavedAnswer({ compared }: { compared: Compared | null }) {
  return (
    <div class="saved">
      {compared === null ? <p class="caption">Comparing with the market…</p> : <Answer {...compared} />}
    </div>
  );
}

function Answer({ items, notCompared, total }: Compared) {
  if (items.length === 0)
    return <p class="caption">No instance of this time can be compared with the market.</p>;
  const answer = savedAnswer({ items, total, notCompared });
  const reasons = <a href="#vs-market">Compared with the market</a>;
  if (answer === null)
    return (
      <p class="caption" id="saved">
        Whether you overpaid is unknown: nothing of the {formatAmount(total.paidUsd)} for GPUs and disk can be
        compared. {reasons}
      </p>
    );
  const { lead, rest } = answer;
  return (
    <p class="figures-line" id="saved" data-value={total.savedUsd}>
      {isEnough(total) ? <strong>{lead}</strong> : lead}
      {rest} {reasons}
    </p>
  );
}
