import type { ReservedSql } from '../../database/connection.ts';
import type { MovedBook } from './book-statistics.ts';

/** Books of one series that are stored in one transaction, all or none. */
export interface LandingGroup {
  /** Connection with an open transaction. */
  db: ReservedSql;
  /** The books stored so far, whose points are computed at the end. */
  moved: MovedBook[];
  bookIds: number[];
  /** The first day with undecided attributes; null: none. */
  undecidedFrom: string | null;
}
