import { quoted } from '../column-lists.ts';
import type { Db } from '../connection.ts';

/** A table with its columns, without generated ones. */
export interface BackupTable {
  name: string;
  columns: string[];
}

/** A part of a table that must exist before its rows. */
interface Partition {
  name: string;
  parent: string;
  bound: string;
}

/** The first line of a backup. */
export interface BackupHeader {
  kind: 'offerbook-backup';
  format: 1;
  version: string;
  madeAt: string;
  /** Names and hashes of the migrations that made the schema, in order. */
  migrations: { name: string; hash: string }[];
  partitions: Partition[];
}

/** The last line: a backup without it was cut off. */
export interface BackupEnd {
  end: true;
  tables: number;
  rows: number;
  /** Hash of all text before this line, as hex; older backups have none. */
  sha256?: string;
}

/**
 * Returns the tables of the schema, each after the tables that it references; partitions count as rows of their parent.
 */
export async function listTables(db: Db): Promise<BackupTable[]> {
  const tables = await db<(BackupTable & { refersTo: string[] })[]>`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as "refersTo"
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname <> 'schema_migration'
    order by c.relname`;
  const ordered: BackupTable[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)));
    if (ready.length === 0) throw new Error('tables refer to one another in a circle');
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      waiting.delete(name);
    }
  }
  return ordered;
}

/** Returns partitions, those of a partition after it. */
export async function listPartitions(db: Db): Promise<Partition[]> {
  return await db<Partition[]>`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c
    join pg_inherits i on i.inhrelid = c.oid
    join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relispartition and c.relkind in ('r', 'p')
    order by c.oid`;
}

/** Returns the COPY statement of a table, which precedes its rows in a backup. */
export const copyLine = ({ name, columns }: BackupTable): string =>
  `COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM stdin;`;
