import type { Log } from '../core/log.ts';
import { currentTraceId, runTraced } from '../core/trace.ts';
import type { DriverQuery } from './driver-query.ts';
import { statementText } from './statement-text.ts';

/** Where slow and failing statements are logged. */
export interface StatementLog {
  log: Log;
  /** A statement that takes at least this long is logged as slow. */
  slowMs: number;
}

/** Counts the statements of a pool that have been submitted and have not ended. */
export interface StatementCount {
  unfinished: number;
}

/**
 * States of a server that is away, full, asked to retry or that refuses the role, its password, the database or a right,
 * of a canceled statement, of values that a constraint refuses, and of a type that another start has just made: all are
 * handled.
 */
const handled = /^(?:08|23|28|3D|40|42501|42710|53|55P03|57)/;

/** Statements whose time follows from the size of a table, so that nothing is to be done about it. */
const maintenance = /^\s*(?:analyze|vacuum)\b/i;

/**
 * Counts a statement while it is unfinished, and logs it if it fails or is slow: its text without values, because those
 * may be secret, and the time from its submission, with any wait for a connection.
 */
export function watchQuery(
  query: DriverQuery,
  { count, statements }: { count?: StatementCount; statements: StatementLog | null },
): void {
  if (count === undefined && statements === null) return;
  const { handler, resolve, reject } = query;
  let startedAt = 0;
  let traceId: string | null = null;
  let isUnfinished = false;
  const end = (error: unknown): void => {
    if (!isUnfinished) return;
    isUnfinished = false;
    if (count !== undefined) count.unfinished -= 1;
    // The driver answers from its socket, which belongs to no request.
    if (statements !== null) runTraced(traceId, () => report(statements, query, { startedAt, error }));
  };
  query.handler = (asked) => {
    startedAt = performance.now();
    traceId = currentTraceId();
    isUnfinished = true;
    if (count !== undefined) count.unfinished += 1;
    handler(asked);
  };
  query.resolve = (value) => {
    end(null);
    resolve(value);
  };
  query.reject = (error) => {
    end(error);
    reject(error);
  };
}

function report(
  { log, slowMs }: StatementLog,
  { string, strings = [] }: DriverQuery,
  { startedAt, error }: { startedAt: number; error: unknown },
): void {
  const durationMs = Math.round(performance.now() - startedAt);
  if (error === null && durationMs < slowMs) return;
  const fields = { durationMs, statement: statementText(string ?? strings.join('?')) };
  if (error === null) {
    log[maintenance.test(fields.statement) ? 'debug' : 'warn'](fields, 'slow statement');
    return;
  }
  // The message of an error may quote values.
  const code = String((error as { code?: unknown }).code ?? 'unknown');
  const level = (error as Error).name === 'PostgresError' && !handled.test(code) ? 'warn' : 'debug';
  log[level]({ code, ...fields }, 'statement failed');
}
