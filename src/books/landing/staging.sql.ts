import type { Offer } from '../../core/offer.ts';
import { fieldEntries } from '../../core/offer-fields.ts';
import type { ReservedSql } from '../../database/connection.ts';
import { copyIn } from '../../database/copy-stream.ts';
import { recordsPerPage, stageRecords } from './records.sql.ts';

/** Staged columns in COPY order: name, SQL type, and the value for an offer and its record's number. */
const columns: [name: string, sqlType: string, value: (offer: Offer, record: number) => CopyValue][] = [
  ['offer_id', 'bigint', (o) => o.offerId],
  ['gpu_name', 'text', (o) => o.gpuName],
  ...fieldEntries.map(stagedField),
  ['page', 'integer', (_, record) => Math.floor(record / recordsPerPage)],
  ['place', 'smallint', (_, record) => (record % recordsPerPage) + 1],
];

function stagedField([
  name,
  { column, type, dictionary },
]: (typeof fieldEntries)[number]): (typeof columns)[number] {
  // Names get their ids once all are staged.
  if (type === 'name') return [dictionary ?? name, 'text', (offer) => offer[name] as CopyValue];
  const value = (offer: Offer): CopyValue => {
    const given = offer[name];
    return typeof given === 'object' && given !== null ? `{${given.join(',')}}` : given;
  };
  return [column, type === 'integer' ? 'float8' : type, value];
}

type CopyValue = number | string | boolean | null;

/** Creates the session's empty staging tables, dropping those of an earlier landing. */
export async function createStaging(db: ReservedSql): Promise<void> {
  await db`drop table if exists staged_offer, staged_page`;
  const list = columns.map(([name, type]) => `${name} ${type}`).join(', ');
  await db.unsafe(`create temporary table staged_offer (${list})`);
  await db`create temporary table staged_page (page integer, held integer, records text[])`;
}

/**
 * Appends offers to the staging tables by COPY, their records from an unused page on; resolves when the server has
 * them. `records`: whether records are staged now, or later by `stageNewest`.
 */
export async function stageOffers(
  db: ReservedSql,
  offers: readonly Offer[],
  firstPage: number,
  records: 'with records' | 'without',
): Promise<void> {
  if (offers.length === 0) return;
  if (records === 'with records') {
    await stageRecords(
      db,
      offers.map(({ raw }) => raw),
      firstPage,
    );
  }
  await copyIn(db, 'copy staged_offer from stdin', copyRows(offers, firstPage * recordsPerPage));
}

function* copyRows(offers: readonly Offer[], firstRecord: number): Generator<string> {
  for (let at = 0; at < offers.length; at += rowsPerChunk) {
    yield offers
      .slice(at, at + rowsPerChunk)
      .map((offer, index) => copyRow(offer, firstRecord + at + index))
      .join('');
  }
}

/** Removes staged offers. */
export async function unstageOffers(db: ReservedSql, offerIds: readonly number[]): Promise<void> {
  await db`delete from staged_offer where offer_id = any(${[...offerIds]}::bigint[])`;
}

/** Makes staged offers quick to join by offer id, which is unique within a book. */
export async function indexStaging(db: ReservedSql): Promise<void> {
  await db`create unique index on staged_offer (offer_id)`;
  await db`analyze staged_offer (offer_id, machine_id, gpu_name, num_gpus)`;
}

/** Removes the staging tables. */
export async function dropStaging(db: ReservedSql): Promise<void> {
  await db`drop table if exists staged_offer, staged_page, left_page, attribute_undecided, numbered_offer, placed_offer, slice_neighbor, newly_held, price_change`;
}

const rowsPerChunk = 250;

const copyRow = (offer: Offer, record: number): string =>
  `${columns.map(([, , value]) => copyField(value(offer, record))).join('\t')}\n`;

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Returns a field in the text format of COPY. */
function copyField(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  const text = String(value);
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (char) => escapes[char] ?? char) : text;
}
