import { on } from '../../database/builder.ts';
import type { Db } from '../../database/connection.ts';
import { eq } from '../../database/drizzle.ts';
import { watchReport } from '../../database/schema/notify.ts';

/** An offer as the last report listed it. */
export interface ReportedOffer {
  /** Name of its market; undefined: the first of the watch, in reports from before it could have several. */
  market?: string;
  offerId: number;
  machineId: number;
  gpuName: string;
  numGpus: number;
  usdPerHour: number;
}

/** The offers of a sent report, by listing. */
export type WatchReport = typeof watchReport.$inferSelect & { items: Record<string, ReportedOffer> };

/** Returns the last report of a watch that was sent; null: none. */
export async function findLastReport(db: Db, watchId: string): Promise<WatchReport | null> {
  const [row] = await on(db).select().from(watchReport).where(eq(watchReport.watchId, watchId));
  return (row as WatchReport | undefined) ?? null;
}

/** Stores the list of a report that is sent. */
export async function saveReport(db: Db, report: WatchReport): Promise<void> {
  const { watchId, ...set } = report;
  await on(db)
    .insert(watchReport)
    .values({ watchId, ...set })
    .onConflictDoUpdate({ target: watchReport.watchId, set });
}
