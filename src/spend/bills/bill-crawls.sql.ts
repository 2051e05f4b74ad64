import type { BillingCertificate } from '../../books/billing-certificate.ts';
import type { CrawlCause } from '../../books/crawls.sql.ts';
import type { Db } from '../../database/connection.ts';
import { type BillingKind, billingNames } from './bill.ts';

/** Records the start of an attempt at a sync. `id` is a version 7 UUID. */
export async function startBillCrawl(
  db: Db,
  crawl: {
    id: string;
    marketId: number;
    kind: BillingKind;
    cause: CrawlCause;
    tickAt: Date | null;
    jobId: string | null;
    startedAt: Date;
  },
): Promise<void> {
  const name = billingNames[crawl.kind];
  await db`insert into crawl (id, market_id, kind, scope_name, cause, tick_at, job_id, started_at)
    values (${crawl.id}, ${crawl.marketId}, ${name}, ${name}, ${crawl.cause}, ${crawl.tickAt}, ${crawl.jobId},
      ${crawl.startedAt})`;
}

/** Records that the attempt failed; leaves one that has already ended as it is. */
export async function failBillCrawl(
  db: Db,
  id: string,
  end: { reason: string; certificate: BillingCertificate; endedAt: Date },
): Promise<void> {
  await db`update crawl set outcome = 'failed', reason = ${end.reason}, ended_at = ${end.endedAt},
      certificate = ${db.json(certificateJson(end.certificate))}
    where id = ${id} and outcome is null`;
}

/** Ends a sync's attempt in the transaction of its merge; false: it had already ended. */
export async function finishBillCrawl(
  db: Db,
  id: string,
  /** `reason` null: complete. */
  end: { reason: string | null; certificate: BillingCertificate; endedAt: Date },
): Promise<boolean> {
  const finished = await db`
    update crawl set outcome = ${end.reason === null ? 'complete' : 'partial'}, reason = ${end.reason},
      ended_at = ${end.endedAt}, certificate = ${db.json(certificateJson(end.certificate))}
    where id = ${id} and outcome is null returning id`;
  return finished.length === 1;
}

/** Returns the certificate as the JSON that the driver expects. */
export const certificateJson = (certificate: BillingCertificate) => ({
  ...certificate,
  kept: certificate.kept === null ? null : { ...certificate.kept },
});
