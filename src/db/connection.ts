import postgres from 'postgres';

// int8 carries ids and counts of the market, all below 2^53: plain numbers everywhere.
const types = {
  bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: Number },
};

export type Sql = postgres.Sql<{ bigint: number }>;
/** A connection of its own: session state (staging tables, transactions by hand) belongs to it. */
export type ReservedSql = postgres.ReservedSql<{ bigint: number }>;
/** Anything that runs a query: the pool, a reserved connection or a transaction. */
export type Db = Sql | ReservedSql | postgres.TransactionSql<{ bigint: number }>;

/** Where PostgreSQL is: an address, or the socket of the embedded server. */
export type DatabaseTarget = { url: string } | SocketTarget;

interface SocketTarget {
  socketDir: string;
  port: number;
  user: string;
  database: string;
}

/** As text: the driver leaves out a setting that is `false`. Costs are those of memory and solid state disks. */
const sessionSettings: Record<string, string> = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1' };

interface ConnectOptions {
  /** Connections at the same time. @default 10 */
  max?: number;
  applicationName?: string;
}

/** A pool that connects on first use; times in UTC, int8 as number. */
export function connect(target: DatabaseTarget, options: ConnectOptions = {}): Sql {
  const settings = {
    max: options.max ?? 10,
    types,
    onnotice: () => {},
    connect_timeout: 10,
    connection: { application_name: options.applicationName ?? 'offerbook', ...sessionSettings },
  };
  const place = 'url' in target ? readSocketUrl(target.url) : target;
  if (place === null) return postgres((target as { url: string }).url, settings);
  const { socketDir, port, user, database } = place;
  return postgres({ ...settings, host: socketDir, port, user, database });
}

/** `postgres:///database?host=/folder&user=name`, libpq's form for a Unix socket; null for other addresses. */
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
 * Runs `work` between begin and commit on a connection of its own; any error rolls back and is thrown on.
 * By hand, because the connection keeps its staging table from before the transaction.
 */
export async function inTransaction<T>(db: ReservedSql, work: (tx: ReservedSql) => Promise<T>): Promise<T> {
  await db`begin`;
  try {
    const result = await work(db);
    await db`commit`;
    return result;
  } catch (error) {
    await db`rollback`.catch(() => {});
    throw error;
  }
}
