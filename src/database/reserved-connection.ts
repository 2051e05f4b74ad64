import type postgres from 'postgres';
import { createPlaces, type ReserveLevel } from './reserved-places.ts';
import { type ServerRoom, withRoom } from './server-full.ts';

type Client = postgres.Sql<{ bigint: number }>;
type Reserved = postgres.ReservedSql<{ bigint: number }>;

/** Opens a client of one connection that is never closed automatically; `onClose` is called when it is lost. */
export type OpenClient = (onClose: () => void) => Client;

export interface Reservations {
  /** A connection of its own. Once it is lost every further query on it throws, because its session is gone. */
  reserve: (level?: ReserveLevel) => Promise<Reserved>;
  /** Connections in use, and those who wait for one. */
  load: () => { busy: number; waiting: number };
  end: (options?: { timeout?: number | undefined }) => Promise<void>;
}

/** A connection, and whether it is still the one that was opened. */
interface Held {
  client: Client;
  lost: boolean;
  timer: NodeJS.Timeout | undefined;
}

const maxIdle = 4;
const idleMs = 10_000;

/** The error of a query on a lost connection: its session state is gone. */
class ConnectionLostError extends Error {
  override name = 'ConnectionLostError';
  readonly code = 'CONNECTION_CLOSED';

  constructor() {
    super('the connection to the database was lost');
  }
}

/**
 * Connections with session state: staging tables, locks, manual transactions. After a loss, the driver's own reserved
 * connections would continue on another session, or end the process.
 */
export function createReservations(
  open: OpenClient,
  {
    max,
    room,
    firstQuery,
  }: { max: number; room: ServerRoom; firstQuery: (client: Client) => PromiseLike<unknown> },
): Reservations {
  const places = createPlaces(max);
  const all = new Set<Held>();
  const idle: Held[] = [];

  const drop = (held: Held): void => {
    clearTimeout(held.timer);
    all.delete(held);
    const at = idle.indexOf(held);
    if (at >= 0) idle.splice(at, 1);
    held.client.end({ timeout: 0 }).catch(() => {});
  };
  const openHeld = async (): Promise<Held> => {
    const onClose = (): void => {
      held.lost = true;
      if (idle.includes(held)) drop(held);
    };
    const held: Held = { client: open(onClose), lost: false, timer: undefined };
    all.add(held);
    try {
      await firstQuery(held.client);
    } catch (error) {
      drop(held);
      throw error;
    }
    return held;
  };
  const giveBack = (held: Held): void => {
    if (!all.has(held)) return;
    if (held.lost || idle.length >= maxIdle) {
      drop(held);
      return;
    }
    idle.push(held);
    held.timer = setTimeout(() => drop(held), idleMs).unref();
  };
  return {
    reserve: async (level = 'transaction') => {
      const leave = await places.take(level);
      try {
        const held = idle.pop() ?? (await withRoom(room, openHeld));
        clearTimeout(held.timer);
        return guard(held, () => {
          giveBack(held);
          leave();
        });
      } catch (error) {
        leave();
        throw error;
      }
    },
    load: places.load,
    end: async (options) => {
      await Promise.all([...all].map(({ client }) => client.end(options)));
    },
  };
}

const abandonment = new WeakMap<object, () => void>();
const lastQueryMs = 5_000;

/**
 * Returns a reserved connection after a last query that only cleans up. If that fails or takes more than 5 seconds, as
 * on a breaking connection, the connection is dropped instead.
 */
export async function releaseAfter(db: Reserved, lastQuery: () => Promise<unknown>): Promise<void> {
  const isDone = await endsWithin(
    lastQueryMs,
    (async () => await lastQuery())().then(
      () => true,
      () => false,
    ),
  );
  if (isDone !== true) abandonment.get(db)?.();
  db.release();
}

/** Returns the result of `work`, or undefined after `ms`; `work` then continues unobserved. */
export async function endsWithin<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function guard(held: Held, giveBack: () => void): Reserved {
  let released = false;
  const check = (): void => {
    if (released) throw new Error('a query on a connection that was given back');
    if (held.lost) throw new ConnectionLostError();
  };
  const release = (): void => {
    if (released) return;
    released = true;
    giveBack();
  };
  type Query = (...args: unknown[]) => unknown;
  const checked =
    (query: Query): Query =>
    (...args) => {
      check();
      return query(...args);
    };
  const { client } = held;
  const unsafe = checked(client.unsafe as Query);
  const reserved = Object.assign(checked(client as unknown as Query), client, { unsafe, release });
  abandonment.set(reserved, () => {
    held.lost = true;
  });
  return reserved as unknown as Reserved;
}
