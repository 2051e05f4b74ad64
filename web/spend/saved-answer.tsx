import type { VsMarket } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { unpricedWords } from './not-compared-words.ts';
import { isEnough, savedAnswer, unjudgedWords } from './saved-words.ts';

type Compared = Pick<VsMarket, 'items' | 'total' | 'notCompared'>;

/** The answer to "did I overpay?" beside the totals, with a link to its reasons; its place is kept until it is known. */
export function SavedAnswer({ compared }: { compared: Compared | null }) {
  return (
    <div class="saved">
      {compared === null ? <p class="caption">Comparing with the market…</p> : <Answer {...compared} />}
    </div>
  );
}

function Answer(compared: Compared) {
  const { items, total } = compared;
  if (items.length === 0)
    return <p class="caption">No instance of this time can be compared with the market.</p>;
  const answer = savedAnswer(items, total);
  const reasons = <a href="#vs-market">Compared with the market</a>;
  if (answer === null)
    return (
      <p class="caption" id="saved">
        Whether you could have paid less is unknown: nothing of the {formatAmount(total.paidUsd)} for GPUs and
        disk can be compared: {unpricedWords(items)}. {reasons}
      </p>
    );
  const { lead, rest } = answer;
  const isSure = isEnough(total);
  const unjudged = unjudgedWords(compared);
  return (
    <>
      <p class="figures-line" id="saved" data-value={total.savedUsd}>
        {isSure ? <strong>{lead}</strong> : lead}
        {rest} {unjudged === null && reasons}
      </p>
      {unjudged !== null && (
        <p class="caption" id="unjudged">
          {unjudged} {reasons}
        </p>
      )}
    </>
  );
}
