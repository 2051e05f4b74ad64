import { createHash } from 'node:crypto';
import { readRows, type Snapshot } from '../../database/snapshot.sql.ts';
import type { LakeQuery, LakeScope } from '../../exports/lake/lake-query.ts';
import type { LakeSource } from '../../exports/lake/lake-table.ts';

/** A market as the lake names it. */
export interface MarketInLake {
  id: number;
  name: string;
  createdAt: string;
}

/** Lets the snapshot sort two weeks of a large market in memory, which takes half the time. */
export async function allowMemory({ tx }: Snapshot): Promise<void> {
  await tx`select set_config('work_mem', '64MB', true)`;
}

/** Returns the markets of a snapshot by name. */
export async function marketsOf({ tx }: Snapshot): Promise<MarketInLake[]> {
  const rows = await tx<{ id: number; name: string; createdAt: Date }[]>`
    select id, name, created_at as "createdAt" from market order by name`;
  return rows.map(({ createdAt, ...market }) => ({ ...market, createdAt: createdAt.toISOString() }));
}

/** Takes the right to write to a place until the snapshot ends; false: another run on this database has it. */
export async function takeLakeLock({ tx }: Snapshot, place: string): Promise<boolean> {
  const [row] = await tx<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext('lake'), hashtext(${place})) as taken`;
  return row?.taken === true;
}

/** Returns a table of a market as a source of the lake, in a snapshot. */
export async function lakeSource(
  snapshot: Snapshot,
  query: LakeQuery,
  market: MarketInLake,
  asOf: Date,
): Promise<LakeSource> {
  const scope: LakeScope = { marketId: market.id, asOf };
  const days = new Map<string, string>();
  const text = `select day, source from (${query.daysSql(scope)}) as made order by day`;
  for await (const rows of readRows(snapshot, text)) {
    for (const [day, source] of rows) days.set(day ?? '', source ?? '');
  }
  const { name: table, columns, scale } = query;
  const names = ['day', ...columns.map(({ name }) => name)].map((name) => `"${name}"`);
  return {
    table: { name: table, columns, scale },
    market: market.name,
    days: query.dependsOnPast === true ? chained(days) : days,
    // Sorted within: a plain list of columns keeps the order.
    rows: (from, to) =>
      readRows(snapshot, `select ${names.join(', ')} from (${query.rowsSql(scope, from, to)}) as line`),
  };
}

/** Returns for each day a text that also changes with the days before it. */
function chained(days: ReadonlyMap<string, string>): Map<string, string> {
  let past = '';
  return new Map(
    [...days].map(([day, source]) => {
      past = createHash('md5').update(past).update(source).digest('hex');
      return [day, past];
    }),
  );
}
