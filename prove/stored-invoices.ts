import type { Sql } from '../src/database/connection.ts';

/** Returns every stored invoice, in the form of `invoiceText`. */
export async function storedInvoices(sql: Sql): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select json_build_array(v.invoice_id, extract(epoch from v.start_at)::bigint,
      extract(epoch from v.end_at)::bigint, v.type, v.source, v.service, v.description, trim_scale(v.amount_usd))::text
      as text
    from billing_entry e join billing_version v on v.entry_id = e.id
    where e.kind = 'invoice' and e.disappeared_at is null and v.seen_to = 'infinity'`;
  return rows.map(({ text }) => JSON.stringify(JSON.parse(text)));
}

/** Returns all rows of entries and versions except when entries were last seen, and which transaction wrote each version. */
export async function billingRows(sql: Sql): Promise<string[]> {
  const entries = await sql<{ text: string }[]>`
    select (to_jsonb(e) - 'last_seen_at')::text as text from billing_entry e order by id`;
  const versions = await sql<{ text: string }[]>`
    select v.xmin || to_jsonb(v)::text as text from billing_version v order by entry_id, seen_from`;
  return [...entries, ...versions].map(({ text }) => text);
}

/** Rows of `left` that `right` lacks, each as often. */
export function missingFrom(left: readonly string[], right: readonly string[]): string[] {
  const left_ = Map.groupBy(left, (text) => text);
  const right_ = Map.groupBy(right, (text) => text);
  return [...left_].flatMap(([text, all]) => all.slice(right_.get(text)?.length ?? 0));
}

/** Returns contradictions in the tables: overlapping versions, duplicate entries, entries without a version. */
export async function findBrokenBills(sql: Sql): Promise<string[]> {
  const [row] = await sql<{ overlapping: number; bare: number; staged: number; backwards: number }[]>`
    select (select count(*) from billing_version a join billing_version b
        on a.entry_id = b.entry_id and a.seen_from < b.seen_from and a.seen_to > b.seen_from) as overlapping,
      (select count(*) from billing_version where seen_to <= seen_from) as backwards,
      (select count(*) from billing_entry e
        where (e.disappeared_at is null) <> exists (
          select from billing_version v where v.entry_id = e.id and v.seen_to = 'infinity')) as bare,
      (select count(*) from billing_staged s join billing_sync r on r.id = s.sync_id
        where r.state <> 'open') as staged`;
  return Object.entries(row ?? { nothing: 1 }).flatMap(([name, count]) =>
    count > 0 ? [`${count} rows are ${name}`] : [],
  );
}
