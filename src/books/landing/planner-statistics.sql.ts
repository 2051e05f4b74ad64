import type { ReservedSql } from '../../database/connection.ts';

/** A young database grows faster than autovacuum looks at it: plans made for empty tables get slow. */
export async function updatePlannerStatistics(db: ReservedSql, bookIds: readonly number[]): Promise<void> {
  const isPowerOfTwo = (id: number): boolean => (id & (id - 1)) === 0;
  if (bookIds.some((id) => isPowerOfTwo(id) && id <= 256)) {
    // The book is stored whatever becomes of this.
    await db`analyze book, book_point, hour_point, day_point, week_point, listing, presence, price_interval, listing_attribute, latest_offer, record_page`.catch(
      () => {},
    );
  }
}
