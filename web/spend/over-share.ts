import type { VsMarket } from '../core/api.ts';
import { formatAmount, formatShare } from '../core/figures.ts';

type Total = Pick<VsMarket['total'], 'comparedUsd' | 'overMedianUsd'>;

/** Returns what an amount above or below the market is of what was compared: `11.0% of the $37.27 that can be compared`; null: unknown. */
export function overShareWords({ comparedUsd, overMedianUsd }: Total): string | null {
  if (comparedUsd === null || overMedianUsd === null || !(Number(comparedUsd) > 0)) return null;
  const share = Math.abs(Number(overMedianUsd)) / Number(comparedUsd);
  return `${formatShare(share)} of the ${formatAmount(comparedUsd)} that can be compared`;
}
