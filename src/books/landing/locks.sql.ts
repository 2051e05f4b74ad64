import type { PricingType } from '../../core/offer.ts';
import type { ReservedSql } from '../../database/connection.ts';

/**
 * One landing of a series at a time, until its transaction ends: each merge reads what stands next to its book. Taken
 * before the other two, which are taken in the order of this file.
 */
export async function lockSeries(
  tx: ReservedSql,
  { scopeId, type }: { scopeId: number; type: PricingType },
): Promise<void> {
  await tx`select pg_advisory_xact_lock(${scopeId}, hashtext(${type}))`;
}

interface Listings {
  marketId: number;
  type: PricingType;
}

/**
 * Keeps the market's listings of a type from being forgotten while a book that names them is landing. `exclusive`: to
 * forget some, when no book of any scope is.
 */
export async function lockListings(
  tx: ReservedSql,
  { marketId, type }: Listings,
  exclusive: boolean,
): Promise<void> {
  // Below zero, where no scope has its id.
  const key = tx`${-marketId}::int, hashtext('listings ' || ${type}::text)`;
  if (exclusive) await tx`select pg_advisory_xact_lock(${key})`;
  else await tx`select pg_advisory_xact_lock_shared(${key})`;
}

/** One writer of the attributes of a type at a time: all scopes of the market share a listing's days. */
export async function lockAttributes(tx: ReservedSql, { marketId, type }: Listings): Promise<void> {
  await tx`select pg_advisory_xact_lock(${-marketId}::int, hashtext('attributes ' || ${type}::text))`;
}
