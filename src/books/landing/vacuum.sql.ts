import type { ReservedSql } from '../../database/connection.ts';

/** A table that takes less is not worth it. */
const smallBytes = 256 * 1_024;

/**
 * Makes the space of rows that landings have left behind usable again where it is more than half of a table: books that
 * follow each other within seconds are faster than autovacuum, which looks once a minute. What another one is working at
 * is passed over, and nothing fails for it. Not in a transaction.
 */
export async function vacuumLeftovers(db: ReservedSql): Promise<void> {
  try {
    // A session keeps its counts back for a while.
    await db`select pg_stat_force_next_flush()`;
    const tables = await db<{ name: string }[]>`
      select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and c.relpersistence = 'p' and not c.relisshared
        and n.nspname in (current_schema(), 'pg_catalog') and pg_has_role(c.relowner, 'usage')
        and exists (select from unnest(array[c.oid, c.reltoastrelid]) as part(id)
          where pg_stat_get_dead_tuples(part.id) > pg_stat_get_live_tuples(part.id) / 2
            and pg_relation_size(part.id) > ${smallBytes})`;
    for (const { name } of tables) await db.unsafe(`vacuum (skip_locked) ${name}`);
  } catch {
    // Autovacuum comes by later; a connection that is lost shows at the next query.
  }
}
