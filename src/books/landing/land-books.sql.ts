import { inTransaction, type Sql } from '../../database/connection.ts';
import { releaseAfter } from '../../database/reserved-connection.ts';
import { ensureScope } from '../markets.sql.ts';
import { decideGroup } from './attributes.sql.ts';
import type { LandingGroup } from './group.ts';
import type { LandingOptions } from './land-book.sql.ts';
import { updatePlannerStatistics } from './planner-statistics.sql.ts';
import { tidyLeftPages } from './records.sql.ts';
import { dropStaging } from './staging.sql.ts';
import { vacuumLeftovers } from './vacuum.sql.ts';

/**
 * Stores the books that `land` lands in this group, all of one series, all or none, in any order. The result equals
 * that of books landed one by one, but their statistics are computed once, which is several times faster. Hooks do not
 * run.
 */
export async function landTogether<T>(
  sql: Sql,
  series: Pick<LandingOptions, 'marketId' | 'scopeName' | 'type' | 'statistics'>,
  moments: readonly Date[],
  land: (group: LandingGroup) => Promise<T>,
): Promise<T> {
  const scopeId = await ensureScope(sql, series.marketId, series.scopeName);
  const db = await sql.reserve();
  try {
    await series.statistics.prepare(db, moments);
    const group: LandingGroup = { db, moved: [], bookIds: [], undecidedFrom: null };
    const result = await inTransaction(db, async (tx) => {
      const landed = await land(group);
      await decideGroup(tx, group);
      if (group.bookIds.length > 0) await tidyLeftPages(tx);
      await series.statistics.refresh(
        tx,
        { marketId: series.marketId, scopeId, type: series.type },
        group.moved,
      );
      return landed;
    });
    await updatePlannerStatistics(db, group.bookIds);
    await vacuumLeftovers(db);
    return result;
  } finally {
    await releaseAfter(db, () => dropStaging(db));
  }
}
