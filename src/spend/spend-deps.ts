import type { RentalsDeps } from '../rentals/rentals-deps.ts';

/** Dependencies of the routes of spend. */
export interface SpendDeps extends RentalsDeps {
  /** Default time zone of schedules. @default UTC */
  timeZone?: string | undefined;
}
