import { Decimal } from 'decimal.js';
import type { Sql } from '../../database/connection.ts';
import { isBooting, isComputing, isDead, isRunning, isStopped } from '../../market/instance-status.ts';
import { instanceUsdPerHour, storageUsdPerHour } from '../account-count.ts';
import {
  findRentalOfInstance,
  listRentals,
  listUnendedRentals,
  type RentalsQuery,
} from '../rent/rentals.sql.ts';
import { plainLabel, type Rental, type RentalState } from '../rental.ts';
import {
  type AccountInstance,
  findAccountInstance,
  findAccountInstances,
  listAccountInstances,
} from './account-instances.sql.ts';
import { listCharged } from './charged.sql.ts';
import type { CheaperOffer } from './cheaper.sql.ts';
import { findCheaperEqual } from './cheaper-equal.ts';
import { type EndedKey, type EndedQuery, listEnded } from './ended.sql.ts';
import { idleInstances } from './idle.sql.ts';
import { costOf, type RentalCost } from './instance-cost.ts';
import { listRateStepsOf } from './instance-rates.sql.ts';
import { judgeLife } from './judge-life.ts';
import { listMachineKinds } from './machines.sql.ts';
import { type InstancePlan, listPlansOf } from './plans.sql.ts';

/** An equivalent machine that costs less now. */
export interface CheaperMachine {
  offerId: number;
  machineId: number;
  usdPerHour: number;
  savesUsdPerDay: string;
  /** null: the market does not say. */
  hostEndsAt: Date | null;
}

/** An instance of the account, whoever rented it, with everything known about it and the state wanted for it. */
export interface LedgerInstance {
  instanceId: number | null;
  /** null: rented elsewhere. */
  rental: Rental | null;
  /** null: no list has had it yet. */
  instance: AccountInstance | null;
  plan: InstancePlan | null;
  state: string;
  label: string | null;
  costCenter: string | null;
  /** Of its machine as it was last offered; null: unknown. */
  country: string | null;
  /** What it counts at: at its running price unless it is stopped; null: unknown. */
  usdPerHour: string | null;
  /** As it is billed in its current state: GPUs only while they run; null: unknown. */
  billedUsdPerHour: string | null;
  runningUsdPerHour: string | null;
  /** Cost of its disk per day while it is stopped. */
  stoppedUsdPerDay: string | null;
  cost: RentalCost;
  /** null: unknown. */
  idle: boolean | null;
  cheaper: CheaperMachine | null;
}

/** Returns everything in the account with unsettled creates: by id, those without one last. */
export async function readLedger(sql: Sql, marketId: number, now: Date): Promise<LedgerInstance[]> {
  const instances = await listAccountInstances(sql, marketId);
  const rentals = await listUnendedRentals(sql, marketId);
  const byInstance = new Map(rentals.map((rental) => [rental.instanceId, rental]));
  const seen = new Set(instances.map(({ instanceId }) => instanceId));
  const unseen = rentals.filter(({ instanceId }) => instanceId === null || !seen.has(instanceId));
  return await describe(sql, { marketId, now }, [
    ...instances.map((instance) => ({ instance, rental: byInstance.get(instance.instanceId) ?? null })),
    ...unseen.map((rental) => ({ instance: null, rental })),
  ]);
}

/** Returns a page of rentals, newest first, with the cost of their instances. */
export async function readRentals(sql: Sql, query: RentalsQuery, now: Date): Promise<LedgerInstance[]> {
  const rentals = await listRentals(sql, query);
  const { marketId } = query;
  const byId = await instancesById(
    sql,
    marketId,
    rentals.map(({ instanceId }) => instanceId),
  );
  const pairs = rentals.map((rental) => ({ rental, instance: byId.get(rental.instanceId ?? -1) ?? null }));
  return await describe(sql, { marketId, now }, pairs);
}

