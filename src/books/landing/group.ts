import type { ReservedSql } from '../../database/connection.ts';
import type { MovedBook } from './book-statistics.ts';

/** Books of one series that are stored in one transaction, all or none. */
export interface LandingGroup {
  /** Has a transaction open. */
  db: ReservedSql;
  /** Of the books stored so far: their points are made when all are. */
  moved: MovedBook[];
  bookIds: number[];
  /** The first day of those whose attributes are still to be decided; null: none is. */
  undecidedFrom: string | null;
}
