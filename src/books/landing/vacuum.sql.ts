import type { ReservedSql } from '../../database/connection.ts';

/** Smaller tables are not worth it. */
const smallBytes = 256 * 1_024;

/**
 * Frees the space of dead rows in tables where they take more than half: books that follow each other within seconds
 * outpace autovacuum, which looks once a minute. Skips tables that another process is vacuuming, and never fails. Not
 * in a transaction.
 */
export async function vacuumLeftovers(db: ReservedSql): Promise<void> {
  try {
    // A session delays its counts for a while.
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
    // Autovacuum will do it later; a lost connection shows at the next query.
  }
}
