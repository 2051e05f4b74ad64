import { type PricingType, pricingTypes } from '../../core/offer.ts';
import type { OfferSource } from '../offer-source.ts';
import { Refusal } from '../refusal.ts';
import type { AccountState, InvoiceState } from './account-state.ts';
import { type Charge, chargesAt } from './charges.ts';
import { createInstances, type Instances } from './instances.ts';
import type { LifeRules } from './life.ts';
import type { BillingRules } from './meters.ts';
import { balanceMicroUsd, openingInvoices, type PaymentRules, payUntil } from './payments.ts';
import { createTemplates, type Templates } from './templates.ts';
import { createVolumes, findVolumeOffer, type VolumeOffer, type Volumes, volumeOffers } from './volumes.ts';

/** How an account's instances live, and how it is billed and pays. */
export type AccountRules = LifeRules & BillingRules & PaymentRules & { sshKeyRegistered: boolean };

/** The one account of a simulated market: everything that its keys can reach. */
export interface Account {
  readonly state: AccountState;
  readonly instances: Instances;
  readonly templates: Templates;
  readonly volumes: Volumes;
  /** Returns the volume offers of a moment. */
  volumeOffersAt(at: Date): VolumeOffer[];
  /** Returns charges by start and source. */
  chargesAt(atS: number): Charge[];
  /** Returns invoices by id, after making the automatic payments that are due. */
  invoicesAt(atS: number): InvoiceState[];
  addInvoice(invoice: Omit<InvoiceState, 'id'>): InvoiceState;
  /** Marks an invoice as paid at a moment. Throws for an unknown one. */
  payInvoice(id: number, endS: number): void;
  /** Removes an invoice without a trace. Throws for an unknown one. */
  removeInvoice(id: number): void;
  /** Throws a 400 `missing_billing` when no credit is left. */
  requireCredit(atS: number): void;
}

/** Returns an account on a state, which it changes in place. A new state gets its opening invoices. */
export function createAccount(options: {
  state: AccountState;
  rules: AccountRules;
  source: OfferSource;
  /** The present moment. */
  now: () => Date;
}): Account {
  const { state, rules, source, now } = options;
  const takeId = () => {
    state.nextId += 1;
    return state.nextId - 1;
  };
  const bookAt = (type: PricingType, at: Date) =>
    source.book({ type, storageGb: 8, rentableOnly: false }, at);
  const volumeOffersAt = (at: Date) => volumeOffers(bookAt('on-demand', at));
  // A recorded book of one type may contain offers that the others lack.
  const offerOf = (id: number) =>
    pricingTypes.map((type) => findVolumeOffer(bookAt(type, now()), id)).find((offer) => offer !== null) ??
    null;
  const volumes = createVolumes({ state, takeId, offerOf });
  const instances = createInstances({ state, rules, takeId, volumes });
  const addInvoice = (invoice: Omit<InvoiceState, 'id'>): InvoiceState => {
    const added = { id: takeId(), ...invoice };
    state.invoices.push(added);
    return added;
  };
  const placeOf = (id: number): number => {
    const place = state.invoices.findIndex((invoice) => invoice.id === id);
    if (place < 0) throw new Error(`there is no invoice ${id}`);
    return place;
  };
  const settle = (atS: number) => {
    instances.liveOn(atS);
    for (const invoice of payUntil(state, rules, atS)) addInvoice(invoice);
    state.settledToS = Math.max(state.settledToS, atS);
  };
  if (state.invoices.length === 0) {
    for (const invoice of openingInvoices(rules, rules.chance, state.openedS)) addInvoice(invoice);
  }
  return {
    state,
    instances,
    templates: createTemplates(state, takeId),
    volumes,
    volumeOffersAt,
    addInvoice,
    payInvoice(id, endS) {
      const invoice = state.invoices[placeOf(id)];
      if (invoice !== undefined) invoice.endS = endS;
    },
    removeInvoice(id) {
      state.invoices.splice(placeOf(id), 1);
    },
    chargesAt(atS) {
      instances.liveOn(atS);
      return chargesAt(state, rules, atS);
    },
    invoicesAt(atS) {
      settle(atS);
      return state.invoices.filter(({ startS }) => startS <= atS);
    },
    requireCredit(atS) {
      settle(atS);
      if (rules.autoTopUp === null && balanceMicroUsd(state, rules, atS) <= 0) {
        throw new Refusal(400, 'missing_billing', 'the account has no credit left');
      }
    },
  };
}
