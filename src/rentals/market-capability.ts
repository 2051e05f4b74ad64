import { UserError } from '../core/errors.ts';

/**
 * A part of a market that a deed needs. Throws a UserError that says what cannot be done where the market has none: `deed`
 * as in "rent".
 */
export function present<T>(part: T | null, deed: string): T {
  if (part !== null) return part;
  throw new UserError(`This market cannot ${deed} through Offerbook: do it on the market's own site.`);
}
