import type { ReservedSql } from '../../database/connection.ts';

/** A new database grows faster than autovacuum analyzes it, and plans for empty tables become slow. */
export async function updatePlannerStatistics(db: ReservedSql, bookIds: readonly number[]): Promise<void> {
  const isPowerOfTwo = (id: number): boolean => (id & (id - 1)) === 0;
  if (bookIds.some((id) => isPowerOfTwo(id) && id <= 256)) {
    // The book is stored even if this fails.
    await db`analyze book, book_point, hour_point, day_point, week_point, listing, presence, price_interval, listing_attribute, latest_offer, record_page`.catch(
      () => {},
    );
  }
}
