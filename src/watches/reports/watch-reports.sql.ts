import type { Db } from '../../database/connection.ts';

/** An offer as the last report listed it. */
export interface ReportedOffer {
  offerId: number;
  machineId: number;
  gpuName: string;
  numGpus: number;
  usdPerHour: number;
}

/** The last report of a watch that went out, its offers by listing; null: none did. */
export async function findLastReport(
  db: Db,
  watchId: string,
): Promise<{ sentAt: Date; observedAt: Date; items: Record<string, ReportedOffer> } | null> {
  const [row] = await db<{ sentAt: Date; observedAt: Date; items: Record<string, ReportedOffer> }[]>`
    select sent_at as "sentAt", observed_at as "observedAt", items from watch_report where watch_id = ${watchId}`;
  return row ?? null;
}

/** Keeps what a report that goes out lists. */
export async function keepReport(
  db: Db,
  report: { watchId: string; sentAt: Date; observedAt: Date; items: Record<string, ReportedOffer> },
): Promise<void> {
  await db`
    insert into watch_report (watch_id, sent_at, observed_at, items)
    values (${report.watchId}, ${report.sentAt}, ${report.observedAt}, ${db.json(report.items as never)})
    on conflict (watch_id) do update set sent_at = excluded.sent_at, observed_at = excluded.observed_at,
      items = excluded.items`;
}
