import { dropOldPoints, type Retention } from '../books/retention.sql.ts';
import type { Log } from '../core/log.ts';
import type { Sql } from '../database/connection.ts';

const intervalMs = 6 * 3_600_000;

/**
 * Drops old statistics when it is called and has not for six hours; any number of processes may. A failure is logged,
 * and tried again with the next call.
 */
export function createRetentionTask(options: {
  sql: Sql;
  retention: Retention;
  log: Log;
  now: () => Date;
}): () => Promise<void> {
  const { sql, retention, log, now } = options;
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = now().getTime();
    if (Math.abs(at - last) < intervalMs) return;
    try {
      const dropped = await dropOldPoints(sql, retention);
      last = at;
      if (dropped !== null && (dropped.rows > 0 || dropped.months.length > 0)) {
        log.info({ rows: dropped.rows, months: dropped.months }, 'old statistics were dropped');
      }
    } catch (error) {
      log.warn({ err: error }, 'old statistics could not be dropped');
    }
  };
}
