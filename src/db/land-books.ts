import { inTransaction, type Sql } from './connection.ts';
import { type LandingOptions, tellPlanner } from './land-book.ts';
import { decideGroup } from './landing/attributes.ts';
import type { LandingGroup } from './landing/group.ts';
import { tidyLeftPages } from './landing/records.ts';
import { dropStaging } from './landing/staging.ts';
import { vacuumLeftovers } from './landing/vacuum.ts';
import { ensureScope } from './markets.ts';
import { releaseAfter } from './reserved-connection.ts';
import { preparePoints, refreshPoints } from './rollups/refresh-points.ts';

/**
 * Stores the books of one series that `land` lands in this group, all or none, at these moments or fewer. The
 * contents are those of books landed one by one; their statistics are made once, which takes a fraction of the time.
 * For books of which nothing is told: hooks do not run.
 */
export async function landTogether<T>(
  sql: Sql,
  series: Pick<LandingOptions, 'marketId' | 'scopeName' | 'type'>,
  moments: readonly Date[],
  land: (group: LandingGroup) => Promise<T>,
): Promise<T> {
  const scopeId = await ensureScope(sql, series.marketId, series.scopeName);
  const db = await sql.reserve();
  try {
    await preparePoints(db, moments);
    const group: LandingGroup = { db, moved: [], bookIds: [], undecidedFrom: null };
    const result = await inTransaction(db, async (tx) => {
      const landed = await land(group);
      await decideGroup(tx, group);
      if (group.bookIds.length > 0) await tidyLeftPages(tx);
      await refreshPoints(tx, { marketId: series.marketId, scopeId, type: series.type }, group.moved);
      return landed;
    });
    await tellPlanner(db, group.bookIds);
    await vacuumLeftovers(db);
    return result;
  } finally {
    await releaseAfter(db, () => dropStaging(db));
  }
}
