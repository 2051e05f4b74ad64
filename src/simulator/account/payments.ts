import { type Chance, purposeOf } from '../model/chance.ts';
import type { AccountState, InvoiceState } from './account-state.ts';
import { consumedMicroUsd } from './charges.ts';
import { readMicroUsd } from './exact-usd.ts';
import type { BillingRules } from './meters.ts';

/** The services of invoices. Source: docs/marketplace.md#412-list-invoices. */
export const invoiceServices = [
  'transfer',
  'cardproc_payments',
  'cryptopay_a',
  'cryptopay_b',
  'cryptopay_c',
  'instance_prepay',
  'walletpay_manual',
  'transferpay_manual',
] as const;

/** How an account is paid for, in dollars. */
export interface PaymentRules {
  /** Paid at the opening. */
  openingCreditUsd: number;
  /** Paid at a full hour with less than `belowUsd` left; null: never. */
  autoTopUp: { belowUsd: number; amountUsd: number } | null;
  /** Payments of each service before the opening, some days apart and many of them closer, within about 8 years. */
  pastPayments: number;
}

const p = {
  service: purposeOf('past service'),
  gap: purposeOf('past gap'),
  amount: purposeOf('past amount'),
};
const hourS = 3600;
/** More payments than this are closer together. */
const fewPayments = 1500;

/** Returns the first invoices of an account: past ones, then its opening credit. */
export function openingInvoices(
  rules: PaymentRules,
  chance: Chance,
  openedS: number,
): Omit<InvoiceState, 'id'>[] {
  const past: Omit<InvoiceState, 'id'>[] = [];
  let atS = openedS;
  const scale = Math.min(1, fewPayments / rules.pastPayments);
  for (let index = 0; index < rules.pastPayments; index += 1) {
    atS -= Math.round(scale * (hourS + 4 * 86_400 * chance(p.gap, index)));
    const service = invoiceServices[index % invoiceServices.length] ?? 'transfer';
    const cents = 500 + Math.floor(20_000 * chance(p.amount, index));
    // Occasionally money goes the other way.
    const type =
      index % 7 === 3
        ? 'refund'
        : index % 11 === 5
          ? 'payout'
          : service === 'transfer'
            ? 'transfer'
            : 'credit';
    const sign = type === 'refund' || type === 'payout' ? 1 : -1;
    past.push(payment({ type, service, atS, microUsd: sign * cents * 10_000, description: `Past ${type}` }));
  }
  if (rules.openingCreditUsd > 0) {
    const microUsd = -readMicroUsd(rules.openingCreditUsd);
    past.unshift(payment({ atS: openedS, microUsd, description: 'Opening credit' }));
  }
  return past.reverse();
}

/** Makes the automatic payments due at the full hours until a moment; returns the new invoices. Deterministic. */
export function payUntil(
  state: AccountState,
  rules: PaymentRules & BillingRules,
  atS: number,
): Omit<InvoiceState, 'id'>[] {
  const { autoTopUp } = rules;
  const made: Omit<InvoiceState, 'id'>[] = [];
  if (autoTopUp === null) return made;
  let paid = -sumOf(state.invoices);
  const [below, amount] = [readMicroUsd(autoTopUp.belowUsd), readMicroUsd(autoTopUp.amountUsd)];
  for (let hour = Math.floor(state.settledToS / hourS) + 1; hour * hourS <= atS; hour += 1) {
    const left = paid - consumedMicroUsd(state, rules, hour * hourS);
    if (left >= below) continue;
    const times = Math.ceil((below - left) / amount);
    made.push(payment({ atS: hour * hourS, microUsd: -times * amount, description: 'Automatic top-up' }));
    paid += times * amount;
  }
  return made;
}

/** Returns the credit left at a moment, millionths of a dollar. */
export function balanceMicroUsd(state: AccountState, rules: BillingRules, atS: number): number {
  return -sumOf(state.invoices) - consumedMicroUsd(state, rules, atS);
}

function sumOf(invoices: readonly InvoiceState[]): number {
  return invoices.reduce((sum, { microUsd }) => sum + microUsd, 0);
}

/** Returns a paid invoice, by default of a credit card. Money paid in is negative. */
export function payment(given: {
  atS: number;
  microUsd: number;
  description: string;
  type?: string;
  service?: string;
}): Omit<InvoiceState, 'id'> {
  const { atS, microUsd, description, type = 'credit', service = 'cardproc_payments' } = given;
  return { startS: atS, endS: atS, type, source: service, service, description, microUsd };
}
