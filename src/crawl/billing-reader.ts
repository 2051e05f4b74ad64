import type { OpenReading } from '../db/billing/readings.ts';
import type { Sql } from '../db/connection.ts';
import type { BillingKind } from '../domain/billing.ts';
import type { BillingSource } from './billing-source.ts';

export interface BillingReader {
  sql: Sql;
  source: BillingSource;
  market: { marketId: number; kind: BillingKind };
  /** The run that it is read for. */
  runId: string;
  now: () => Date;
  signal?: AbortSignal | undefined;
  onPhase?: ((phase: 'paging' | 'merge') => void) | undefined;
  onProgress?: ((done: number, total: number | null) => void) | undefined;
  /** Called with the reading after every step. */
  onStep: (reading: OpenReading) => void;
}
