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
  /** Midnight UTC: days from here on are left out. */
  before: Date;
}

/** Reads the days of a series, the oldest first; of one that restarts, those since it last did. */
export type DailyReader = (db: Db, query: DailyQuery) => Promise<DailyValue[]>;
