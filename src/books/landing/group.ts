import type { ReservedSql } from '../../database/connection.ts';
import type { MovedPoints } from '../../prices/statistics/refresh-points.sql.ts';

/** Books of one series that are stored in one transaction, all or none. */
export interface LandingGroup {
  /** Has a transaction open. */
  db: ReservedSql;
  /** Of the books stored so far: their points are made when all are. */
  moved: MovedPoints[];
  bookIds: number[];
  /** The first day of those whose attributes are still to be decided; null: none is. */
  undecidedFrom: string | null;
}
