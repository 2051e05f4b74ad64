import type { VsMarket } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { differAsShown } from '../core/rounded-parts.ts';

type NotCompared = VsMarket['notCompared'];
type Part = NotCompared['parts'][number];

const reasonWords: Record<Part['reason'], string> = {
  unpriced: 'hours without a market price',
  disk: 'disk while stopped',
  traffic: 'traffic',
  volume: 'volumes',
  estimated: 'not charged yet',
  other: 'other consumption',
};
/** Number of instances named for each reason. */
const maxNames = 3;

/** Returns how what is compared and what is not make up the consumption at the top, and why the rest is not. */
export function notComparedWords(
  { consumptionUsd, amountUsd, parts }: NotCompared,
  comparedUsd: string | null,
): string {
  const whole = formatAmount(consumptionUsd);
  if (parts.length === 0) return `All of the ${whole} of consumption is compared.`;
  const reasons = parts.map((part) =>
    parts.length === 1 ? partWords(part) : `${formatAmount(part.amountUsd)} ${partWords(part)}`,
  );
  const areRounded =
    differAsShown(consumptionUsd, [comparedUsd ?? '0', amountUsd]) ||
    differAsShown(
      amountUsd,
      parts.map((part) => part.amountUsd),
    );
  const rounded = areRounded ? ' Each amount is rounded by itself.' : '';
  return `${formatAmount(comparedUsd ?? '0')} of the ${whole} of consumption is compared; ${formatAmount(amountUsd)} is not: ${reasons.join(', ')}.${rounded}`;
}

function partWords({ reason, instances }: Part): string {
  const all = instances.flatMap(({ instanceId, label }) => label ?? instanceId?.toString() ?? []);
  const names = [...new Set(all)];
  // A list of its own names those without a market price.
  if (names.length === 0 || reason === 'unpriced') return reasonWords[reason];
  const more = names.length - maxNames;
  const shown = more > 0 ? [...names.slice(0, maxNames), `${more} more`] : names;
  return `${reasonWords[reason]} (${shown.join(', ')})`;
}
