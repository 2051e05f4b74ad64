import type { Db } from '../../database/connection.ts';
import { behind } from '../../database/paging.sql.ts';
import type { OpenRentalCount } from '../account-count.ts';
import { publishEvent } from '../events.sql.ts';
import { noteInstanceFacts } from '../instances/instance-facts.sql.ts';
import { openStates, type Rental, type RentalState } from '../rental.ts';

const columns = (db: Db) => db`
  r.id, r.market_id as "marketId", m.name as market, r.idempotency_key as "idempotencyKey",
  r.body_hash as "bodyHash", r.state, r.reason, r.rented_by as "rentedBy", r.label, r.cost_center as "costCenter",
  r.watch_id as "watchId", r.offer_id as "offerId", r.machine_id as "machineId", r.host_id as "hostId",
  r.gpu_name as "gpuName", r.num_gpus as "numGpus", r.type, r.disk_gb as "diskGb",
  r.usd_per_hour as "usdPerHour", r.base_usd_per_hour as "baseUsdPerHour",
  r.storage_usd_per_gb_month as "storageUsdPerGbMonth", r.volume_usd_per_hour as "volumeUsdPerHour",
  r.bid_usd_per_hour as "bidUsdPerHour", r.max_usd_per_hour as "maxUsdPerHour", r.quote, r.request,
  r.sealed_request as "sealedRequest", r.baseline, r.instance_id as "instanceId", r.on_failure as "onFailure",
  r.replacements_left as "replacementsLeft", r.replaces_id as "replacesId",
  r.provision_minutes as "provisionMinutes", r.created_at as "createdAt", r.sent_at as "sentAt",
  r.settle_by as "settleBy", r.settled_at as "settledAt", r.first_running_at as "firstRunningAt",
  r.ready_at as "readyAt", r.failed_start_at as "failedStartAt", r.ended_at as "endedAt"`;

/** A rental that is about to be sent. */
export type NewRental = Omit<
  Rental,
  | 'market'
  | 'reason'
  | 'instanceId'
  | 'state'
  | 'settleBy'
  | 'settledAt'
  | 'firstRunningAt'
  | 'readyAt'
  | 'failedStartAt'
  | 'endedAt'
>;

/** Stores a rental in the state `creating`. */
export async function insertRental(db: Db, rental: NewRental): Promise<void> {
  const at = rental.sentAt ?? rental.createdAt;
  await db`
    insert into rental (id, market_id, idempotency_key, body_hash, state, rented_by, label, cost_center, watch_id,
      offer_id, machine_id, host_id, gpu_name, num_gpus, type, disk_gb, usd_per_hour, base_usd_per_hour,
      storage_usd_per_gb_month, volume_usd_per_hour, bid_usd_per_hour, max_usd_per_hour, quote, request, sealed_request,
      baseline, on_failure, replacements_left, replaces_id, provision_minutes, created_at, sent_at)
    values (${rental.id}, ${rental.marketId}, ${rental.idempotencyKey}, ${rental.bodyHash}, 'creating',
      ${rental.rentedBy}, ${rental.label}, ${rental.costCenter}, ${rental.watchId}, ${rental.offerId},
      ${rental.machineId}, ${rental.hostId}, ${rental.gpuName}, ${rental.numGpus}, ${rental.type},
      ${rental.diskGb}, ${rental.usdPerHour}, ${rental.baseUsdPerHour}, ${rental.storageUsdPerGbMonth},
      ${rental.volumeUsdPerHour}, ${rental.bidUsdPerHour}, ${rental.maxUsdPerHour},
      ${JSON.stringify(rental.quote)}::text::jsonb, ${JSON.stringify(rental.request)}::text::jsonb,
      ${rental.sealedRequest}, ${rental.baseline}::bigint[], ${rental.onFailure}, ${rental.replacementsLeft},
      ${rental.replacesId}, ${rental.provisionMinutes}, ${rental.createdAt}, ${rental.sentAt})`;
  await addState(db, rental, 'creating', null, at);
}

/** Takes a rental away of which no byte was sent, whatever others have taken it for. false: it has an instance. */
export async function deleteUnsentRental(db: Db, id: string): Promise<boolean> {
  const unsent = [...openStates, 'failed'];
  const deleted = await db`
    delete from rental where id = ${id} and state = any(${unsent}::text[]) and instance_id is null returning id`;
  return deleted.length > 0;
}

/** Takes a rental away whose offer was gone, by the market's clear answer, for the next one of its key. */
export async function deleteGoneRental(db: Db, id: string): Promise<void> {
  await db`delete from rental where id = ${id} and state = 'failed' and instance_id is null returning id`;
}

