import type { VsMarket } from '../core/api.ts';
import { ownMoments } from '../core/explained-words.ts';
import { formatAmount, formatShare } from '../core/figures.ts';
import { differAsShown } from '../core/rounded-parts.ts';

type NotCompared = VsMarket['notCompared'];
type Item = VsMarket['items'][number];
type Part = NotCompared['parts'][number];

const reasonWords: Record<Part['reason'], string> = {
  unpriced: 'hours without a market price',
  disk: 'disk while stopped',
  traffic: 'traffic',
  volume: 'volumes',
  estimated: 'hours not charged so far',
  other: 'other consumption',
};
/** Number of instances named for each reason. */
const maxNames = 3;

/**
 * Returns how what is compared and what is not make up the consumption at the top, and why the rest is not: each amount
 * once. Where rounded amounts would not add up as shown, the smallest is said without a figure, as what remains.
 */
export function notComparedWords(
  { consumptionUsd, amountUsd, parts }: NotCompared,
  comparedUsd: string | null,
  items: Parameters<typeof unpricedWords>[0],
): string {
  const whole = formatAmount(consumptionUsd);
  if (parts.length === 0) return `All of the ${whole} of consumption is compared.`;
  const compared = comparedUsd ?? '0';
  const isRestShown = !differAsShown(consumptionUsd, [compared, amountUsd]);
  const rest = isRestShown ? `the other ${formatAmount(amountUsd)}` : 'the rest';
  const amounts = parts.map((part) => part.amountUsd);
  const areRounded = isRestShown
    ? differAsShown(amountUsd, amounts)
    : differAsShown(consumptionUsd, [compared, ...amounts]);
  const ordered = areRounded ? parts.toSorted((a, b) => Number(b.amountUsd) - Number(a.amountUsd)) : parts;
  const reasons = ordered.map((part, place) => {
    const words = partWords(part, items);
    if (parts.length === 1) return words;
    const isRemainder = areRounded && place === parts.length - 1;
    return `${isRemainder ? 'the remainder' : formatAmount(part.amountUsd)} for ${words}`;
  });
  const share = formatShare(Number(amountUsd) / Number(consumptionUsd));
  return `${formatAmount(compared)} of the ${whole} of consumption is compared; ${rest} (${share}) is not: ${reasons.join(', ')}.`;
}

function partWords({ reason, instances }: Part, items: Parameters<typeof unpricedWords>[0]): string {
  if (reason === 'unpriced') {
    const why = unpricedWords(items);
    return why === null ? reasonWords[reason] : `${reasonWords[reason]} (${why})`;
  }
  const all = instances.flatMap(({ instanceId, label }) => label ?? instanceId?.toString() ?? []);
  const names = [...new Set(all)];
  if (names.length === 0) return reasonWords[reason];
  const more = names.length - maxNames;
  const shown = more > 0 ? [...names.slice(0, maxNames), `${more} more`] : names;
  return `${reasonWords[reason]} (${shown.join(', ')})`;
}

/** Returns why an instance has no market price, with its moments as the page writes them. */
export const reasonOf = ({ unattributable }: Pick<Item, 'unattributable'>): string =>
  unattributable === null ? 'no market price of those hours' : ownMoments(unattributable);

/** Returns why hours have no market price, the reason of most money first; at most two are named; null: nothing more is known. */
export function unpricedWords(
  items: readonly Pick<Item, 'paidUsd' | 'comparedUsd' | 'unattributable'>[],
): string | null {
  const missing = items
    .map((item) => ({
      reason: reasonOf(item).replace(
        /^books of .* begin on (.*), after those hours$/,
        'the market’s offers are recorded only since $1',
      ),
      usd: Number(item.paidUsd) - Number(item.comparedUsd ?? 0),
    }))
    .filter(({ usd }) => usd > 0);
  const reasons = [...Map.groupBy(missing, ({ reason }) => reason)]
    .map(([reason, those]) => ({ reason, usd: those.reduce((sum, { usd }) => sum + usd, 0) }))
    .toSorted((a, b) => b.usd - a.usd)
    .map(({ reason }) => reason);
  if (reasons.every((reason) => reason === reasonOf({ unattributable: null }))) return null;
  return `${reasons.slice(0, 2).join('; ')}${reasons.length > 2 ? '; and other reasons' : ''}`;
}
