import type { Offer } from '../../core/offer.ts';
import type { ReservedSql } from '../../database/connection.ts';
import { copyIn } from '../../database/copy-stream.ts';
import { recordsPerPage, stageRecords } from './records.sql.ts';

/** Staged columns: name, SQL type and the value of an offer and its record's number, in the order of the COPY. */
const columns: [name: string, sqlType: string, value: (offer: Offer, record: number) => CopyValue][] = [
  ['offer_id', 'bigint', (o) => o.offerId],
  ['machine_id', 'bigint', (o) => o.machineId],
  ['gpu_name', 'text', (o) => o.gpuName],
  ['num_gpus', 'smallint', (o) => o.numGpus],
  ['base_usd_per_hour', 'float8', (o) => o.baseUsdPerHour],
  ['storage_usd_per_gb_month', 'float8', (o) => o.storageUsdPerGbMonth],
  ['inet_down_usd_per_gb', 'float8', (o) => o.inetDownUsdPerGb],
  ['inet_up_usd_per_gb', 'float8', (o) => o.inetUpUsdPerGb],
  ['min_bid_usd_per_hour', 'float8', (o) => o.minBidUsdPerHour],
  ['discounted_usd_per_hour', 'float8', (o) => o.discountedUsdPerHour],
  ['discount_rate', 'float8', (o) => o.discountRate],
  ['host_id', 'bigint', (o) => o.hostId],
  ['dlperf', 'float8', (o) => o.dlperf],
  ['reliability', 'float8', (o) => o.reliability],
  ['gpu_ram_mb', 'float8', (o) => o.gpuRamMb],
  ['total_tflops', 'float8', (o) => o.totalTflops],
  ['country', 'text', (o) => o.country],
  ['verification', 'text', (o) => o.verification],
  ['cuda_max_good', 'float8', (o) => o.cudaMaxGood],
  ['driver_version', 'text', (o) => o.driverVersion],
  ['inet_down', 'float8', (o) => o.inetDown],
  ['inet_up', 'float8', (o) => o.inetUp],
  ['datacenter', 'boolean', (o) => o.datacenter],
  ['static_ip', 'boolean', (o) => o.staticIp],
  ['disk_space_gb', 'float8', (o) => o.diskSpaceGb],
  ['cpu_cores', 'float8', (o) => o.cpuCores],
  ['cpu_ram_mb', 'float8', (o) => o.cpuRamMb],
  ['gpu_ids', 'bigint[]', (o) => o.gpuIds && `{${o.gpuIds.join(',')}}`],
  ['page', 'integer', (_, record) => Math.floor(record / recordsPerPage)],
  ['place', 'smallint', (_, record) => (record % recordsPerPage) + 1],
];

type CopyValue = number | string | boolean | null;

/** Makes the session's empty staging tables, dropping what an earlier landing left. */
export async function createStaging(db: ReservedSql): Promise<void> {
  await db`drop table if exists staged_offer, staged_page`;
  const list = columns.map(([name, type]) => `${name} ${type}`).join(', ');
  await db.unsafe(`create temporary table staged_offer (${list})`);
  await db`create temporary table staged_page (page integer, held integer, records text[])`;
}

/**
 * Appends offers to the staging tables by COPY, their records from a page on that holds none yet; resolves when the
 * server has taken them. `records`: whether these are staged as well, or by `stageNewest` later.
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

/** Takes staged offers out again. */
export async function unstageOffers(db: ReservedSql, offerIds: readonly number[]): Promise<void> {
  await db`delete from staged_offer where offer_id = any(${[...offerIds]}::bigint[])`;
}

/** Makes the staged offers quick to join by offer id, which is unique within a book. */
export async function indexStaging(db: ReservedSql): Promise<void> {
  await db`create unique index on staged_offer (offer_id)`;
  await db`analyze staged_offer (offer_id, machine_id, gpu_name, num_gpus)`;
}

/** Removes the staging tables. */
export async function dropStaging(db: ReservedSql): Promise<void> {
  await db`drop table if exists staged_offer, staged_page, left_page, attribute_undecided, numbered_offer, placed_offer, slice_neighbour, newly_held, price_change`;
}

const rowsPerChunk = 250;

const copyRow = (offer: Offer, record: number): string =>
  `${columns.map(([, , value]) => copyField(value(offer, record))).join('\t')}\n`;

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A field in the text format of COPY. */
function copyField(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  const text = String(value);
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (char) => escapes[char] ?? char) : text;
}
