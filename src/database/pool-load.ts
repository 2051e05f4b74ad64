/** How busy one part of a pool is. */
export interface PartLoad {
  /** Maximum number of connections; infinite: no limit. */
  max: number;
  busy: number;
  /** Statements or transactions that wait for a connection. */
  waiting: number;
}

/** How busy the connections of one pool are. */
export interface PoolLoad {
  /** Open connections of both parts; null: unknown, because the driver opens them itself. */
  open: number | null;
  /** Single statements. */
  queries: PartLoad;
  /** Transactions, locks and exports, each on a connection of its own. */
  transactions: PartLoad;
}
