import { UserError } from '../core/errors.ts';

/**
 * Returns a part of a market. Throws a UserError that says what cannot be done if the market lacks it: `deed` such as
 * "rent".
 */
export function present<T>(part: T | null, deed: string): T {
  if (part !== null) return part;
  throw new UserError(`Offerbook cannot ${deed} on this market: use the market's own site.`);
}
