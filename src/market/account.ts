import type { MarketFilters } from '../core/market-filter.ts';
import type { Offer, PricingType } from '../core/offer.ts';
import type { CallOptions, SendGate } from './call.ts';
import type { Instance, RejectedRow } from './instance.ts';
import type { InstanceRequest } from './instance-request.ts';
import type { TemplateCalls, TemplateDraft } from './template.ts';
import type { CreateVolume, VolumeCalls } from './volume.ts';

/** What renting needs to know about an offer beyond its price; null: not stated. */
export interface OfferExtras {
  /** Whether it is a virtual machine, which needs an SSH key before it is created. */
  isVm: boolean | null;
  /** When the host ends the offer. */
  endsAt: Date | null;
  volumeOfferId: number | null;
  volumeUsdPerGbHour: number | null;
  volumeSizeGb: number | null;
}

/** What a market accepts, as far as known without a request. Problems are one sentence each; none: it can be sent. */
export interface AccountRules {
  findCreateProblems: (offerId: number, request: InstanceRequest) => string[];
  /** $/hour of the whole machine; null: it can be sent. */
  findBidProblem: (usdPerHour: number) => string | null;
  findTemplateProblems: (fields: Partial<TemplateDraft>) => string[];
  /** null: it can be a template's hash. */
  findHashProblem: (hashId: string) => string | null;
  findTemplateFilterProblems: (filters: MarketFilters) => string[];
  /** The market's names of columns that templates can be sorted by. */
  templateColumns: readonly string[];
  /** Returns an equivalent start script that is short enough. Throws UserError if there is none. */
  shortenScript: (script: string) => string;
  /** Whether an instance can have a label from its creation on. */
  takesLabels: boolean;
  readOfferExtras: (offer: Offer) => OfferExtras;
}

/** All instances of the account. */
export interface InstanceList {
  /** In the order of the response. */
  instances: Instance[];
  /** Rows without a readable id: the list does not identify all of its instances. */
  rejected: RejectedRow[];
  /** The market's total; null: not stated. */
  found: number | null;
  replacedCharacters: number;
}

/** The calls about instances. All throw MarketError; wrong arguments are a UserError before anything is sent. */
export interface InstanceCalls {
  /** Returns every instance, whoever rented it. */
  listInstances: (options?: CallOptions) => Promise<InstanceList>;
  /**
   * Rents the offer in a single attempt. `offer-gone`: rented by someone else. With `outcome: 'unknown'` an instance
   * may exist: send nothing again before `listInstances` has settled it. An error thrown by its gate stops the request
   * before any byte is sent.
   */
  createInstance: (
    offerId: number,
    request: InstanceRequest,
    options?: CallOptions & { gate?: SendGate | undefined },
  ) => Promise<{ instanceId: number }>;
  /** Stops compute billing; the disk is still billed. */
  stopInstance: (instanceId: number, options?: CallOptions) => Promise<void>;
  /** Requests that it run again; its status shows whether its machine has room. */
  startInstance: (instanceId: number, options?: CallOptions) => Promise<void>;
  /** Ends all billing and deletes the data. Only a later list without it proves it. */
  destroyInstance: (instanceId: number, options?: CallOptions) => Promise<void>;
}

/** Bids `usdPerHour` for a whole interruptible machine. Throws MarketError, and UserError for wrong arguments. */
export type ChangeBid = (instanceId: number, usdPerHour: number, options?: CallOptions) => Promise<void>;

/** Labels an instance; '' removes the label. Throws MarketError, and UserError for wrong arguments. */
export type ChangeLabel = (instanceId: number, label: string, options?: CallOptions) => Promise<void>;

/** A market's account and its actions; null: not supported. */
export interface MarketAccount extends InstanceCalls {
  rules: AccountRules;
  /** Returns an offer as it is now, priced with this disk; null: missing from the response, perhaps by chance. */
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