/** What a change of state may set beside it; what is left out stays. */
export interface StateChange {
  state: RentalState;
  at: Date;
  reason?: string | null | undefined;
  instanceId?: number | undefined;
  settleBy?: Date | undefined;
  settledAt?: Date | undefined;
  firstRunningAt?: Date | undefined;
  readyAt?: Date | undefined;
  failedStartAt?: Date | undefined;
  /** null: it goes on after all. */
  endedAt?: Date | null | undefined;
}

/** Keeps others from moving a rental until the transaction ends; the state that it is in, null: there is none. */
export async function lockRental(tx: Db, id: string): Promise<RentalState | null> {
  const [row] = await tx<
    { state: RentalState }[]
  >`select state from rental where id = ${id} for no key update`;
  return row?.state ?? null;
}

/**
 * Moves a rental to another state, with an entry in its history and an event; only from one of `from`. false: it
 * had moved on meanwhile.
 */
export async function moveRental(
  db: Db,
  rental: Pick<Rental, 'id' | 'marketId'>,
  from: readonly RentalState[],
  change: StateChange,
): Promise<boolean> {
  const { state, at, reason = null } = change;
  const moved = await db`
    update rental set state = ${state}, reason = ${reason},
      instance_id = coalesce(${change.instanceId ?? null}, instance_id),
      settle_by = coalesce(${change.settleBy ?? null}, settle_by),
      settled_at = coalesce(settled_at, ${change.settledAt ?? null}),
      first_running_at = coalesce(first_running_at, ${change.firstRunningAt ?? null}),
      ready_at = coalesce(ready_at, ${change.readyAt ?? null}),
      failed_start_at = coalesce(failed_start_at, ${change.failedStartAt ?? null}),
      ended_at = case when ${change.endedAt === null} then null
        else coalesce(ended_at, ${change.endedAt ?? null}) end
    where id = ${rental.id} and state = any(${[...from]}::text[]) returning id`;
  if (moved.length === 0) return false;
  if (change.instanceId !== undefined) {
    await noteInstanceFacts(db, { marketId: rental.marketId, seenAt: at }, [change.instanceId]);
  }
  await addState(db, rental, state, reason, at);
  return true;
}

async function addState(
  db: Db,
  { id, marketId }: Pick<Rental, 'id' | 'marketId'>,
  state: RentalState,
  reason: string | null,
  at: Date,
): Promise<void> {
  await db`insert into rental_event (rental_id, at, state, reason) values (${id}, ${at}, ${state}, ${reason})`;
  await publishEvent(db, { at, marketId, kind: 'rental', data: { rentalId: id, state, reason } });
}

/** The rental of a key; null: the key was never used, or its request was refused before anything was sent. */
export async function findRentalByKey(db: Db, marketId: number, key: string): Promise<Rental | null> {
  const [row] = await db<Rental[]>`
    select ${columns(db)} from rental r join market m on m.id = r.market_id
    where r.market_id = ${marketId} and r.idempotency_key = ${key}`;
  return row ?? null;
}

export async function findRental(db: Db, id: string): Promise<Rental | null> {
  const [row] = await db<Rental[]>`
    select ${columns(db)} from rental r join market m on m.id = r.market_id where r.id = ${id}`;
  return row ?? null;
}

/** The rental that an instance belongs to; null: rented elsewhere. */
export async function findRentalOfInstance(
  db: Db,
  marketId: number,
  instanceId: number,
): Promise<Rental | null> {
  const [row] = await db<Rental[]>`
    select ${columns(db)} from rental r join market m on m.id = r.market_id
    where r.market_id = ${marketId} and r.instance_id = ${instanceId}`;
  return row ?? null;
}

/** Rentals that may still change, oldest first. */
export async function listUnendedRentals(db: Db, marketId: number): Promise<Rental[]> {
  return await db<Rental[]>`
    select ${columns(db)} from rental r join market m on m.id = r.market_id
    where r.market_id = ${marketId} and r.ended_at is null order by r.id`;
}

export interface RentalsQuery {
  marketId: number;
  before: string | null;
  limit: number;
  /** Those alone that may still change. */
  open: boolean;
  /** This one alone. */
  id?: string | undefined;
}

/** Rentals, the newest first: those older than the id `before`, null for all. */
export async function listRentals(db: Db, query: RentalsQuery): Promise<Rental[]> {
  const { marketId, before, limit, open, id } = query;
  return await db<Rental[]>`
    select ${columns(db)} from rental r join market m on m.id = r.market_id
    where r.market_id = ${marketId} and ${behind(db, 'r.id', 'descending', before)}
      and ${open ? db`r.ended_at is null` : db`true`} and ${id === undefined ? db`true` : db`r.id = ${id}`}
    order by r.id desc limit ${limit}`;
}

