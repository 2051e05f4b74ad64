import { uuidv7 } from 'uuidv7';
import { blankBillingCertificate } from '../../src/books/billing-certificate.ts';
import type { Sql } from '../../src/database/connection.ts';
import type { BillingEntry, BillingFields, BillingKind } from '../../src/spend/bills/bill.ts';
import { startBillCrawl } from '../../src/spend/bills/bill-crawls.sql.ts';
import { startWalk } from '../../src/spend/bills/bill-walk.ts';
import { mergeSync } from '../../src/spend/bills/merge.sql.ts';
import { beginSync, savePage } from '../../src/spend/bills/syncs.sql.ts';

const nothing: BillingFields = {
  ...{ endAt: null, type: null, source: null, service: null, description: null, invoiceId: null },
  ...{ instanceId: null, label: null, templateId: null, itemType: null, itemDescription: null },
  ...{ itemStartAt: null, itemEndAt: null, amountUsd: '0', chargeUsd: null },
};

/** What a test says of a bill; times as text. */
export type MadeBill = Partial<Omit<BillingFields, 'endAt'>> & {
  start: string;
  end?: string | null;
  amountUsd: string;
};

/** An invoice: a payment by card unless said otherwise. */
export function makeInvoice(id: number, bill: MadeBill): BillingEntry {
  const service = 'cardproc_payments';
  return makeEntry(`invoice ${id}`, { type: 'credit', source: 'card', service, invoiceId: id, ...bill });
}

/** An item of a charge of instance `id`, of its GPUs unless said otherwise. */
export function makeCharge(id: number, bill: MadeBill): BillingEntry {
  const { itemType = 'gpu' } = bill;
  return makeEntry(`charge ${id} ${bill.start} ${itemType}`, {
    ...{ type: 'instance', source: `instance-${id}`, instanceId: id, chargeUsd: bill.amountUsd, itemType },
    ...bill,
  });
}

function makeEntry(identity: string, { start, end, ...fields }: MadeBill): BillingEntry {
  const endAt = end === undefined || end === null ? null : new Date(end);
  const whole = { ...nothing, ...fields, endAt };
  const contentHash = JSON.stringify([start, whole]);
  return { identity, contentHash, startAt: new Date(start), fields: whole, raw: '{}' };
}

/** A complete reading of everything there is, as the crawler ends one at `at`: what it lacks is missed. */
export async function landBills(
  sql: Sql,
  marketId: number,
  kind: BillingKind,
  at: string,
  entries: readonly BillingEntry[],
): Promise<void> {
  const moment = new Date(at);
  const range = { from: null, to: null };
  const certificate = blankBillingCertificate();
  const walk = startWalk(range, { round: 1, afterPage: 0, capacity: 0, rowsBefore: 0, failedParts: 0 });
  const begun = await beginSync(sql, {
    ...{ id: uuidv7(), marketId, kind, range, startedAt: moment, walk, certificate },
  });
  let reading = begun;
  for (let from = 0; from < entries.length; from += 5_000) {
    const rows = entries.slice(from, from + 5_000).map((entry) => ({ entry }));
    const kept = await savePage(sql, reading, rows, { walk, certificate });
    if (kept === null) throw new Error('a page was not kept');
    reading = kept;
  }
  const crawlId = uuidv7();
  const run = { id: crawlId, marketId, kind, cause: 'command', tickAt: null, jobId: null } as const;
  await startBillCrawl(sql, { ...run, startedAt: moment });
  const end = {
    crawlId,
    now: () => moment,
    reason: null,
    proved: true,
    whole: true,
    sinceRound: 1,
    certificate,
  } as const;
  if ((await mergeSync(sql, { marketId, kind }, reading, end)) === null) throw new Error('nothing was kept');
}
