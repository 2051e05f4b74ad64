import type { OrderMarket } from './order-market.ts';
import type { ProofOrder } from './proof-orders.ts';

/** Counts what happened. */
export type Add = (name: string, count?: number) => void;

/** A round: one market with its orders. */
export interface OrderRound {
  market: OrderMarket;
  orders: readonly ProofOrder[];
  /** The account's limit; null: none. */
  maxInstances: number | null;
  add: Add;
  fail: (what: string) => void;
}
