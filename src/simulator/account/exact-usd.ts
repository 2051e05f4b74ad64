/**
 * An exact amount of dollars, as an integer of 1 / (10^30 × 3600 × 720): a decimal $/hour times seconds, or a decimal
 * $/GB/month (of 720 hours) times GB and seconds, always is one.
 */
export type ExactUsd = bigint;

/** A rate: `units` × 10^-30 dollars in `hours` hours. */
export interface Rate {
  units: bigint;
  hours: 1 | 720;
}

const scale = 30;
const wholeDollar = 10n ** BigInt(scale) * 3600n * 720n;
const microDollar = wholeDollar / 1_000_000n;

/** Returns the exact product of decimal factors as a rate per hour, or per month of 720 hours. */
export function rateOf(factors: readonly (number | string)[], hours: Rate['hours']): Rate {
  let units = 1n;
  let decimals = 0;
  for (const factor of factors) {
    const decimal = readDecimal(String(factor));
    units *= decimal.units;
    decimals += decimal.decimals;
  }
  const missing = scale - decimals;
  // Digits beyond 30 decimals do not add up to a cent in a thousand years.
  return { units: missing >= 0 ? units * 10n ** BigInt(missing) : units / 10n ** BigInt(-missing), hours };
}

/** Returns the cost of a rate over whole seconds. */
export function amountOver(rate: Rate, seconds: number): ExactUsd {
  return rate.units * BigInt(seconds) * BigInt(720 / rate.hours);
}

/** Rounds an amount to millionths of a dollar, half up. */
export function microUsd(amount: ExactUsd): number {
  const doubled = 2n * amount + microDollar;
  const divisor = 2n * microDollar;
  const quotient = doubled / divisor;
  return Number(doubled < 0n && doubled % divisor !== 0n ? quotient - 1n : quotient);
}

/** Formats millionths of a dollar as a decimal, `-25.000000`. */
export function usdText(micro: number): string {
  const digits = String(Math.abs(micro)).padStart(7, '0');
  return `${micro < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Returns millionths of a dollar as the number whose JSON text is that decimal. */
export const usdNumber = (micro: number): number => Number(usdText(micro));

/** Parses a decimal of dollars as millionths. Throws for more than six decimals and other text. */
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