/** Returns an instance, listed or gone, whoever rented it; null: neither account nor ledger has had it. */
export async function readInstance(
  sql: Sql,
  marketId: number,
  instanceId: number,
  now: Date,
): Promise<LedgerInstance | null> {
  const instance = await findAccountInstance(sql, marketId, instanceId);
  const rental = await findRentalOfInstance(sql, marketId, instanceId);
  if (instance === null && rental === null) return null;
  return (await describe(sql, { marketId, now }, [{ instance, rental }]))[0] ?? null;
}

/** Whether neither the account nor the ledger has an instance any more. */
export const isEnded = ({ instance, rental }: Pair): boolean =>
  (instance === null || instance.goneAt !== null) && (rental === null || rental.endedAt !== null);

/** An instance that ended, with its key in the list of these. */
export interface EndedInstance {
  key: EndedKey;
  ended: LedgerInstance;
}

/** Returns a page of what has ended, the newest first: instances that are gone, and rentals without an instance. */
export async function readEnded(sql: Sql, query: EndedQuery, now: Date): Promise<EndedInstance[]> {
  const { marketId } = query;
  const keys = await listEnded(sql, query);
  const byId = await instancesById(
    sql,
    marketId,
    keys.map(({ instanceId }) => instanceId),
  );
  const ids = keys.map(({ rentalId }) => rentalId).filter((id) => id !== null);
  const found = await listRentals(sql, { marketId, before: null, limit: keys.length, open: false, ids });
  const rentals = new Map(found.map((rental) => [rental.id, rental]));
  const pairs = keys.map(({ instanceId, rentalId }) => ({
    instance: byId.get(instanceId ?? -1) ?? null,
    rental: rentals.get(rentalId ?? '') ?? null,
  }));
  const described = await describe(sql, { marketId, now }, pairs);
  return described.flatMap((ended, index) => {
    const key = keys[index];
    return key === undefined ? [] : [{ key, ended }];
  });
}

async function instancesById(
  sql: Sql,
  marketId: number,
  ids: readonly (number | null)[],
): Promise<Map<number, AccountInstance>> {
  const known = ids.filter((id) => id !== null);
  const found = await findAccountInstances(sql, marketId, known);
  return new Map(found.map((instance) => [instance.instanceId, instance]));
}

/** Listed instances with an unknown hourly price. */
export const unpricedInstances = (ledger: readonly LedgerInstance[]): number =>
  ledger.filter(
    ({ instance, usdPerHour }) => instance !== null && instance.goneAt === null && usdPerHour === null,
  ).length;

/** Returns the account's known $/hour; unsettled creates count at their quotes. */
export const ledgerUsdPerHour = (ledger: readonly LedgerInstance[]): string =>
  ledger
    .reduce((sum, { usdPerHour, rental, instance }) => {
      const open = instance === null ? (rental?.usdPerHour ?? 0) : 0;
      return sum.plus(usdPerHour ?? open);
    }, new Decimal(0))
    .toString();

interface Pair {
  instance: AccountInstance | null;
  rental: Rental | null;
}

const idOf = ({ instance, rental }: Pair): number | null =>
  instance?.instanceId ?? rental?.instanceId ?? null;

const machineOf = ({ instance, rental }: Pair): number | null =>
  instance?.machineId ?? rental?.machineId ?? null;