export interface RentalMoment {
  at: Date;
  state: RentalState;
  reason: string | null;
}

/** The states that a rental has had, oldest first. */
export async function listRentalStates(db: Db, rentalId: string): Promise<RentalMoment[]> {
  const rows = await db<RentalMoment[]>`
    select at, state, reason from rental_event where rental_id = ${rentalId} order by id`;
  return rows.map((row) => ({ ...row }));
}

/**
 * What the ledger adds to a list of the account's instances: creates whose outcome is not known, at their caps,
 * and instances that were rented so lately that a list may not have them yet.
 */
export async function countOpenRentals(
  db: Db,
  marketId: number,
  listed: readonly number[],
): Promise<OpenRentalCount[]> {
  return await db<OpenRentalCount[]>`
    select r.id as "rentalId", r.instance_id as "instanceId",
      greatest(r.usd_per_hour, case when r.instance_id is null then r.max_usd_per_hour end)::text as "usdPerHour"
    from rental r
    where r.market_id = ${marketId} and r.ended_at is null
      and (r.state = any(${[...openStates]}::text[])
        or (r.instance_id is not null and not r.instance_id = any(${[...listed]}::bigint[])))
    order by r.id`;
}

/** Rentals that ended though their instance is listed again, such as after a list that left it out. */
export async function listReturnedRentals(db: Db, marketId: number): Promise<Rental[]> {
  return await db<Rental[]>`
    select ${columns(db)} from rental r join market m on m.id = r.market_id
    join instance i on i.market_id = r.market_id and i.instance_id = r.instance_id
    where r.market_id = ${marketId} and r.ended_at is not null and i.gone_at is null order by r.id`;
}

/** Takes the end of a rental back whose instance is there after all. */
export async function reopenRental(db: Db, rental: Rental, at: Date): Promise<void> {
  const reason = 'its instance is listed again';
  await moveRental(db, rental, ['destroyed'], { state: 'down', at, reason, endedAt: null });
}

/** Failed rentals whose instance is listed after all, by the id in its label: with the instance. */
export async function listLateRentals(
  db: Db,
  marketId: number,
): Promise<{ rental: Rental; instanceId: number }[]> {
  const rows = await db<(Rental & { lateInstanceId: number })[]>`
    select ${columns(db)}, i.instance_id as "lateInstanceId"
    from instance i
    join rental r on r.market_id = i.market_id and i.label like '%#' || r.id and r.state = 'failed'
    join market m on m.id = r.market_id
    where i.market_id = ${marketId} and i.gone_at is null and r.instance_id is null
      and not exists (select from rental o where o.market_id = i.market_id and o.instance_id = i.instance_id)`;
  return rows.map(({ lateInstanceId, ...rental }) => ({
    rental: rental as Rental,
    instanceId: lateInstanceId,
  }));
}

/** Ids of instances that rentals have, of those given. */
export async function claimedInstances(
  db: Db,
  marketId: number,
  instanceIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db<{ instanceId: number }[]>`
    select instance_id as "instanceId" from rental
    where market_id = ${marketId} and instance_id = any(${[...instanceIds]}::bigint[])`;
  return new Set(rows.map(({ instanceId }) => instanceId));
}

/** Creates that nobody is at any more: the holder of the account's lock finds those of processes that died. */
export async function listAbandonedCreates(db: Db, marketId: number): Promise<Rental[]> {
  return await db<Rental[]>`
    select ${columns(db)} from rental r join market m on m.id = r.market_id
    where r.market_id = ${marketId} and r.state = 'creating' order by r.id`;
}

/** Changes what its owner calls a rental, and whom it is charged to; undefined: stays. */
export async function nameRental(
  db: Db,
  id: string,
  names: { label?: string | null | undefined; costCenter?: string | null | undefined },
): Promise<void> {
  if (names.label !== undefined) {
    await db`update rental set label = ${names.label} where id = ${id} returning id`;
  }
  if (names.costCenter !== undefined) {
    await db`update rental set cost_center = ${names.costCenter} where id = ${id} returning id`;
  }
}

/** Rentals that failed to start, are gone, and may be replaced. */
export async function listFailedStarts(db: Db, marketId: number): Promise<Rental[]> {
  return await db<Rental[]>`
    select ${columns(db)} from rental r join market m on m.id = r.market_id
    where r.market_id = ${marketId} and r.state = 'destroyed' and r.failed_start_at is not null
      and r.first_running_at is null and r.on_failure = 'replace' and r.replacements_left > 0 order by r.id`;
}
