import type { Db } from '../../database/connection.ts';

/**
 * Deletes polls and their load samples older than a moment. Each market keeps its newest poll, which says when its
 * instances were last listed. Returns the number of rows.
 */
export async function dropOldSamples(db: Db, before: Date): Promise<number> {
  const samples = await db`delete from instance_sample where polled_at < ${before}`;
  const polls = await db`
    delete from instance_poll p where polled_at < ${before}
      and exists (select from instance_poll newer where newer.market_id = p.market_id
        and newer.polled_at > p.polled_at)`;
  return samples.count + polls.count;
}
