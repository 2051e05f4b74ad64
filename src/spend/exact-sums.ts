import { Decimal } from 'decimal.js';

/** Decimals beyond what any sum of bills needs. */
export const Exact = Decimal.clone({ precision: 200, toExpNeg: -1000, toExpPos: 1000 });

/** Returns the exact sum of decimal texts. */
export const sumUsd = (amounts: readonly string[]): string =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0)).toString();
