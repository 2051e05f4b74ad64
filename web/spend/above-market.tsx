import type { VsMarket } from '../core/api.ts';
import { formatAmount, formatShare } from '../core/figures.ts';
import { overShareWords } from './over-share.ts';

/** What was paid above the market, beside the totals, with a link to the comparison; nothing until it is known. */
export function AboveMarket({ total }: { total: VsMarket['total'] | null }) {
  const shareWords = total === null ? null : overShareWords(total);
  if (total === null || total.overMedianUsd === null || shareWords === null) return null;
  const { paidUsd, comparedUsd, overMedianUsd } = total;
  const over = Number(overMedianUsd);
  const share = Number(paidUsd) > 0 ? Number(comparedUsd) / Number(paidUsd) : 1;
  return (
    <p class="caption" id="above-market" data-value={overMedianUsd}>
      {formatAmount(String(Math.abs(over)))} {over < 0 ? 'below' : 'above'} the market’s median price in the
      same hours, {shareWords}; {comparedUsd === paidUsd ? 'all' : formatShare(share)} of the money for GPUs
      and disk can be compared: <a href="#vs-market">compared with the market</a>.
    </p>
  );
}
