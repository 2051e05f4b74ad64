import { on } from '../../database/builder.ts';
import type { Db } from '../../database/connection.ts';
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  type SQL,
  sql,
} from '../../database/drizzle.ts';
import { instance } from '../../database/schema/instance.ts';
import { market } from '../../database/schema/market.ts';
import { rentalEvent, rental as rentalTable } from '../../database/schema/rental.ts';
import type { OpenRentalCount } from '../account-count.ts';
import { publishEvent } from '../events.sql.ts';
import { noteInstanceFacts } from '../instances/instance-facts.sql.ts';
import { openStates, type Rental, type RentalState } from '../rental.ts';

const columns = { ...getTableColumns(rentalTable), market: market.name };
const r = rentalTable;

/** Rentals with the names of their markets, in no order. */
const selectRentals = (db: Db, ...conditions: (SQL | undefined)[]) =>
  on(db)
    .select(columns)
    .from(r)
    .innerJoin(market, eq(market.id, r.marketId))
    .where(and(...conditions));

/** Rentals that all conditions hold for, the oldest first. */
const rentalsWhere = async (db: Db, ...conditions: SQL[]): Promise<Rental[]> =>
  (await selectRentals(db, ...conditions).orderBy(asc(r.id))) as Rental[];

/** A rental that is about to be sent. */
export type NewRental = Omit<Rental, 'market' | keyof StateChange>;

/** Stores a rental in the state `creating`. */
export async function insertRental(db: Db, rental: NewRental): Promise<void> {
  const at = rental.sentAt ?? rental.createdAt;
  await on(db)
    .insert(r)
    .values({ ...rental, state: 'creating' });
  await addState(db, rental, 'creating', null, at);
}

/** Deletes a rental that was never sent, whatever state other processes gave it. false: it has an instance. */
export async function deleteUnsentRental(db: Db, id: string): Promise<boolean> {
  const deleted = await on(db)
    .delete(r)
    .where(and(eq(r.id, id), inArray(r.state, [...openStates, 'failed']), isNull(r.instanceId)))
    .returning({ id: r.id });
  return deleted.length > 0;
}

/** Deletes a rental whose offer was gone, by the market's clear response, before the next one with its key. */
export async function deleteGoneRental(db: Db, id: string): Promise<void> {
  await on(db)
    .delete(r)
    .where(and(eq(r.id, id), eq(r.state, 'failed'), isNull(r.instanceId)));
}

/** Fields that a change of state may set; omitted ones stay. */
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
  /** null: the rental has not ended after all. */
  endedAt?: Date | null | undefined;
}

/** Locks a rental until the transaction ends; returns its state, null: unknown. */
export async function lockRental(tx: Db, id: string): Promise<RentalState | null> {
  const [row] = await tx<
    { state: RentalState }[]
  >`select state from rental where id = ${id} for no key update`;
  return row?.state ?? null;
}

/**
 * Moves a rental to another state with a history entry and an event, only from one of `from`. false: it had moved on
 * meanwhile.
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
  await on(db).insert(rentalEvent).values({ rentalId: id, at, state, reason });
  await publishEvent(db, { at, marketId, kind: 'rental', data: { rentalId: id, state, reason } });
}

/** The rental of a key; null: the key was never used, or its request was refused before anything was sent. */
export const findRentalByKey = async (db: Db, marketId: number, key: string): Promise<Rental | null> =>
  (await rentalsWhere(db, eq(r.marketId, marketId), eq(r.idempotencyKey, key)))[0] ?? null;

/** null: no such id. */
export const findRental = async (db: Db, id: string): Promise<Rental | null> =>
  (await rentalsWhere(db, eq(r.id, id)))[0] ?? null;

/** Returns the rental of an instance; null: rented elsewhere. */
export async function findRentalOfInstance(
  db: Db,
  marketId: number,
  instanceId: number,
): Promise<Rental | null> {
  const [row] = await rentalsWhere(db, eq(r.marketId, marketId), eq(r.instanceId, instanceId));
  return row ?? null;
}

/** Rentals that may still change, oldest first. */
export const listUnendedRentals = async (db: Db, marketId: number): Promise<Rental[]> =>
  await rentalsWhere(db, eq(r.marketId, marketId), isNull(r.endedAt));

