import { setTimeout as delay } from 'node:timers/promises';
import type { DriverQuery } from './driver-query.ts';

/** SQLSTATEs of a server that refuses because it has no connection left. */
const fullStates: ReadonlySet<string> = new Set(['53300', '53400']);
/** How long a query waits for a connection that the server refuses. */
const patienceMs = 1_000;
const againMs = 100;

/** What is wrong and what to do while PostgreSQL has no connection left. */
export const serverFullWords =
  'PostgreSQL accepts no more connections (max_connections): lower DATABASE_POOL_SIZE or raise max_connections.';

/** What is wrong and what to do while every connection of this process is in use. */
export const poolBusyWords =
  'All connections of this process to PostgreSQL are in use (DATABASE_POOL_SIZE): raise it, or try again shortly.';

/** Thrown when all reservable connections of this process stayed in use too long. */
export class PoolBusyError extends Error {
  override name = 'PoolBusyError';
  readonly code = 'POOL_BUSY';

  constructor() {
    super(poolBusyWords);
  }
}

/** Whether the server refused a connection because it has none left. */
export const isServerFull = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'PostgresError' &&
  'code' in error &&
  fullStates.has(String(error.code));

/** Whether a full server refused a connection and has not given one to a transaction since. */
export interface ServerRoom {
  isFull: boolean;
}

/** Returns the result of `open`, retrying for a second while the server is full. Throws what `open` throws. */
export async function withRoom<T>(room: ServerRoom, open: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      const opened = await open();
      room.isFull = false;
      return opened;
    } catch (error) {
      if (!isServerFull(error)) throw error;
      if (performance.now() >= until) {
        room.isFull = true;
        throw error;
      }
      await delay(againMs);
    }
  }
}

/** Retries a query for a second while the server refuses its connection; it has not run then. */
export function retryWhileFull(query: DriverQuery, room: ServerRoom): void {
  const { handler, reject } = query;
  let until: number | null = null;
  query.handler = (asked) => {
    until ??= performance.now() + patienceMs;
    handler(asked);
  };
  query.reject = (error) => {
    if (!isServerFull(error)) return reject(error);
    if (until !== null && performance.now() < until) setTimeout(() => handler(query), againMs);
    else {
      room.isFull = true;
      reject(error);
    }
  };
}
