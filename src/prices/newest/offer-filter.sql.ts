import type postgres from 'postgres';
import type { OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { usdPerHour } from './observations.sql.ts';

const megabytesPerGb = 1000;

/**
 * The filter as one condition over a listing (alias l), its price components (unqualified) and its slow
 * attributes: alias `a` in history, `o` (latest offer) in the newest book. Without conditions it is `true`.
 */
export function filterCondition(
  db: Db,
  filter: OfferFilter,
  options: { attributes: 'a' | 'o'; storageGb: number },
): postgres.Fragment {
  const price =
    filter.maxUsdPerHour === null
      ? db`true`
      : db`${usdPerHour(db, options.storageGb)} <= ${filter.maxUsdPerHour}::float8`;
  return db`${listingCondition(db, filter)} and ${attributeCondition(db, filter, options.attributes)} and ${price}`;
}

/** What the filter asks of the listing (alias l) alone. */
export function listingCondition(db: Db, filter: OfferFilter): postgres.Fragment {
  const conditions: postgres.Fragment[] = [];
  const { numGpus, machineId, excludeMachineId } = filter;
  if (numGpus.length > 0) conditions.push(db`l.num_gpus = any(${[...numGpus]}::int[])`);
  if (machineId.length > 0) conditions.push(db`l.machine_id = any(${[...machineId]}::bigint[])`);
  if (excludeMachineId.length > 0) {
    conditions.push(db`l.machine_id <> all(${[...excludeMachineId]}::bigint[])`);
  }
  return allOf(db, conditions);
}

/** What the filter asks of the slow attributes (alias `a` or `o`). */
export function attributeCondition(db: Db, filter: OfferFilter, alias: 'a' | 'o'): postgres.Fragment {
  const a = db(alias);
  const conditions: postgres.Fragment[] = [];
  const add = (condition: postgres.Fragment) => conditions.push(condition);
  const { verification, country, hostId, excludeHostId } = filter;
  if (hostId.length > 0) add(db`${a}.host_id = any(${[...hostId]}::bigint[])`);
  if (excludeHostId.length > 0) {
    add(db`coalesce(${a}.host_id <> all(${[...excludeHostId]}::bigint[]), true)`);
  }
  if (verification.length > 0) {
    add(db`${a}.verification_tier_id in (
      select id from verification_tier where name = any(${[...verification]}::text[]))`);
  }
  if (country.length > 0) {
    add(db`${a}.country_id in (select id from country where name = any(${[...country]}::text[]))`);
  }
  if (filter.datacenter !== null) add(db`${a}.datacenter = ${filter.datacenter}`);
  if (filter.staticIp !== null) add(db`${a}.static_ip = ${filter.staticIp}`);
  if (filter.minReliability !== null) add(db`${a}.reliability >= ${filter.minReliability}`);
  if (filter.minVramGb !== null) add(db`${a}.gpu_ram_mb >= ${filter.minVramGb * megabytesPerGb}::float8`);
  if (filter.minCuda !== null) add(db`${a}.cuda_max_good >= ${filter.minCuda}`);
  if (filter.minDiskGb !== null) add(db`${a}.disk_space_gb >= ${filter.minDiskGb}`);
  if (filter.minInetDown !== null) add(db`${a}.inet_down >= ${filter.minInetDown}`);
  if (filter.minInetUp !== null) add(db`${a}.inet_up >= ${filter.minInetUp}`);
  return allOf(db, conditions);
}

const allOf = (db: Db, conditions: postgres.Fragment[]): postgres.Fragment =>
  conditions.reduce((all, condition) => db`${all} and ${condition}`, db`true`);
