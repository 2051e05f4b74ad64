import type { PricingType } from '../../core/offer.ts';
import type { ReservedSql } from '../../database/connection.ts';

/**
 * Allows one landing of a series at a time, until its transaction ends, because each merge reads the neighboring books.
 * Taken first; the other two locks follow in the order of this file.
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
 * Keeps the market's listings of a type from being deleted while a book with them is landing. `exclusive`: waits
 * until no book of any scope is landing, to delete listings.
 */
export async function lockListings(
  tx: ReservedSql,
  { marketId, type }: Listings,
  exclusive: boolean,
): Promise<void> {
  // Negative, so that it never equals a scope's id.
  const key = tx`${-marketId}::int, hashtext('listings ' || ${type}::text)`;
  if (exclusive) await tx`select pg_advisory_xact_lock(${key})`;
  else await tx`select pg_advisory_xact_lock_shared(${key})`;
}

/** Allows one writer of a type's attributes at a time, because all scopes of the market share a listing's days. */
export async function lockAttributes(tx: ReservedSql, { marketId, type }: Listings): Promise<void> {
  await tx`select pg_advisory_xact_lock(${-marketId}::int, hashtext('attributes ' || ${type}::text))`;
}
