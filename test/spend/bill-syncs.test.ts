import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { blankBillingCertificate } from '../../src/books/billing-certificate.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import type { BillingEntry } from '../../src/spend/bills/bill.ts';
import { startBillCrawl } from '../../src/spend/bills/bill-crawls.sql.ts';
import { startWalk } from '../../src/spend/bills/bill-walk.ts';
import { mergeSync } from '../../src/spend/bills/merge.sql.ts';
import { countRejected, countRepeated, startAfter } from '../../src/spend/bills/staged.sql.ts';
import {
  abandonSync,
  advanceSync,
  beginSync,
  findOpenSync,
  newestWholeSync,
  type OpenSync,
  type StagedRow,
  savePage,
} from '../../src/spend/bills/syncs.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';

const at = new Date('2026-03-01T00:00:00Z');
const kind = 'invoice';

function entry(id: number, more: Partial<BillingEntry> = {}): StagedRow {
  const nothing = {
    type: null,
    source: null,
    service: null,
    description: null,
    label: null,
    templateId: null,
  };
  const noItem = {
    itemType: null,
    itemDescription: null,
    itemStartAt: null,
    itemEndAt: null,
    chargeUsd: null,
  };
  const fields = { ...nothing, ...noItem, endAt: null, invoiceId: id, instanceId: null, amountUsd: `-${id}` };
  const startAt = new Date(at.getTime() + id * 1_000);
  return { entry: { identity: `${id}`, contentHash: `hash ${id}`, startAt, fields, raw: '{}', ...more } };
}

