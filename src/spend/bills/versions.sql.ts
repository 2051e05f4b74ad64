import type { BillingChanges } from '../../books/billing-certificate.ts';
import type { Db } from '../../database/connection.ts';
import type { BillingKind } from './bill.ts';

/** Creates an entry for each row of `billing_pair` without one, and stores its id there. */
export async function addEntries(
  tx: Db,
  { marketId, kind, at }: { marketId: number; kind: BillingKind; at: Date },
): Promise<{ added: number }> {
  await tx`
    create temporary table billing_new on commit drop as
    select i.page, i.place, i.identity, i.start_at,
      row_number() over (partition by i.identity order by i.page, i.place)
        + coalesce((select max(k.ordinal) from billing_known k where k.identity = i.identity), 0) as ordinal
    from billing_pair p join billing_incoming i using (page, place) where p.id is null`;
  await tx`analyze billing_new`;
  await tx`
    insert into billing_entry (market_id, kind, identity, ordinal, start_at, first_seen_at, last_seen_at)
    select ${marketId}, ${kind}, identity, ordinal, start_at, ${at}, ${at} from billing_new
    order by start_at, page, place`;
  const added = await tx`
    update billing_pair p set id = e.id
    from billing_new n join billing_entry e
      on e.market_id = ${marketId} and e.kind = ${kind} and e.identity = n.identity and e.ordinal = n.ordinal
    where p.page = n.page and p.place = n.place`;
  return { added: added.count };
}

/** Closes and opens versions of entries that have changed or had disappeared; records that all were seen. */
export async function replaceVersions(
  tx: Db,
  at: Date,
): Promise<Pick<BillingChanges, 'entries' | 'changed' | 'returned'>> {
  const closed = await tx`
    update billing_version v set seen_to = ${at} from billing_pair p
    where p.id = v.entry_id and v.seen_to = 'infinity' and p.changed`;
  await tx`
    insert into billing_version (entry_id, seen_from, seen_to, content_hash, start_at, end_at, type, source, service,
      description, invoice_id, instance_id, label, template_id, item_type, item_description, item_start_at,
      item_end_at, amount_usd, charge_usd, raw)
    select p.id, ${at}, 'infinity', i.content_hash, i.start_at, f."endAt", f.type, f.source, f.service,
      f.description, f."invoiceId", f."instanceId", f.label, f."templateId", f."itemType", f."itemDescription",
      f."itemStartAt", f."itemEndAt", f."amountUsd", f."chargeUsd", i.raw
    from billing_pair p join billing_incoming i using (page, place)
    cross join lateral jsonb_to_record(i.entry) as f("endAt" timestamptz, type text, source text, service text,
      description text, "invoiceId" bigint, "instanceId" bigint, label text, "templateId" bigint, "itemType" text,
      "itemDescription" text, "itemStartAt" timestamptz, "itemEndAt" timestamptz, "amountUsd" numeric,
      "chargeUsd" numeric)
    where p.changed or p.gone`;
  const [row] = await tx<{ entries: number; returned: number }[]>`
    select count(*) as entries, count(*) filter (where gone) as returned from billing_pair`;
  await tx`
    update billing_entry e set last_seen_at = ${at}, missed_readings = 0, disappeared_at = null
    from billing_pair p where p.id = e.id and e.last_seen_at < ${at}`;
  return { entries: row?.entries ?? 0, returned: row?.returned ?? 0, changed: closed.count };
}
