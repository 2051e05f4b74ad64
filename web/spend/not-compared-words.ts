import type { VsMarket } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { differAsShown } from '../core/rounded-parts.ts';
import { formatDays } from './spend-periods.ts';

type NotCompared = VsMarket['notCompared'];
type Item = VsMarket['items'][number];
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

/** Returns why an instance has no market price, with days as the page writes them. */
export const reasonOf = ({ unattributable }: Pick<Item, 'unattributable'>): string =>
  unattributable === null
    ? 'no market price of those hours'
    : unattributable.replace(/\d{4}-\d{2}-\d{2}/, (day) => formatDays(day, day));

/** Returns why hours have no market price, the reason of most money first; at most two are named. */
export function unpricedWords(
  items: readonly Pick<Item, 'paidUsd' | 'comparedUsd' | 'unattributable'>[],
): string {
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
  if (reasons.length === 0) return reasonOf({ unattributable: null });
  return `${reasons.slice(0, 2).join('; ')}${reasons.length > 2 ? '; and other reasons' : ''}`;
}
