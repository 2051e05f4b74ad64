import type { Socket } from 'node:net';
import postgres from 'postgres';
import { countSockets, isPlainPlace, openSocket, type Place, type SocketCount } from './driver-socket.ts';
import type { PoolLoad } from './pool-load.ts';
import { onEachQuery, spreadQueries } from './pool-of-two.ts';
import { createReservations } from './reserved-connection.ts';
import type { ReserveLevel } from './reserved-places.ts';
import { retryWhileFull, type ServerRoom } from './server-full.ts';
import { tlsOfUrl } from './tls-of-url.ts';
import { type StatementCount, type StatementLog, watchQuery } from './watch-query.ts';

// int8 only holds ids and counts below 2^53: plain numbers everywhere.
const types = {
  bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: Number },
};

/** The pool of one process; `reserve` returns a connection of its own. */
export interface Sql extends postgres.Sql<{ bigint: number }> {
  /** Waits while all reservable connections are in use, and throws a PoolBusyError after 10 seconds. */
  reserve: (level?: ReserveLevel) => Promise<ReservedSql>;
  /** Whether PostgreSQL currently refuses connections. @default unknown */
  room?: Readonly<ServerRoom>;
  /** How busy its connections are. */
  load?: () => PoolLoad;
}
/** A connection of its own, for session state: staging tables and manual transactions. */
export type ReservedSql = postgres.ReservedSql<{ bigint: number }>;
/** Anything that runs a query: the pool, a reserved connection or a transaction. */
export type Db = Sql | ReservedSql | postgres.TransactionSql<{ bigint: number }>;

/** Where PostgreSQL is: an address, or the socket of the embedded server. */
export type DatabaseTarget = AddressTarget | SocketTarget;

export interface AddressTarget {
  url: string;
  /** Whether PgBouncer in session mode is in between, which takes few settings at the start of a session. @default false */
  isPooled?: boolean;
}

interface SocketTarget {
  socketDir: string;
  port: number;
  user: string;
  database: string;
}

/** As text, because the driver drops a setting that is `false`. The costs are those of memory and solid state disks. */
const plannerSettings: Record<string, string> = { jit: 'off', random_page_cost: '1.1' };

interface ConnectOptions {
  /** Maximum number of connections for single queries. @default 10 */
  max?: number;
  /** Maximum number of connections for transactions, locks and exports. @default no limit */
  maxReserved?: number;
  /** Timeout of an attempt to connect, in seconds. @default 10 */
  connectSeconds?: number;
  applicationName?: string;
  /** More settings of a session, given at its start. */
  startSettings?: Record<string, string>;
  /** A string given as json is already JSON text. @default false: it is a JSON string */
  jsonIsText?: boolean;
  /** Logs slow and failing statements. @default none are logged */
  statements?: StatementLog;
}

/** A transaction of a suspended program loses its locks after 20 seconds. */
const ownSessionSettings: Record<string, string> = {
  ...plannerSettings,
  idle_in_transaction_session_timeout: '20000',
};

/** Idle seconds after which the pool's first connection, and each further one, is closed. */
const idleSeconds = { first: 60, further: 5 };

/**
 * Opens a pool that connects on first use, with times in UTC and int8 as number. `reserve` and `begin` use separate
 * connections, which throw once they are lost and hold no lock for a suspended program. A query that a full server
 * refuses waits a second for room.
 */
