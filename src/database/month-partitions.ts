import type { ReservedSql } from './connection.ts';

/** Tables partitioned by month of their moment `t`. */
export const pointTables = ['book_point', 'hour_point', 'day_point', 'week_point'] as const;
export type PointTable = (typeof pointTables)[number];

const lockKey = 0x0ffe_b011;

/** The month of a moment: its number, and the name of its partition. */
interface Month {
  name: string;
  from: string;
  to: string;
}

function monthOf(table: PointTable, at: Date): Month {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const start = (shift: number): string => new Date(Date.UTC(year, month + shift, 1)).toISOString();
  return { name: `${table}_${start(0).slice(0, 7).replace('-', '_')}`, from: start(0), to: start(1) };
}

/** Creates the partitions for moments up to a week apart, in every table. */
export async function ensureMonths(db: ReservedSql, moments: readonly Date[]): Promise<void> {
  const wanted = new Map(
    pointTables.flatMap((table) =>
      moments.map((at) => {
        const month = monthOf(table, at);
        return [month.name, { table, ...month }] as const;
      }),
    ),
  );
  const rows = await db<{ name: string }[]>`
    select name from unnest(${[...wanted.keys()]}::text[]) as n(name) where to_regclass(name) is null`;
  if (rows.length === 0) return;
  await db`begin`;
  try {
    await db`select pg_advisory_xact_lock(${lockKey})`;
    for (const { name } of rows) {
      const month = wanted.get(name);
      if (month !== undefined) await addMonth(db, month);
    }
    await db`commit`;
  } catch (error) {
    await db`rollback`.catch(() => {});
    throw error;
  }
}

/** Created separately and then attached: unlike `create … partition of`, this blocks no reader. */
async function addMonth(db: ReservedSql, month: Month & { table: PointTable }): Promise<void> {
  const { name, table, from, to } = month;
  // Read from the catalog: `to_regclass` may still remember that it was missing before the lock.
  const known = await db`select from pg_class where relname = ${name} and pg_table_is_visible(oid)`;
  if (known.length > 0) return;
  await db`create table ${db(name)} (like ${db(table)} including all)`;
  await db.unsafe(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`);
}

/** Returns partitions of a table that end at or before a moment, oldest first. */
export async function monthsBefore(db: ReservedSql, table: PointTable, at: Date): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass order by 1`;
  const current = monthOf(table, at).name;
  return rows.map(({ name }) => name).filter((name) => name < current);
}
