import type { WatchesDeps } from '../watches/watches-deps.ts';

/** Dependencies of the routes of standing orders. */
export interface OrdersDeps extends WatchesDeps {
  /** Carries out the armed orders soon; resolves once that is queued. */
  carryOutSoon: () => Promise<void>;
}
