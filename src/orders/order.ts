import type { RentRequest } from '../rentals/rent/rent-request.ts';
import type { PlacedWatch } from '../watches/watches.sql.ts';

/** The states of a standing order. Source: docs/meaning.md#standing-orders. */
export const orderStates = [
  'draft',
  'armed',
  'paused',
  'filled',
  'expired',
  'out-of-budget',
  'failed',
] as const;
export type OrderState = (typeof orderStates)[number];

/** Days of history that a percentile may be compared with. */
export const percentileDays = [7, 30, 90] as const;

/** An alternative of an order; at least one of its price conditions is set. */
export interface OrderChoice {
  /** The watch whose offers fit. */
  watchId: string;
  /** Max $/GPU-hour with the order's disk. */
  maxUsdPerGpuHour?: number | undefined;
  /** Max percentile of the listed price in the verdict's pool of `days`. */
  maxPercentile?: { percentile: number; days: (typeof percentileDays)[number] } | undefined;
  /** The model's like-for-like index has clearly fallen by at least this share in 1, 7 or 27 days. */
  minIndexFall?: { percent: number; days: 1 | 7 | 27 } | undefined;
  /** Bids for interruptible offers, up to `maxUsdPerGpuHour`; without it on-demand offers fit. */
  bid?: OrderBid | undefined;
}

/** How a choice bids. */
export interface OrderBid {
  /** The first bid, percent above the offer's minimum bid. */
  abovePercent: number;
  /** How much a bid is raised when it is outbid, percent. */
  stepPercent: number;
  /** When the highest bid is outbid: wait until it wins again, or destroy the instance as soon as another offer fits. */
  whenOutbid: 'wait' | 'replace';
}

/** A choice with its watch. */
export type PlacedChoice = OrderChoice & { watch: PlacedWatch };

/** The pricing type of the offers that fit a choice. */
export const typeOfChoice = ({ bid }: Pick<OrderChoice, 'bid'>): 'on-demand' | 'bid' =>
  bid === undefined ? 'on-demand' : 'bid';

/** What an order rents: a request without offer, watch and price, which each attempt adds. */
export type OrderRequest = Pick<
  RentRequest,
  | 'image'
  | 'templateHashId'
  | 'diskGb'
  | 'env'
  | 'onstart'
  | 'args'
  | 'runtype'
  | 'label'
  | 'costCenter'
  | 'maxHours'
  | 'endAction'
  | 'provisionMinutes'
>;

/** What a person sets. */
export interface OrderFields {
  name: string;
  /** Machines wanted. */
  count: number;
  endsAt: Date;
  /** Decimal text; null: none. */
  budgetUsd: string | null;
  /** In order of preference. */
  choices: readonly OrderChoice[];
  /** Empty: the channels of the first choice's watch. */
  channelIds: readonly string[];
}

/** A stored order. */
export interface StandingOrder extends OrderFields {
  id: string;
  marketId: number;
  market: string;
  state: OrderState;
  reason: string | null;
  waitingFor: WaitingFor | null;
  waitingReason: string | null;
  /** Without secrets. */
  request: Record<string, unknown> & { diskGb: number; maxHours?: number };
  sealedRequest: string | null;
  createdBy: string;
  createdAt: Date;
  armedAt: Date | null;
  /** null: none of the present fields. */
  dryRun: Record<string, unknown> | null;
  judgedBooks: string | null;
}

/** What an armed order waits for, besides a fitting offer. */
export const waitingKinds = [
  /** Its machines to start, or an unclear rental to be settled. */
  'rentals',
  /** Nothing: it has its machines, and raises the bids of those that are outbid. */
  'bids',
  'actions',
  'budget',
  'stale-data',
  'partial-book',
  'guard',
  'market',
] as const;
export type WaitingFor = (typeof waitingKinds)[number];

/** The outcomes of an attempt. */
export const attemptOutcomes = [
  /** Not known yet. */
  'open',
  /** Nothing was sent, and it is begun again. */
  'held',
  /** There is a rental, or it is unclear. */
  'rented',
  /** Its highest bid was outbid: its instance is destroyed, and another offer is rented in its place. */
  'given-up',
  /** The market refused the create. */
  'refused',
  /** The create failed, and it is proved that nothing was rented. */
  'not-rented',
  'offer-gone',
  /** The fresh quote was above the cap. */
  'above-price',
  /** A guard refuses this offer, or its price is not known in full. */
  'not-rentable',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** The key of an attempt's rental. */
export const keyOfAttempt = (orderId: string, attempt: number): string => `order/${orderId}/${attempt}`;
