import type { Decimal } from 'decimal.js';
import type { Db } from '../../database/connection.ts';
import type { AccountCount } from '../account-count.ts';
import type { Actor } from '../actor.ts';

/** What a guard checks: a create that would be sent now. */
export interface GuardCase {
  db: Db;
  actor: Actor;
  /** $/hour of the whole machine with its disk and a new volume; null: the market does not state all of it. */
  usdPerHour: Decimal | null;
  machineId: number;
  hostId: number | null;
  label: string | null;
  costCenter: string | null;
  /** null: the account could not be listed, or not completely. */
  account: AccountCount | null;
}

/** A guard's refusal: which limit, and the value that met it. */
export interface GuardViolation {
  /** Stable name: `max-instances`. */
  guard: string;
  limit: string | null;
  value: string | null;
  message: string;
}

/** Returns a violation, or null. */
export type Guard = (of: GuardCase) => Promise<GuardViolation | null> | GuardViolation | null;