describe('a stored sync of bills', () => {
  let sql: Sql;
  let markets = 0;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  const begin = async (marketId?: number) => {
    markets += 1;
    const id = marketId ?? (await ensureMarket(sql, `market ${markets}`, 'live')).id;
    const walk = startWalk(
      { from: null, to: null },
      { round: 1, afterPage: 0, capacity: 0, rowsBefore: 0, failedParts: 0 },
    );
    const certificate = blankBillingCertificate();
    const range = { from: null, to: null };
    const reading = await beginSync(sql, {
      ...{ id: uuidv7(), marketId: id, kind, range, startedAt: at, walk, certificate },
    });
    return { marketId: id, reading };
  };
  const step = ({ walk, certificate }: OpenSync) => ({ walk, certificate });
  const keep = async (reading: OpenSync, ...rows: StagedRow[]): Promise<OpenSync> => {
    const kept = await savePage(sql, reading, rows, step(reading));
    if (kept === null) throw new Error('the page was not kept');
    return kept;
  };
  const merge = async (marketId: number, reading: OpenSync, more: object = {}) => {
    const crawlId = uuidv7();
    const run = { id: crawlId, marketId, kind, cause: 'command', tickAt: null, jobId: null } as const;
    await startBillCrawl(sql, { ...run, startedAt: at });
    const certificate = blankBillingCertificate();
    const ended = { reason: null, proved: true, whole: true, sinceRound: 1 } as const;
    const end = { crawlId, now: () => at, ...ended, certificate, ...more };
    return await mergeSync(sql, { marketId, kind }, reading, end);
  };
  const entries = async (marketId: number) =>
    (
      await sql<{ text: string }[]>`select concat_ws(' ', e.identity, e.ordinal, v.content_hash) as text
        from billing_entry e join billing_version v on v.entry_id = e.id and v.seen_to = 'infinity'
        where e.market_id = ${marketId} order by 1`
    ).map(({ text }) => text);

  it('is continued by one of two processes, and the page of the other is discarded', async () => {
    const { marketId, reading } = await begin();
    const first = await keep(reading, entry(1));
    expect(await savePage(sql, reading, [entry(2)], step(reading))).toBeNull();
    expect(await advanceSync(sql, reading, { ...step(reading), dropAfter: 0 })).toBeNull();
    expect(await merge(marketId, reading)).toBeNull();
    const second = await keep(first, entry(3));
    expect((await merge(marketId, second))?.added).toBe(2);
    expect(await entries(marketId)).toEqual(['1 1 hash 1', '3 1 hash 3']);
    expect(await merge(marketId, second)).toBeNull();
    expect(await savePage(sql, second, [entry(4)], step(second))).toBeNull();
  });

  it('can be taken over, and its previous process can no longer continue it', async () => {
    const { marketId, reading } = await begin();
    const stopped = await keep(reading, entry(1));
    const open = await findOpenSync(sql, marketId, kind);
    if (open === null) throw new Error('no reading is open');
    expect(open).toMatchObject({ id: reading.id, turn: 1, pages: 1, walk: reading.walk });
    const taken = await advanceSync(sql, open, { ...step(open), dropAfter: null });
    expect(await savePage(sql, stopped, [entry(2)], step(stopped))).toBeNull();
    expect(taken === null ? null : (await keep(taken, entry(2))).pages).toBe(2);
  });

  it('drops rows of abandoned pages and of failed syncs', async () => {
    const { reading } = await begin();
    const two = await keep(await keep(reading, entry(1), entry(2)), entry(2), entry(3));
    expect(await countRepeated(sql, two.id, 0)).toBe(1);
    expect(await countRepeated(sql, two.id, 1)).toBe(0);
    const back = await advanceSync(sql, two, { ...step(two), dropAfter: 1 });
    expect(await startAfter(sql, two.id, 'first round', null, 1)).toEqual(new Date(at.getTime() + 2_000));
    expect(await startAfter(sql, two.id, 'first round', null, 2)).toBeNull();
    expect(back?.pages).toBe(2);
    await abandonSync(sql, two.id, { at, reason: 'enough' });
    expect(await startAfter(sql, two.id, 'first round', null, 0)).toBeNull();
    expect(back === null ? null : await savePage(sql, back, [entry(4)], step(back))).toBeNull();
  });

  it('counts unreadable rows by reason', async () => {
    const { reading } = await begin();
    const kept = await keep(reading, { rejected: 'b' }, entry(1), { rejected: 'a' }, { rejected: 'b' });
    expect(await countRejected(sql, kept.id, 1)).toEqual({ a: 1, b: 2 });
    expect(await countRejected(sql, kept.id, 2)).toEqual({});
  });

  it('counts equal rows of all pages if it is proved, and of the fullest page otherwise', async () => {
    const twice = [entry(1), entry(1)];
    const proved = await begin();
    const provedPages = await keep(await keep(proved.reading, ...twice), ...twice, entry(2));
    await merge(proved.marketId, provedPages);
    expect(await entries(proved.marketId)).toHaveLength(5);
    const unproved = await begin();
    const changed = entry(2, { contentHash: 'changed' });
    const pages = await keep(await keep(unproved.reading, ...twice, entry(2)), entry(1), changed);
    await merge(unproved.marketId, pages, { proved: false, whole: false, reason: 'moved' });
    expect(await entries(unproved.marketId)).toEqual(['1 1 hash 1', '1 2 hash 1', '2 1 changed']);
  });

  it('is merged at a moment after every earlier merge, whatever the clock says', async () => {
    const { marketId, reading } = await begin();
    await merge(marketId, await keep(reading, entry(1)));
    const next = await begin(marketId);
    const early = new Date(at.getTime() - 86_400_000);
    await merge(marketId, await keep(next.reading, entry(1, { contentHash: 'other' })), { at: early });
    const versions = await sql<{ from: Date; to: Date }[]>`
      select v.seen_from as from, v.seen_to as to from billing_version v join billing_entry e on e.id = v.entry_id
      where e.market_id = ${marketId} order by v.seen_from`;
    const second = new Date(at.getTime() + 1);
    expect(versions.map(({ from }) => from)).toEqual([at, second]);
    expect(versions[0]?.to).toEqual(second);
  });

  it('is the start of the next window only if it was complete', async () => {
    const { marketId, reading } = await begin();
    expect(await newestWholeSync(sql, marketId, kind)).toBeNull();
    await merge(marketId, await keep(reading, entry(1)), { proved: false, whole: false, reason: 'moved' });
    expect(await newestWholeSync(sql, marketId, kind)).toBeNull();
    const next = await begin(marketId);
    await merge(marketId, next.reading, { whole: true, reason: 'one row could not be read' });
    expect(await newestWholeSync(sql, marketId, kind)).toEqual(at);
    expect(await newestWholeSync(sql, marketId, 'charge')).toBeNull();
  });

  it('ends its crawl in the same transaction, or not at all', async () => {
    const { marketId, reading } = await begin();
    const kept = await keep(reading, entry(1));
    await expect(merge(marketId, kept, { crawlId: uuidv7() })).rejects.toThrow(/taken over this sync/);
    expect(await entries(marketId)).toEqual([]);
    expect(await findOpenSync(sql, marketId, kind)).toMatchObject({ id: kept.id, turn: kept.turn });
  });
});
