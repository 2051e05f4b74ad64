import type { Sql } from '../../database/connection.ts';
import type { BillingKind } from './bill.ts';
import type { BillingSource } from './bill-source.ts';
import type { OpenSync } from './syncs.sql.ts';

export interface BillingReader {
  sql: Sql;
  source: BillingSource;
  market: { marketId: number; kind: BillingKind };
  /** The crawl that the sync belongs to. */
  crawlId: string;
  now: () => Date;
  signal?: AbortSignal | undefined;
  onPhase?: ((phase: 'paging' | 'merge') => void) | undefined;
  onProgress?: ((done: number, total: number | null) => void) | undefined;
  /** Called with the sync after every step. */
  onStep: (sync: OpenSync) => void;
}