async function describe(
  sql: Sql,
  { marketId, now }: { marketId: number; now: Date },
  pairs: readonly Pair[],
): Promise<LedgerInstance[]> {
  const ids = pairs.map(idOf).filter((id) => id !== null);
  const plans = new Map((await listPlansOf(sql, marketId, ids)).map((plan) => [plan.instanceId, plan]));
  const charged = new Map((await listCharged(sql, marketId, ids, now)).map((one) => [one.instanceId, one]));
  const idle = new Set(await idleInstances(sql, marketId, ids));
  const steps = await listRateStepsOf(sql, marketId, ids);
  const kinds = await listMachineKinds(
    sql,
    marketId,
    pairs.map(machineOf).filter((id) => id !== null),
  );
  const isAnyListed = pairs.some(({ instance }) => instance !== null && instance.goneAt === null);
  const cheaper = isAnyListed ? await findCheaperEqual(sql, marketId) : new Map<number, CheaperOffer>();
  const described: LedgerInstance[] = [];
  for (const pair of pairs) {
    const { instance, rental } = pair;
    const instanceId = idOf(pair);
    const plan = plans.get(instanceId ?? -1) ?? null;
    const better = cheaper.get(instanceId ?? -1);
    const running = runningUsdPerHour(pair);
    const isThere = instance !== null && instance.goneAt === null;
    described.push({
      instanceId,
      rental,
      instance,
      plan,
      state: rental === null ? foreignState(instance, plan) : stateByList(rental, instance, plan),
      label: rental === null ? plainLabel(instance?.label ?? null) : rental.label,
      costCenter: plan?.costCenter ?? rental?.costCenter ?? null,
      country: kinds.get(machineOf(pair) ?? -1)?.country ?? null,
      usdPerHour: isThere ? (instanceUsdPerHour(instance)?.toString() ?? null) : null,
      billedUsdPerHour: isThere
        ? ((isComputing(instance) ? running : diskUsdPerHour(pair))?.toString() ?? null)
        : null,
      runningUsdPerHour: running?.toString() ?? null,
      stoppedUsdPerDay: diskUsdPerHour(pair)?.times(24).toDecimalPlaces(12).toString() ?? null,
      cost: costOf(steps.get(instanceId ?? -1) ?? [], charged.get(instanceId ?? -1) ?? null, now),
      idle: isThere && isRunning(instance) ? idle.has(instance.instanceId) : null,
      cheaper:
        better === undefined || running === null
          ? null
          : {
              offerId: better.offerId,
              machineId: better.machineId,
              usdPerHour: better.usdPerHour,
              savesUsdPerDay: running.minus(better.usdPerHour).times(24).toDecimalPlaces(6).toString(),
              hostEndsAt: better.hostEndsAt,
            },
    });
  }
  return described;
}

function diskUsdPerHour({ instance, rental }: Pair): Decimal | null {
  return instance === null
    ? storageUsdPerHour(rental?.storageUsdPerGbMonth ?? null, rental?.diskGb ?? null)
    : storageUsdPerHour(instance.storageUsdPerGbMonth, instance.diskSpaceGb);
}

function runningUsdPerHour(pair: Pair): Decimal | null {
  const disk = diskUsdPerHour(pair);
  const base = pair.instance === null ? (pair.rental?.baseUsdPerHour ?? null) : pair.instance.baseUsdPerHour;
  return disk === null || base === null ? null : disk.plus(base);
}

/** States that a list changes. */
const listedStates: readonly RentalState[] = ['provisioning', 'running', 'ready', 'stopped', 'down'];

/** Returns a rental's state by the list that its price is of: the rental follows that some seconds later. */
function stateByList(
  rental: Rental,
  instance: AccountInstance | null,
  plan: InstancePlan | null,
): RentalState {
  const { state } = rental;
  if (instance === null || instance.goneAt !== null || !listedStates.includes(state)) return state;
  const poll = { polledAt: instance.lastSeenAt, unidentified: 0 };
  return judgeLife({ rental, instance, plan, poll, settleMinutes: 0 }).state;
}

/** Returns the state of an instance rented elsewhere, in the words of rentals, else in the market's. */
function foreignState(instance: AccountInstance | null, plan: InstancePlan | null): string {
  if (instance === null || instance.goneAt !== null) return 'destroyed';
  if (plan?.wanted === 'destroyed') return 'destroying';
  if (isStopped(instance)) return 'stopped';
  if (isDead(instance)) return instance.everRunning ? 'down' : 'start-failed';
  return isBooting(instance) || instance.actualStatus === null ? 'provisioning' : instance.actualStatus;
}
