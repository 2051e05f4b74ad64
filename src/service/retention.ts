import { setTimeout as delay } from 'node:timers/promises';
import { dropOldPoints, type Retention } from '../books/old-statistics.sql.ts';
import type { Log } from '../core/log.ts';
import { deleteOlder } from '../database/builder.ts';
import type { Sql } from '../database/connection.ts';
import type { AnyPgColumn } from '../database/drizzle.ts';
import { delivery } from '../database/schema/notify.ts';
import { event } from '../database/schema/rental.ts';
import { startLookLoop } from '../jobs/look-loop.ts';
import { dropOldSamples } from '../rentals/instances/samples.sql.ts';
import { deliveryDays } from '../watches/channels/channel.ts';

/** What a retention rule deletes, and when. */
export type RetentionRule = {
  name: string;
  /** What it deletes, as named in the table of docs/meaning.md. */
  what: string;
  /** Days for which a row is kept; null: set by the settings, counted back from the newest book. */
  days: number | null;
} & (
  | {
      /** The moment that a row of the table is as old as; rows without one stay. */
      by: AnyPgColumn;
    }
  | {
      /** Deletes rows older than `before`. Returns their number. */
      dropOld: (sql: Sql, before: Date, options: RetentionOptions) => Promise<number>;
    }
);

/** Dependencies of retention. */
export interface RetentionOptions {
  sql: Sql;
  /** Retention settings of the statistics. */
  retention: Retention;
  log: Log;
  now: () => Date;
}

/**
 * Everything that is deleted by age, except jobs, which `queueSettings` of src/jobs/queues.ts handles.
 * Source: docs/meaning.md#retention.
 */
export const retentionRules: readonly RetentionRule[] = [
  { name: 'statistics', what: 'points of single books', days: null, dropOld: dropStatistics },
  { name: 'instance-samples', what: 'samples of the polls of instances', days: 7, dropOld: dropOldSamples },
  { name: 'deliveries', what: 'ended deliveries', days: deliveryDays, by: delivery.endedAt },
  { name: 'events', what: 'events of `/api/events`', days: 1, by: event.at },
];

const dayMs = 86_400_000;
const intervalMs = 6 * 3_600_000;
const retryMs = 10 * 60_000;
const stopMs = 2_000;

/** Rows that each rule has deleted, by name; null: it failed, which is logged. */
export type DroppedRows = Record<string, number | null>;

/** Applies every rule once, independently of the others' failures. Any number of processes may do so. */
export async function dropOldRows(options: RetentionOptions, signal?: AbortSignal): Promise<DroppedRows> {
  const { sql, log, now } = options;
  const dropped: DroppedRows = {};
  const isStopped = () => signal?.aborted === true;
  for (const rule of retentionRules) {
    const { name, what, days } = rule;
    if (isStopped()) break;
    try {
      const before = new Date(now().getTime() - (days ?? 0) * dayMs);
      const rows =
        'by' in rule ? await deleteOlder(sql, rule.by, before) : await rule.dropOld(sql, before, options);
      if (rows > 0) log.info({ rule: name, rows }, `deleted old rows: ${what}`);
      dropped[name] = rows;
    } catch (error) {
      dropped[name] = null;
      if (!isStopped()) log.warn({ err: error, rule: name }, `old rows could not be deleted: ${what}`);
    }
  }
  return dropped;
}

/** Deletes old rows now and every six hours; ten minutes after a failure. */
export function startRetention(options: RetentionOptions): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  let last = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    const at = options.now().getTime();
    if (Math.abs(at - last) < intervalMs) return;
    const dropped = await dropOldRows(options, stopping.signal);
    if (!Object.values(dropped).includes(null)) last = at;
  };
  const onError = (error: unknown): void => options.log.warn({ err: error }, 'old rows could not be deleted');
  const loop = startLookLoop(look, { everyMs: retryMs, onError });
  return {
    stop: async () => {
      stopping.abort();
      // A deletion that takes longer ends with its connection; the next process deletes the rest.
      await Promise.race([loop.stop(), delay(stopMs, undefined, { ref: false })]);
    },
  };
}

async function dropStatistics(sql: Sql, _: Date, { retention, log }: RetentionOptions): Promise<number> {
  const dropped = await dropOldPoints(sql, retention);
  if (dropped !== null && dropped.months.length > 0) {
    log.info({ months: dropped.months }, 'deleted old months of statistics');
  }
  return dropped?.rows ?? 0;
}
