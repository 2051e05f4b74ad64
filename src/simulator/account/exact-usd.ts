/**
 * An exact amount of dollars, as a whole number of 1 / (10^30 × 3600 × 720): a decimal $/hour times seconds, or a
 * decimal $/GB/month (of 720 hours) times GB and seconds, is always one.
 */
export type ExactUsd = bigint;

/** What a thing costs: `units` × 10^-30 dollars in `hours` hours. */
export interface Rate {
  units: bigint;
  hours: 1 | 720;
}

const scale = 30;
const wholeDollar = 10n ** BigInt(scale) * 3600n * 720n;
const microDollar = wholeDollar / 1_000_000n;

/** The exact rate that decimal factors multiply to, in $ an hour or a month of 720 hours. */
export function rateOf(factors: readonly (number | string)[], hours: Rate['hours']): Rate {
  let units = 1n;
  let decimals = 0;
  for (const factor of factors) {
    const decimal = readDecimal(String(factor));
    units *= decimal.units;
    decimals += decimal.decimals;
  }
  const missing = scale - decimals;
  // Beyond 30 decimals nothing is left of a cent, even in a thousand years.
  return { units: missing >= 0 ? units * 10n ** BigInt(missing) : units / 10n ** BigInt(-missing), hours };
}

/** What a rate comes to over whole seconds. */
export function amountOver(rate: Rate, seconds: number): ExactUsd {
  return rate.units * BigInt(seconds) * BigInt(720 / rate.hours);
}

/** An amount in millionths of a dollar, half a millionth up. */
export function microUsd(amount: ExactUsd): number {
  const doubled = 2n * amount + microDollar;
  const divisor = 2n * microDollar;
  const quotient = doubled / divisor;
  return Number(doubled < 0n && doubled % divisor !== 0n ? quotient - 1n : quotient);
}

/** Millionths of a dollar as a decimal, `-25.000000`. */
export function usdText(micro: number): string {
  const digits = String(Math.abs(micro)).padStart(7, '0');
  return `${micro < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Millionths of a dollar as the number whose JSON text is that decimal. */
export const usdNumber = (micro: number): number => Number(usdText(micro));

/** A decimal of dollars as millionths; fails when it has more than six decimals or is none. */
export function readMicroUsd(usd: number | string): number {
  const { units, decimals } = readDecimal(String(usd));
  if (decimals > 6) throw new Error(`${usd} has more than six decimals`);
  return Number(units * 10n ** BigInt(6 - decimals));
}

function readDecimal(text: string): { units: bigint; decimals: number } {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/i.exec(text);
  if (match === null) throw new Error(`${text} is no decimal`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const decimals = fraction.length - Number(exponent);
  const units = BigInt(sign + whole + fraction);
  return decimals >= 0 ? { units, decimals } : { units: units * 10n ** BigInt(-decimals), decimals: 0 };
}
