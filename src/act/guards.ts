import type { Decimal } from 'decimal.js';
import { readActionSwitch } from '../db/acting/action-switch.ts';
import { countOpenRentals } from '../db/acting/rentals.ts';
import { readBlocklist } from '../db/blocklist.ts';
import type { Db } from '../db/connection.ts';
import { type AccountCount, countAccount } from '../domain/account-count.ts';
import type { InstanceList } from '../market/instances.ts';
import { GuardRefusal } from './actions-switch.ts';
import type { Actor } from './actor.ts';
import { budgetGuard } from './budget-guard.ts';

/** What a guard judges: a create that would be sent now. */
export interface GuardCase {
  db: Db;
  actor: Actor;
  /** $/hour of the whole machine with its disk and a new volume; null: the market does not say all of it. */
  usdPerHour: Decimal | null;
  machineId: number;
  hostId: number | null;
  label: string | null;
  costCenter: string | null;
  /** null: the account could not be listed, or not completely. */
  account: AccountCount | null;
}

/** A guard's no: which limit, and what it met. */
export interface GuardNo {
  /** Stable for programs: `max-instances`. */
  guard: string;
  limit: string | null;
  value: string | null;
  message: string;
}

/** Says no, or null. */
export type Guard = (of: GuardCase) => Promise<GuardNo | null> | GuardNo | null;

const no = (
  guard: string,
  message: string,
  limit?: number | null,
  value?: Decimal.Value | null,
): GuardNo => ({
  guard,
  limit: limit === undefined || limit === null ? null : String(limit),
  value: value === undefined || value === null ? null : String(value),
  message,
});

const actions: Guard = ({ actor }) =>
  actor.limits.actions
    ? null
    : no(
        'actions',
        'actions are off: the account of a live market stays as it is. Set ACTIONS=on to allow them.',
      );

const killSwitch: Guard = async ({ db }) => {
  const stands = await readActionSwitch(db);
  return stands === null || stands.enabled
    ? null
    : no(
        'kill-switch',
        `${stands.changedBy} has switched new rentals off: \`offerbook actions on\` allows them again.`,
      );
};

const maxUsdPerHour: Guard = ({ actor, usdPerHour }) => {
  const { maxUsdPerHour: limit } = actor.limits;
  if (limit === null) return null;
  if (usdPerHour === null) {
    return no(
      'max-usd-per-hour',
      `the market does not say what it costs, and MAX_USD_PER_HOUR is ${limit}.`,
      limit,
    );
  }
  return usdPerHour.gt(limit)
    ? no('max-usd-per-hour', `$${usdPerHour}/hour is above MAX_USD_PER_HOUR=${limit}.`, limit, usdPerHour)
    : null;
};

const listed: Guard = ({ account }) =>
  account === null
    ? no(
        'account-listed',
        'the instances of the account cannot be listed, so that nobody knows what runs: try again when they can.',
      )
    : null;

const maxInstances: Guard = ({ actor, account }) => {
  const { maxInstances: limit } = actor.limits;
  if (limit === null || account === null || account.instances < limit) return null;
  return no(
    'max-instances',
    `the account has ${account.instances} instances, whoever rented them, and MAX_INSTANCES is ${limit}.`,
    limit,
    account.instances,
  );
};

const maxTotalUsdPerHour: Guard = ({ actor, account, usdPerHour }) => {
  const { maxTotalUsdPerHour: limit } = actor.limits;
  if (limit === null || account === null) return null;
  if (account.unpriced.length > 0 || usdPerHour === null) {
    const which = usdPerHour === null ? 'this offer' : `instance ${account.unpriced.join(', ')}`;
    return no(
      'max-total-usd-per-hour',
      `the market does not say what ${which} costs, and MAX_TOTAL_USD_PER_HOUR is ${limit}.`,
      limit,
    );
  }
  const total = account.usdPerHour.plus(usdPerHour);
  return total.gt(limit)
    ? no(
        'max-total-usd-per-hour',
        `the account would come to $${total}/hour, above MAX_TOTAL_USD_PER_HOUR=${limit}.`,
        limit,
        total,
      )
    : null;
};

const blockList: Guard = async ({ db, actor, machineId, hostId }) => {
  const { block } = await readBlocklist(db, actor.market.id);
  const what = block.machineIds.has(machineId)
    ? `machine ${machineId}`
    : hostId !== null && block.hostIds.has(hostId)
      ? `host ${hostId}`
      : null;
  return what === null ? null : no('block-list', `${what} is on the block list: take it off to rent there.`);
};

/** Every guard on rent, in the order in which they are told. */
const guards: readonly Guard[] = [
  actions,
  killSwitch,
  listed,
  maxUsdPerHour,
  maxInstances,
  maxTotalUsdPerHour,
  blockList,
  budgetGuard,
];

/** What every guard says no to; empty: it may be sent. */
export async function askGuards(of: GuardCase): Promise<GuardNo[]> {
  const answers: GuardNo[] = [];
  for (const guard of [...guards, ...(of.actor.furtherGuards ?? [])]) {
    const answer = await guard(of);
    if (answer !== null) answers.push(answer);
  }
  return answers;
}

/** Throws the GuardRefusal of the first no. */
export function refuseByGuards(answers: readonly GuardNo[]): void {
  const [first] = answers;
  if (first !== undefined) throw new GuardRefusal(first.guard, first.message, first);
}

/** Counts the account by a list just made; null: it does not identify all of its instances. */
export async function countByList(
  db: Db,
  marketId: number,
  list: InstanceList | null,
): Promise<AccountCount | null> {
  if (list === null || unidentifiedIn(list) > 0) return null;
  const ids = list.instances.map(({ instanceId }) => instanceId);
  return countAccount(list.instances, await countOpenRentals(db, marketId, ids));
}

/** Instances that a list counts without identifying them. */
const unidentifiedIn = (list: InstanceList): number =>
  Math.max(
    list.rejected.length,
    (list.found ?? 0) - new Set(list.instances.map(({ instanceId }) => instanceId)).size,
  );
