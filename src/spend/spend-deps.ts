import type { RentalsDeps } from '../rentals/rentals-deps.ts';

/** What the routes of spend need. */
export interface SpendDeps extends RentalsDeps {
  /** Zone of schedules that name none. @default UTC */
  timeZone?: string | undefined;
}
