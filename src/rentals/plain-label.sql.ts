import type { SqlTag } from '../database/sql-text.ts';
import { tagPattern } from './rental.ts';

/** SQL of a market's label without the rental id; null if nothing is left. */
export const plainLabelSql = <Made>(sql: SqlTag<Made>, label: Made): Made =>
  sql`nullif(regexp_replace(${label}, ${tagPattern}, ''), '')`;
