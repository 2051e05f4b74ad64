import type { PricesDeps } from '../prices/prices-deps.ts';
import type { Actor } from './actor.ts';

/** Dependencies of the routes of rentals. */
export interface RentalsDeps extends PricesDeps {
  /** Acts on the account of the default market. */
  actor: () => Promise<Actor>;
  /** Polls the instances soon; resolves once that is queued. */
  pollSoon: () => Promise<void>;
  actionsEnabled: boolean;
}