export interface RentalsQuery {
  marketId: number;
  before: string | null;
  limit: number;
  /** Only those that may still change. */
  open: boolean;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

/** Returns rentals, newest first, older than the id `before` (null: all). */
export async function listRentals(db: Db, query: RentalsQuery): Promise<Rental[]> {
  const { marketId, before, limit, open, ids } = query;
  const asked = selectRentals(
    db,
    eq(r.marketId, marketId),
    before === null ? undefined : lt(r.id, before),
    open ? isNull(r.endedAt) : undefined,
    ids === undefined ? undefined : inArray(r.id, [...ids]),
  );
  return (await asked.orderBy(desc(r.id)).limit(limit)) as Rental[];
}

export interface RentalMoment {
  at: Date;
  state: RentalState;
  reason: string | null;
}

/** Returns the states of a rental, oldest first. */
export async function listRentalStates(db: Db, rentalId: string): Promise<RentalMoment[]> {
  const { at, state, reason } = rentalEvent;
  const rows = await on(db)
    .select({ at, state, reason })
    .from(rentalEvent)
    .where(eq(rentalEvent.rentalId, rentalId))
    .orderBy(asc(rentalEvent.id));
  return rows as RentalMoment[];
}

/**
 * Returns what the ledger adds to a list of instances: creates with an unknown outcome, at their caps, and instances so
 * recent that a list may lack them.
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
export const listReturnedRentals = async (db: Db, marketId: number): Promise<Rental[]> =>
  await rentalsWhere(
    db,
    eq(r.marketId, marketId),
    isNotNull(r.endedAt),
    sql`exists (select from ${instance} where ${instance.marketId} = ${r.marketId}
      and ${instance.instanceId} = ${r.instanceId} and ${instance.goneAt} is null)`,
  );

/** Reopens an ended rental whose instance exists after all. */
export async function reopenRental(db: Db, rental: Rental, at: Date): Promise<void> {
  const reason = 'its instance is listed again';
  await moveRental(db, rental, ['destroyed'], { state: 'down', at, reason, endedAt: null });
}

/** Returns failed rentals whose instance is listed after all, by the id in its label, with the instance. */
export async function listLateRentals(
  db: Db,
  marketId: number,
): Promise<{ rental: Rental; instanceId: number }[]> {
  const rows = await on(db)
    .select({ ...columns, lateInstanceId: instance.instanceId })
    .from(r)
    .innerJoin(market, eq(market.id, r.marketId))
    .innerJoin(
      instance,
      and(
        eq(instance.marketId, r.marketId),
        sql`${instance.label} like '%#' || ${r.id}`,
        isNull(instance.goneAt),
      ),
    )
    .where(
      and(
        eq(r.marketId, marketId),
        eq(r.state, 'failed'),
        isNull(r.instanceId),
        sql`not exists (select from rental o where o.market_id = ${instance.marketId}
          and o.instance_id = ${instance.instanceId})`,
      ),
    );
  return rows.map(({ lateInstanceId, ...rental }) => ({
    rental: rental as Rental,
    instanceId: lateInstanceId,
  }));
}

/** Returns which of the given instance ids belong to rentals. */
export async function claimedInstances(
  db: Db,
  marketId: number,
  instanceIds: readonly number[],
): Promise<Set<number>> {
  const rows = await on(db)
    .select({ instanceId: r.instanceId })
    .from(r)
    .where(and(eq(r.marketId, marketId), inArray(r.instanceId, [...instanceIds])));
  return new Set(rows.map(({ instanceId }) => instanceId as number));
}

/** Creates without a running process: the holder of the account's lock finds those of processes that died. */
export const listAbandonedCreates = async (db: Db, marketId: number): Promise<Rental[]> =>
  await rentalsWhere(db, eq(r.marketId, marketId), eq(r.state, 'creating'));

/** Changes a rental's label and cost center; undefined: unchanged. */
export async function nameRental(
  db: Db,
  id: string,
  names: { label?: string | null | undefined; costCenter?: string | null | undefined },
): Promise<void> {
  if (names.label === undefined && names.costCenter === undefined) return;
  await on(db).update(r).set(names).where(eq(r.id, id));
}

/** Rentals that failed to start, are gone, and may be replaced. */
export const listFailedStarts = async (db: Db, marketId: number): Promise<Rental[]> =>
  await rentalsWhere(
    db,
    eq(r.marketId, marketId),
    eq(r.state, 'destroyed'),
    isNotNull(r.failedStartAt),
    isNull(r.firstRunningAt),
    eq(r.onFailure, 'replace'),
    gt(r.replacementsLeft, 0),
  );
