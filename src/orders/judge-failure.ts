import { MarketError, UserError } from '../core/errors.ts';
import { GuardRefusal } from '../rentals/actions-switch.ts';
import { RentRefusal } from '../rentals/rent/rent-refusal.ts';
import type { AttemptOutcome, WaitingFor } from './order.ts';

/** What a rent that threw means for its order. */
export type Failure =
  /** The attempt is over, and the order tries another offer. */
  | { kind: 'next'; outcome: AttemptOutcome; reason: string }
  /** Nothing was sent: the order waits and begins the attempt again. */
  | { kind: 'wait'; waitingFor: WaitingFor; reason: string }
  /** It would be refused again and again. */
  | { kind: 'fail'; reason: string };

/** Guards that refuse an offer, not the account. */
const offerGuards: ReadonlySet<string> = new Set(['max-usd-per-hour', 'block-list']);
const actionGuards: ReadonlySet<string> = new Set(['actions', 'kill-switch']);
/** So often a request may be refused before it is sent, by something that may pass. */
const maxTries = 5;

/**
 * Judges an error of a rent that left no rental; `tries`: how often the attempt was begun. null: a bug, or the process
 * is stopping.
 */
export function judgeFailure(error: unknown, tries: number): Failure | null {
  if (error instanceof GuardRefusal) {
    const { guard, reason } = error;
    if (offerGuards.has(guard)) return { kind: 'next', outcome: 'not-rentable', reason };
    if (actionGuards.has(guard)) return { kind: 'wait', waitingFor: 'actions', reason };
    return { kind: 'wait', waitingFor: guard === 'budget' ? 'budget' : 'guard', reason };
  }
  if (error instanceof RentRefusal) {
    const reason = error.message;
    switch (error.kind) {
      case 'offer-gone':
        return { kind: 'next', outcome: 'offer-gone', reason };
      case 'price-above-cap':
        return { kind: 'next', outcome: 'above-price', reason };
      case 'price-unknown':
        return { kind: 'next', outcome: 'not-rentable', reason };
      case 'key-reused':
        return { kind: 'wait', waitingFor: 'rentals', reason: 'another process is renting for it' };
      case 'invalid-request':
        // The minimum bid has risen since the book.
        if (error.fields.includes('bidUsdPerHour')) return { kind: 'next', outcome: 'above-price', reason };
        return { kind: 'fail', reason };
    }
  }
  if (error instanceof MarketError) return { kind: 'wait', waitingFor: 'market', reason: error.message };
  if (!(error instanceof UserError)) return null;
  const reason = error.message;
  return tries < maxTries ? { kind: 'wait', waitingFor: 'market', reason } : { kind: 'fail', reason };
}
