import { on } from '../../database/builder.ts';
import type { Db } from '../../database/connection.ts';
import { and, desc, eq, or } from '../../database/drizzle.ts';
import { instanceStatus } from '../../database/schema/instance.ts';
import { auditLog } from '../../database/schema/rental.ts';
import type { AuditRow } from '../audit.sql.ts';

/** How many entries of each kind a timeline has at most: the newest. */
const maxTimelineEntries = 500;

/** What a list first showed of an instance. */
export interface ListedStatus {
  at: Date;
  actualStatus: string | null;
  intendedStatus: string | null;
  /** It was missing from the list. */
  gone: boolean;
}

/** Returns the statuses of an instance as lists showed them, the oldest first. */
export async function listStatuses(db: Db, marketId: number, instanceId: number): Promise<ListedStatus[]> {
  const { observedAt, actualStatus, intendedStatus, gone } = instanceStatus;
  const rows = await on(db)
    .select({ at: observedAt, actualStatus, intendedStatus, gone })
    .from(instanceStatus)
    .where(and(eq(instanceStatus.marketId, marketId), eq(instanceStatus.instanceId, instanceId)))
    .orderBy(desc(observedAt))
    .limit(maxTimelineEntries);
  return rows.reverse();
}

/** Returns the entries of the audit log about an instance and its rental, the oldest first. */
export async function listAuditOf(
  db: Db,
  market: string,
  { instanceId, rentalId }: { instanceId: number; rentalId: string | null },
): Promise<AuditRow[]> {
  const isAbout = eq(auditLog.instanceId, instanceId);
  const rows = await on(db)
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.market, market),
        rentalId === null ? isAbout : or(isAbout, eq(auditLog.rentalId, rentalId)),
      ),
    )
    .orderBy(desc(auditLog.seq))
    .limit(maxTimelineEntries);
  return rows.reverse();
}
