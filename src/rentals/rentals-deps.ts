import type { PricesDeps } from '../prices/prices-deps.ts';
import type { Actor } from './actor.ts';

/** What the routes of rentals need. */
export interface RentalsDeps extends PricesDeps {
  /** What acts on the account of the default market. */
  actor: () => Promise<Actor>;
  /** Has the instances polled soon; resolves once that is queued. */
  pollSoon: () => Promise<void>;
  actionsEnabled: boolean;
}
