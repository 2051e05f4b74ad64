import type { Decimal } from 'decimal.js';
import type { Db } from '../../database/connection.ts';
import type { AccountCount } from '../account-count.ts';
import type { Actor } from '../actor.ts';

/** What a guard judges: a create that would be sent now. */
export interface GuardCase {
  db: Db;
  actor: Actor;
  /** $/hour of the whole machine with its disk and a new volume; null: the market does not say all of it. */
  usdPerHour: Decimal | null;
  machineId: number;
  hostId: number | null;
  label: string | null;
  costCenter: string | null;
  /** null: the account could not be listed, or not completely. */
  account: AccountCount | null;
}

/** A guard's no: which limit, and what it met. */
export interface GuardViolation {
  /** Stable for programs: `max-instances`. */
  guard: string;
  limit: string | null;
  value: string | null;
  message: string;
}

/** Says no, or null. */
export type Guard = (of: GuardCase) => Promise<GuardViolation | null> | GuardViolation | null;
