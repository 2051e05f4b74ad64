/** How the connections of one process are divided; see `DATABASE_POOL_SIZE`. */
export interface PoolShares {
  /** For single queries. */
  pool: number;
  /** For transactions, locks and exports, each of which uses its own connection. */
  reserved: number;
}

/** One for LISTEN, one for the queue's queries and one for its transactions. */
const fixedConnections = 3;
/** One for queries and one for each of the three levels of `ReserveLevel`. */
export const minPoolSize = fixedConnections + 4;
export const defaultPoolSize = 15;
/** Added for each further market: locks of crawls that hang must leave another market's crawls their connections. */
export const poolSizePerMarket = 6;

/** Divides `poolSize` connections: a third for single queries. */
export function sharePool(poolSize: number): PoolShares {
  const pool = Math.max(1, Math.min(Math.floor(poolSize / 3), poolSize - fixedConnections - 3));
  return { pool, reserved: poolSize - fixedConnections - pool };
}