export function connect(target: DatabaseTarget, options: ConnectOptions = {}): Sql {
  const isPooled = 'url' in target && target.isPooled === true;
  const common = {
    application_name: options.applicationName ?? 'offerbook',
    TimeZone: 'UTC',
    ...options.startSettings,
  };
  const settings = {
    types: options.jsonIsText === true ? { ...types, json: jsonText } : types,
    onnotice: () => {},
    connect_timeout: options.connectSeconds ?? 10,
    // Finds a recovered server within seconds.
    backoff: (attempt: number) => Math.min(2, attempt / 4),
    connection: isPooled ? common : { ...common, ...plannerSettings },
  };
  const { max = 10, maxReserved = Number.POSITIVE_INFINITY, statements = null } = options;
  const sockets: SocketCount = { open: isPlain(target) ? 0 : null };
  const singles: StatementCount = { unfinished: 0 };
  const room: ServerRoom = { isFull: false };
  const first = openClient(target, { ...settings, max: 1, idle_timeout: idleSeconds.first }, sockets);
  const rest =
    max > 1
      ? openClient(target, { ...settings, max: max - 1, idle_timeout: idleSeconds.further }, sockets)
      : null;
  const spread = rest === null ? null : spreadQueries(rest);
  const reservations = createReservations(
    (onClose) => {
      const connection = isPooled ? common : { ...common, ...ownSessionSettings };
      const own = { ...settings, max: 1, max_lifetime: null, connection, onclose: onClose };
      return onEachQuery(openClient(target, own, sockets), (query) => watchQuery(query, { statements }));
    },
    { max: maxReserved, room, firstQuery: isPooled ? setOwnSession : (client) => client`select 1` },
  );
  const { reserve, end: endReserved } = reservations;
  const endFirst = first.end;
  const pool = Object.assign(first, {
    reserve,
    room,
    load: (): PoolLoad => ({
      open: sockets.open,
      queries: {
        max,
        busy: Math.min(max, singles.unfinished),
        waiting: Math.max(0, singles.unfinished - max),
      },
      transactions: { max: maxReserved, ...reservations.load() },
    }),
    begin: async <T>(...args: [work: Work<T>] | [options: string, work: Work<T>]): Promise<T> => {
      const [how, work] = args.length === 2 ? args : ['', args[0]];
      const db = await reserve();
      try {
        return await inTransaction(db, work, how);
      } finally {
        db.release();
      }
    },
    end: async (how?: { timeout?: number | undefined }) => {
      await Promise.all([endReserved(how), endFirst(how), rest?.end(how)]);
    },
  }) as Sql;
  return onEachQuery(pool, (query) => {
    spread?.(query);
    retryWhileFull(query, room);
    watchQuery(query, { count: singles, statements });
  });
}

/** What a pooler does not take at the start of a session. */
const setOwnSession = async (client: Client): Promise<unknown> =>
  await client`
  select set_config(key, value, false) from json_each_text(${JSON.stringify(ownSessionSettings)}::text::json)`;

type Settings = postgres.Options<{ bigint: postgres.PostgresType<number> }>;
type Work<T> = (tx: ReservedSql) => Promise<T>;

/** The JSON type, with strings taken as JSON text. */
const jsonText = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text) as unknown,
};

type Client = postgres.Sql<{ bigint: number }>;

function openDriver(target: DatabaseTarget, own: Settings): Client {
  const place = 'url' in target ? readSocketUrl(target.url) : target;
  if (place === null) {
    const { url, ssl } = tlsOfUrl((target as { url: string }).url);
    return postgres(url, ssl === null ? own : { ...own, ssl });
  }
  const { socketDir, port, user, database } = place;
  return postgres({ ...own, host: socketDir, port, user, database });
}

/** Nothing connects before the first query: this client only parses the address. */
const isPlain = (target: DatabaseTarget): boolean =>
  isPlainPlace(openDriver(target, {} as Settings).options as Place);

function openClient(target: DatabaseTarget, settings: Settings, sockets: SocketCount): Client {
  if (sockets.open === null) return openDriver(target, settings);
  const socket = (place: Place): Socket => countSockets(openSocket(place), sockets);
  return openDriver(target, { ...settings, socket } as Settings);
}

/** Parses `postgres:///database?host=/folder&user=name`, libpq's form for a Unix socket; null for other addresses. */
function readSocketUrl(address: string): SocketTarget | null {
  const url = new URL(address);
  const socketDir = url.searchParams.get('host');
  if (url.hostname !== '' || socketDir === null) return null;
  return {
    socketDir,
    port: Number(url.searchParams.get('port') ?? 5432),
    user: url.searchParams.get('user') ?? 'postgres',
    database: decodeURIComponent(url.pathname.slice(1)),
  };
}

/**
 * Runs `work` in a transaction on a connection of its own; any error rolls back and is rethrown. By hand, because the
 * connection keeps a staging table from before the transaction.
 */
export async function inTransaction<T>(
  db: ReservedSql,
  work: (tx: ReservedSql) => Promise<T>,
  options = '',
): Promise<T> {
  await db.unsafe(`begin ${options}`);
  try {
    const result = await work(db);
    await db`commit`;
    return result;
  } catch (error) {
    await rollBack(db);
    throw error;
  }
}

async function rollBack(db: ReservedSql): Promise<void> {
  try {
    await db`rollback`;
  } catch {
    // The connection is lost, and the transaction with it.
  }
}
