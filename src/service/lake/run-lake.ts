import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError, UserError } from '../../core/errors.ts';
import type { Sql } from '../../database/connection.ts';
import { inSnapshot, type Snapshot } from '../../database/snapshot.sql.ts';
import type { LakeQuery } from '../../exports/lake/lake-query.ts';
import type { LakeStore } from '../../exports/lake/lake-store.ts';
import { dayOf, type LakeSource } from '../../exports/lake/lake-table.ts';
import { type LakeSummary, writeLake } from '../../exports/lake/write-lake.ts';
import { allowMemory, lakeSource, type MarketInLake, marketsOf, takeLakeLock } from './lake-sources.sql.ts';
import { lakeTables } from './lake-tables.ts';

export interface LakeRequest {
  /** null: all of the database. */
  markets: readonly string[] | null;
  tables: readonly LakeQuery[];
  from: string | null;
  to: string | null;
  /** Whether the day that is not over is written too. */
  withOpen: boolean;
  prune: boolean;
  adopt: boolean;
  version: string;
  now: Date;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
}

/**
 * Brings a lake up to the database, from one snapshot of it. Throws a UserError for an unknown market and while another
 * run writes to the same place.
 */
export async function runLake(sql: Sql, store: LakeStore, request: LakeRequest): Promise<LakeSummary> {
  const { signal } = request;
  const work = inSnapshot(sql, signal, async function* (snapshot) {
    yield await runIn(snapshot, store, request);
  });
  for await (const summary of work) return summary;
  throw new Error('the snapshot gave no summary');
}

async function runIn(snapshot: Snapshot, store: LakeStore, request: LakeRequest): Promise<LakeSummary> {
  const { now, version, adopt, signal } = request;
  if (!(await takeLakeLock(snapshot, store.place))) {
    throw new UserError(`Another run is writing to ${store.place}: wait until it has ended.`);
  }
  await allowMemory(snapshot);
  const markets = chooseMarkets(await marketsOf(snapshot), request.markets);
  const sources: LakeSource[] = [];
  for (const market of markets) {
    for (const query of request.tables) {
      signal.throwIfAborted();
      sources.push(await lakeSource(snapshot, query, market, now));
    }
  }
  return await writeLake(store, sources, {
    ...request,
    openFrom: dayOf(now),
    head: { version, asOf: now, tables: lakeTables, markets, adopt },
  });
}

function chooseMarkets(all: readonly MarketInLake[], wanted: readonly string[] | null): MarketInLake[] {
  if (wanted === null) return [...all];
  return [...new Set(wanted)].map((name) => {
    const found = all.find((market) => market.name === name);
    if (found !== undefined) return found;
    const known = all.map((market) => market.name);
    throw new UsageError(
      `There is no market ${name} in the database; it has ${known.join(', ') || 'none'}.${didYouMean(name, known)}`,
    );
  });
}
