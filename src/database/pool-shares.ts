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

/**
 * Divides `poolSize` connections: a third for single queries, but none of those added for `furtherMarkets`, each of whose
 * crawls holds two from its first request to its last.
 */
export function sharePool(poolSize: number, furtherMarkets = 0): PoolShares {
  const own = poolSize - poolSizePerMarket * furtherMarkets;
  const pool = Math.max(1, Math.min(Math.floor(own / 3), own - fixedConnections - 3));
  return { pool, reserved: poolSize - fixedConnections - pool };
}
