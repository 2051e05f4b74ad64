import type { ReservedSql } from '../../database/connection.ts';
import type { Series } from './place.sql.ts';

/** What a book that was stored means for what is computed of its series. */
export interface MovedBook {
  /** The book's moment. */
  at: Date;
  /** The attributes of its UTC day have moved: what is computed of every book and hour of the day may have. */
  wholeDay: boolean;
  /** It covers nothing: only the counts of books move. */
  countsOnly: boolean;
  /** It is new, and none of the series is newer. */
  isNewest: boolean;
}

/** What is computed of books in the transaction that stores them. */
export interface BookStatistics {
  /** Makes room for books at these moments, before the transaction. */
  prepare: (db: ReservedSql, moments: readonly Date[]) => Promise<void>;
  /** Brings it up to the books of one series that were stored. */
  refresh: (tx: ReservedSql, series: Series, moved: readonly MovedBook[]) => Promise<void>;
}
