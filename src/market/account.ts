import type { MarketFilters } from '../core/market-filter.ts';
import type { Offer, PricingType } from '../core/offer.ts';
import type { CallOptions, SendGate } from './call.ts';
import type { Instance, RejectedRow } from './instance.ts';
import type { InstanceRequest } from './instance-request.ts';
import type { TemplateCalls, TemplateDraft } from './template.ts';
import type { CreateVolume, VolumeCalls } from './volume.ts';

/** What only renting needs to know of an offer; null: not said. */
export interface OfferExtras {
  /** A virtual machine: it needs an SSH key before it is created. */
  isVm: boolean | null;
  /** When the host ends the offer. */
  endsAt: Date | null;
  volumeOfferId: number | null;
  volumeUsdPerGbHour: number | null;
  volumeSizeGb: number | null;
}

/** What a market takes, as far as it can be told without asking it. Problems are one sentence each; none: it can be sent. */
export interface AccountRules {
  findCreateProblems: (offerId: number, request: InstanceRequest) => string[];
  /** $/hour of the whole machine; null: it can be sent. */
  findBidProblem: (usdPerHour: number) => string | null;
  findTemplateProblems: (fields: Partial<TemplateDraft>) => string[];
  /** null: it can be a template's hash. */
  findHashProblem: (hashId: string) => string | null;
  findTemplateFilterProblems: (filters: MarketFilters) => string[];
  /** The market's names of what templates are sorted by. */
  templateColumns: readonly string[];
  /** A start script of the same effect that is short enough. Throws UserError where there is none. */
  shortenScript: (script: string) => string;
  /** Whether an instance can have a label from its creation on. */
  takesLabels: boolean;
  readOfferExtras: (offer: Offer) => OfferExtras;
}

/** All instances of the account. */
export interface InstanceList {
  /** In the order of the answer. */
  instances: Instance[];
  /** Rows without a readable id: the list does not identify all of its instances. */
  rejected: RejectedRow[];
  /** How many the market says there are; null: not said. */
  found: number | null;
  replacedCharacters: number;
}

/** The calls about instances. All throw MarketError; wrong arguments are a UserError before anything is sent. */
export interface InstanceCalls {
  /** Every instance, whoever rented it. */
  listInstances: (options?: CallOptions) => Promise<InstanceList>;
  /**
   * Rents the offer: one attempt, whatever happens. `offer-gone`: rented by another. With `outcome: 'unknown'`
   * it may exist: nothing may be sent again before `listInstances` has settled it. What its gate throws keeps it
   * back: no byte of it went out.
   */
  createInstance: (
    offerId: number,
    request: InstanceRequest,
    options?: CallOptions & { gate?: SendGate | undefined },
  ) => Promise<{ instanceId: number }>;
  /** Halts compute billing; the disk is billed on. */
  stopInstance: (instanceId: number, options?: CallOptions) => Promise<void>;
  /** Wants it running again; whether its machine has room is seen in its status. */
  startInstance: (instanceId: number, options?: CallOptions) => Promise<void>;
  /** Ends all billing and loses the data. Only a later list without it proves it. */
  destroyInstance: (instanceId: number, options?: CallOptions) => Promise<void>;
}

/** Bids `usdPerHour` for a whole interruptible machine. Throws MarketError, UserError for wrong arguments. */
export type ChangeBid = (instanceId: number, usdPerHour: number, options?: CallOptions) => Promise<void>;

/** Names an instance; '' takes the name away. Throws MarketError, UserError for wrong arguments. */
export type ChangeLabel = (instanceId: number, label: string, options?: CallOptions) => Promise<void>;

/** An account of a market: what acts on it. What it cannot do is null. */
export interface MarketAccount extends InstanceCalls {
  rules: AccountRules;
  /** An offer as it is now, priced with so much disk; null: an answer did not have it, which may be chance. */
  findOffer: (
    offer: { offerId: number; type: PricingType; diskGb: number },
    options?: CallOptions,
  ) => Promise<Offer | null>;
  changeBid: ChangeBid | null;
  changeLabel: ChangeLabel | null;
  templates: TemplateCalls | null;
  createVolume: CreateVolume | null;
  volumes: VolumeCalls | null;
}
