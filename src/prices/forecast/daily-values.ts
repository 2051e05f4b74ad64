import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';

/** A value of one UTC day; days without one are missing. */
export interface DailyValue {
  /** Number of the UTC day since 1970. */
  day: number;
  /** Above 0. */
  value: number;
}

export interface DailyQuery {
  marketId: number;
  scopeId: number;
  type: PricingType;
  /** null: all models. */
  gpuName: string | null;
  /** Midnight UTC; later days are left out. */
  before: Date;
}

/** Reads the days of a series, oldest first, from its last restart if it has any. */
export type DailyReader = (db: Db, query: DailyQuery) => Promise<DailyValue[]>;
