import definitions from './definitions.json' with { type: 'json' };
import { numberFormat } from './formats.ts';

const localUsd = (decimals: number) =>
  numberFormat({
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });

/**
 * Returns the decimals of a price per hour: 4, or 6 or 8 below a cent and below a hundredth of a cent, so that prices line
 * up, at least three digits differ, and a price reads the same wherever it stands. Of several values, those of the
 * smallest. Ignores zeros and nulls.
 */
export function priceDecimals(values: readonly (number | null)[]): number {
  const sizes = values.flatMap((value) => (value === null || value === 0 ? [] : [Math.abs(value)]));
  const smallest = Math.min(...sizes);
  const { below, usual } = definitions.priceDecimals;
  return below.find(({ usd }) => smallest < usd)?.decimals ?? usual;
}

/** Formats a price per hour in US dollars, `$0.4020`; `–` for null. */
export function formatUsd(value: number | null, decimals = priceDecimals([value])): string {
  return value === null ? '–' : localUsd(decimals).format(value);
}

/** Formats a limit of a price as it was typed, but with at least two decimals, `$2.00`, `$0.0375`. */
export const formatLimit = (usd: number): string =>
  numberFormat({
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 12,
  }).format(Number(usd.toPrecision(6)));

/** Formats a price per hour without its sign, as a column with the unit in its head shows it; `–` for null. */
export const formatPrice = (value: number | null, decimals = priceDecimals([value])): string =>
  formatFixed(value, decimals);

/** Formats an amount on an axis whose amounts differ by `step`: two decimals, more if they would look alike. */
export const formatAmountTick = (value: number, step: number): string =>
  formatUsd(value, Math.min(7, Math.max(2, -Math.floor(Math.log10(step)))));

/** Formats a number with exactly `decimals` decimals, for aligned columns; `–` for null. */
export function formatFixed(value: number | null, decimals: number): string {
  if (value === null) return '–';
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return numberFormat(digits).format(value);
}

/** Formats a count, or an average of counts with at most one decimal. */
export function formatCount(value: number): string {
  return numberFormat({ maximumFractionDigits: 1 }).format(value);
}

const vramScale = definitions.rankingColumns.find(({ name }) => name === 'gpuRamMb')?.scale ?? 1;

/** Formats the memory of one GPU in the GB that its card is sold by, or that of several together: `24 GB`. */
export const formatVram = (mb: number, gpus = 1): string =>
  `${formatCount(Math.round(mb / vramScale) * gpus)} GB`;

/** Formats RAM: a GB is 1000 MB, as the market counts it. */
export const formatGb = (mb: number): string => `${formatCount(mb / 1000)} GB`;

/** Formats a count that may be a lower bound, `≥ 318`; `–` for null. */
export function formatAtLeast(value: number | null, isLowerBound: boolean | null): string {
  if (value === null) return '–';
  return isLowerBound === true ? `≥ ${formatCount(value)}` : formatCount(value);
}

/** Formats a share from 0 to 1 as a percentage, `2.4%`; what rounds to zero has no sign; `–` for null. */
export function formatShare(
  value: number | null,
  decimals = 1,
  signDisplay: 'negative' | 'exceptZero' = 'negative',
): string {
  if (value === null) return '–';
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return numberFormat({ style: 'percent', ...digits, signDisplay }).format(value);
}

/** Formats a percentage from 0 to 100, `2.4%`; `–` for null. */
export const formatPercent = (percent: number | null, decimals: number): string =>
  formatShare(percent === null ? null : percent / 100, decimals);

/** Formats a count and its noun: `1 book`, `14 books`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Formats a change, given as a share, with its sign and one decimal, `−2.4%`; `–` for null. */
export const formatChange = (value: number | null): string => formatShare(value, 1, 'exceptZero');

/**
 * Formats an exact amount in US dollars, given as decimal text and rounded for display, `$1,234.57`; `<$0.01` or
 * `-<$0.01` if it would round to zero, `–` for null.
 */
export function formatAmount(amount: string | null, decimals = 2): string {
  if (amount === null) return '–';
  const [value, least] = [Number(amount), 10 ** -decimals];
  const format = localUsd(decimals);
  if (value === 0) return format.format(0);
  if (Math.abs(value) < least / 2)
    return value > 0 ? `<${format.format(least)}` : `-<${format.format(least)}`;
  // Intl rounds decimal text exactly; the cast declares it as a number.
  return format.format(amount as `${number}`);
}

/** Formats an exact price per hour, given as decimal text, with its unit; nothing at all needs no decimals. */
export const formatHourly = (usd: string): string =>
  `${Number(usd) === 0 ? localUsd(0).format(0) : formatAmount(usd, 4)}/hour`;

/** Formats what a disk costs per day, given as decimal text, as an exact price per hour, like the prices beside it. */
export const formatHourlyOfDay = (usdPerDay: string): string =>
  `${formatAmount(String(Number((Number(usdPerDay) / 24).toPrecision(12))), 4)}/hour`;

/** Formats a percentage with its sign, `+2.4%`. */
export const formatSignedPercent = (percent: number, decimals = 1): string =>
  formatShare(percent / 100, decimals, 'exceptZero');
