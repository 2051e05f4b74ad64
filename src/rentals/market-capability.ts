import { UserError } from '../core/errors.ts';

/**
 * Returns a part of a market. Throws a UserError if the market lacks it, which says that Offerbook cannot do `action`,
 * such as "rent".
 */
export function present<T>(part: T | null, action: string): T {
  if (part !== null) return part;
  throw new UserError(`Offerbook cannot ${action} on this market: use the market's own site.`);
}
