import type { ReservedSql } from '../../database/connection.ts';
import type { Series } from './place.sql.ts';

/** What storing or deleting a book changes for the statistics of its series. */
export interface MovedBook {
  /** The book's moment. */
  at: Date;
  /**
   * Whether the attributes of the book's UTC day changed, so that statistics of all the day's books and hours may
   * change.
   */
  wholeDay: boolean;
  /** Whether the book covers nothing, so that only counts of books change. */
  countsOnly: boolean;
  /** Whether the book is new and the series has no newer one. */
  isNewest: boolean;
}

/** Statistics of books, computed in the transaction that stores them. */
export interface BookStatistics {
  /** Makes room for books at these moments, before the transaction. */
  prepare: (db: ReservedSql, moments: readonly Date[]) => Promise<void>;
  /** Updates the statistics for stored books of one series. */
  refresh: (tx: ReservedSql, series: Series, moved: readonly MovedBook[]) => Promise<void>;
}
