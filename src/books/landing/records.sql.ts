import type { ReservedSql } from '../../database/connection.ts';
import { copyIn } from '../../database/copy-stream.ts';

/** More would hardly save space; with fewer, more pages would have to be read. */
export const recordsPerPage = 32;

/** Returns the number of pages for these records. */
export const pagesFor = (records: number): number => Math.ceil(records / recordsPerPage);

/** Appends pages of records to `staged_page` by binary COPY; as text each quote would be escaped twice. */
export async function stageRecords(
  db: ReservedSql,
  records: readonly string[],
  firstPage: number,
): Promise<void> {
  await copyIn(db, 'copy staged_page from stdin with (format binary)', copyRows(records, firstPage));
}

function* copyRows(records: readonly string[], firstPage: number): Generator<Buffer> {
  yield copyHeader;
  for (let from = 0; from < records.length; from += recordsPerPage) {
    yield pageRow(firstPage + from / recordsPerPage, records.slice(from, from + recordsPerPage));
  }
  yield copyEnd;
}

/** A signature, then no flags and no extension. */
const copyHeader = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const copyEnd = Buffer.from([0xff, 0xff]);
const textType = 25;

/** Returns a row of the binary format: page number, number of records, and an array of texts. */
function pageRow(page: number, records: readonly string[]): Buffer {
  const lengths = records.map((record) => Buffer.byteLength(record));
  const arrayBytes = lengths.reduce((sum, length) => sum + 4 + length, 20);
  const row = Buffer.allocUnsafe(22 + arrayBytes);
  let at = row.writeInt16BE(3);
  // Each value follows its length; the array starts with dimensions, null flag, type, length and lower bound.
  const values = [4, page, 4, records.length, arrayBytes, 1, 0, textType, records.length, 1];
  for (const value of values) at = row.writeInt32BE(value, at);
  for (const [index, record] of records.entries()) {
    at = row.writeInt32BE(lengths[index] ?? 0, at);
    at += row.write(record, at);
  }
  return row;
}

/** Stages only records of offers that are their listing's newest. */
export async function stageNewest(
  tx: ReservedSql,
  { scopeId, observedAt, complete }: { scopeId: number; observedAt: Date; complete: boolean },
  records: ReadonlyMap<number, string>,
): Promise<void> {
  const newest = await tx<{ offerId: number; ordinal: number }[]>`
    with newest as (
      select s.offer_id, row_number() over (order by s.page, s.place) - 1 as ordinal
      from placed_offer p join staged_offer s using (offer_id)
      where not exists (select from latest_offer old where old.listing_id = p.listing_id
        and old.scope_id = ${scopeId} and old.from_complete_book = ${complete}
        and old.observed_at >= ${observedAt})
    )
    update staged_offer s set page = ordinal / ${recordsPerPage}, place = ordinal % ${recordsPerPage} + 1
    from newest n where s.offer_id = n.offer_id returning s.offer_id as "offerId", ordinal`;
  const inOrder = newest.toSorted((a, b) => a.ordinal - b.ordinal);
  await stageRecords(
    tx,
    inOrder.map(({ offerId }) => records.get(offerId) ?? ''),
    0,
  );
}

/** Creates `left_page` (book_id, page): pages with records that are no longer the newest, for all books of a group. */
export async function findLeftPages(tx: ReservedSql): Promise<void> {
  await tx`create temporary table if not exists left_page (book_id integer, page integer)`;
}

/** Stores the book's pages that hold a newest record. */
export async function saveRecords(tx: ReservedSql, bookId: number): Promise<void> {
  // In a late book, or after offers were staged again, a page may hold few from the start.
  await tx`
    with kept as materialized (
      select page, count(*) as records from latest_offer where book_id = ${bookId} group by page
    ), few as (
      insert into left_page select ${bookId}, page from kept join staged_page s using (page)
      where kept.records * 2 < s.held
    )
    insert into record_page (book_id, page, records)
    select ${bookId}, page, s.records from kept join staged_page s using (page) order by page`;
}

/**
 * Tidies the pages in `left_page`: deletes those without a newest record and merges the contents of those less than
 * half full.
 */
export async function tidyLeftPages(tx: ReservedSql): Promise<void> {
  await tx`analyze left_page`;
  await tx`
    with kept as materialized (
      select l.book_id, l.page, count(o.listing_id) as records
      from (select distinct book_id, page from left_page) l left join latest_offer o using (book_id, page) group by 1, 2
    ), sparse as (
      delete from record_page r using kept
      where r.book_id = kept.book_id and r.page = kept.page
        and (kept.records = 0 or kept.records * 2 < cardinality(r.records))
      returning r.book_id, r.page, r.records
    ), moved as (
      select o.listing_id, o.scope_id, o.from_complete_book, book_id, s.records[o.place] as record,
        row_number() over (partition by book_id order by page, o.place) - 1 as ordinal
      from sparse s join latest_offer o using (book_id, page)
    ), numbered as (
      select m.*, (ordinal % ${recordsPerPage} + 1)::smallint as place, (ordinal / ${recordsPerPage} + 1
        + (select max(page) from record_page r where r.book_id = m.book_id))::int as page
      from moved m
    ), together as (
      insert into record_page (book_id, page, records)
      select book_id, page, array_agg(record order by place) from numbered group by book_id, page
    )
    update latest_offer o set page = n.page, place = n.place from numbered n
    where o.listing_id = n.listing_id and o.scope_id = n.scope_id and o.from_complete_book = n.from_complete_book`;
  await tx`drop table left_page`;
}
