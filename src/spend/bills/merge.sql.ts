import type { BillingCertificate, BillingChanges } from '../../books/billing-certificate.ts';
import { UserError } from '../../core/errors.ts';
import type { Db, Sql } from '../../database/connection.ts';
import { enterSpend } from '../../rentals/spend-moment.sql.ts';
import type { BillingKind } from './bill.ts';
import { certificateJson, finishBillCrawl } from './bill-crawls.sql.ts';
import { markMissed } from './missed.sql.ts';
import type { OpenSync } from './syncs.sql.ts';
import { addEntries, replaceVersions } from './versions.sql.ts';

/** How a sync ends. */
export interface SyncEnd {
  /** The crawl that ends with the sync. */
  crawlId: string;
  /** Called once no other merge can change what this one reads. */
  now: () => Date;
  /** null: complete. */
  reason: string | null;
  /** Whether its last round certainly holds the whole window: then equal rows in it all count. */
  proved: boolean;
  /** The first round whose rows are merged. */
  sinceRound: 1 | 2;
  /** Whether later syncs may skip entries older than this one. */
  whole: boolean;
  certificate: BillingCertificate;
}

/**
 * Ends a sync and stores its entries in one transaction: new or changed ones with versions, and in a complete sync a
 * miss for each that the window lacks. Returns the changes; null: another process has continued the sync, and nothing
 * was stored. In an unproved sync a row on several pages counts once, and equal rows of one page each.
 */
export async function mergeSync(
  sql: Sql,
  market: { marketId: number; kind: BillingKind },
  sync: OpenSync,
  end: SyncEnd,
): Promise<BillingChanges | null> {
  const { marketId, kind } = market;
  return await sql.begin(async (tx) => {
    const at = await endSync(tx, market, sync, end);
    if (at === null) return null;
    await gatherIncoming(tx, sync, end);
    await gatherKnown(tx, marketId, kind);
    await pairUp(tx);
    const { added } = await addEntries(tx, { marketId, kind, at });
    const { entries, changed, returned } = await replaceVersions(tx, at);
    const missing =
      end.reason === null
        ? await markMissed(tx, { marketId, kind, at, from: sync.from, to: sync.to })
        : { missed: 0, disappeared: 0 };
    const kept: BillingChanges = { entries, added, changed, returned, ...missing };
    const certificate = { ...end.certificate, kept };
    await tx`update billing_sync set certificate = ${tx.json(certificateJson(certificate))}
      where id = ${sync.id}`;
    const isRunning = await finishBillCrawl(tx, end.crawlId, {
      reason: end.reason,
      certificate,
      endedAt: at,
    });
    if (!isRunning) throw new UserError('Another process has taken over this sync: nothing was stored here.');
    await tx`delete from billing_staged where sync_id = ${sync.id}`;
    return kept;
  });
}

/** Returns the moment of the merge, later than every earlier one whatever the clock says; null: the sync has ended. */
async function endSync(
  tx: Db,
  { marketId, kind }: { marketId: number; kind: BillingKind },
  sync: OpenSync,
  end: SyncEnd,
): Promise<Date | null> {
  // One merge per market and kind at a time: each reads the known entries before it writes.
  await tx`select pg_advisory_xact_lock(hashtext('billing ' || ${kind}), ${marketId})`;
  await enterSpend(tx, marketId);
  const [row] = await tx<{ at: Date }[]>`
    update billing_sync r set state = ${end.reason === null ? 'complete' : 'partial'}, reason = ${end.reason},
      whole = ${end.whole}, rows = ${end.certificate.rows}, turn = turn + 1, ended_at = greatest(${end.now()}::timestamptz,
        (select max(b.ended_at) + interval '1 millisecond' from billing_sync b
          where b.market_id = ${marketId} and b.kind = ${kind}))
    where id = ${sync.id} and state = 'open' and turn = ${sync.turn} returning ended_at as at`;
  return row?.at ?? null;
}

async function gatherIncoming(tx: Db, { id }: OpenSync, { proved, sinceRound }: SyncEnd): Promise<void> {
  const readable = tx`sync_id = ${id} and round >= ${sinceRound} and rejected is null`;
  const rows = proved
    ? tx`select * from billing_staged where ${readable}`
    : tx`select distinct on (identity, page_ordinal) * from (
          select *, row_number() over (partition by page, identity order by place) as page_ordinal
          from billing_staged where ${readable}) as numbered
        order by identity, page_ordinal, page desc`;
  await tx`
    create temporary table billing_incoming on commit drop as
    select page, place, identity, content_hash, start_at, entry, raw,
      row_number() over (partition by identity, content_hash order by page, place) as equal_ordinal
    from (${rows}) as staged`;
  await tx`analyze billing_incoming`;
}

/** Collects the entries with the incoming identities, and their current content. */
async function gatherKnown(tx: Db, marketId: number, kind: BillingKind): Promise<void> {
  await tx`
    create temporary table billing_known on commit drop as
    select e.id, e.identity, e.ordinal, e.disappeared_at is not null as gone, v.content_hash,
      row_number() over (partition by e.identity, v.content_hash
        order by e.disappeared_at is not null, e.ordinal) as equal_ordinal
    from billing_entry e
    join lateral (select content_hash from billing_version where entry_id = e.id
      order by seen_from desc limit 1) v on true
    where e.market_id = ${marketId} and e.kind = ${kind}
      and e.identity in (select identity from billing_incoming)`;
  await tx`analyze billing_known`;
}

/**
 * Matches each incoming row to a known entry: first one with the same content, then the others of its identity in
 * order, so that one changed entry among equals is one change. Rows without a match are new: `id` null.
 */
async function pairUp(tx: Db): Promise<void> {
  await tx`
    create temporary table billing_pair on commit drop as
    with same as (
      select i.page, i.place, k.id, k.gone from billing_incoming i
      join billing_known k using (identity, content_hash, equal_ordinal)
    ), other as (
      select i.page, i.place, i.identity, row_number() over (partition by i.identity order by i.page, i.place) as pair_ordinal
      from billing_incoming i
      where not exists (select from same s where s.page = i.page and s.place = i.place)
    ), spare as (
      select k.id, k.identity, k.gone,
        row_number() over (partition by k.identity order by k.gone, k.ordinal) as pair_ordinal
      from billing_known k where not exists (select from same s where s.id = k.id)
    )
    select page, place, id, gone, false as changed from same
    union all
    select o.page, o.place, s.id, s.gone, true from other o left join spare s using (identity, pair_ordinal)`;
  await tx`analyze billing_pair`;
}
