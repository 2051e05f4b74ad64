import { Decimal } from 'decimal.js';
import { MarketError } from '../../core/errors.ts';
import type { Offer } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import type { InstanceList } from '../../market/account.ts';
import { readBlocklist } from '../../prices/rankings/blocklist.sql.ts';
import { type AccountCount, countAccount } from '../account-count.ts';
import { GuardRefusal, switchProblem } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import type { RentRequest } from './rent-request.ts';
import { countOpenRentals } from './rentals.sql.ts';

/** What a guard checks: a create that would be sent now. */
export interface GuardCase {
  db: Db;
  actor: Actor;
  /** As the market quoted it. */
  offer: Offer;
  request: RentRequest;
  /** $/hour of the whole machine with its disk and a new volume; null: the market does not state all of it. */
  usdPerHour: Decimal | null;
  /** null: the account could not be listed, or not completely. */
  account: AccountCount | null;
}

/** A guard's refusal: which limit, and the value that met it. */
export interface GuardViolation {
  /** Stable name: `max-instances`. */
  guard: string;
  limit: string | null;
  value: string | null;
  message: string;
}

type GuardAnswer = Promise<GuardViolation | null> | GuardViolation | null;
/** Returns a violation, or null. */
type Guard = (of: GuardCase) => GuardAnswer;

/** What guards on cost check: an instance that would cost this much from now on. */
type CostCase = Pick<GuardCase, 'db' | 'actor' | 'usdPerHour' | 'account'>;
type CostGuard = (of: CostCase) => GuardAnswer;

/** A refusal by the guard of this name. */
export const violation = (
  guard: string,
  message: string,
  limit?: Decimal.Value | null,
  value?: Decimal.Value | null,
): GuardViolation => ({
  guard,
  limit: limit === undefined || limit === null ? null : String(limit),
  value: value === undefined || value === null ? null : String(value),
  message,
});

/** Rounded up, so that a value above a limit also reads as above it. */
export const readable = (usd: Decimal): Decimal => usd.toDecimalPlaces(6, Decimal.ROUND_UP);

const actions: CostGuard = ({ actor }) =>
  actor.limits.actions
    ? null
    : violation(
        'actions',
        'actions are off, so nothing changes the account of a live market. Set ACTIONS=on to allow them.',
      );

const killSwitch: CostGuard = async ({ db }) => {
  const problem = await switchProblem(db);
  return problem === null ? null : violation('kill-switch', problem);
};

const maxUsdPerHour: CostGuard = ({ actor, usdPerHour }) => {
  const { maxUsdPerHour: limit } = actor.limits;
  if (limit === null) return null;
  if (usdPerHour === null) {
    return violation(
      'max-usd-per-hour',
      `the market does not say what it costs, and MAX_USD_PER_HOUR is ${limit}.`,
      limit,
    );
  }
  return usdPerHour.gt(limit)
    ? violation(
        'max-usd-per-hour',
        `$${readable(usdPerHour)}/hour is above MAX_USD_PER_HOUR=${limit}.`,
        limit,
        usdPerHour,
      )
    : null;
};

const listed: CostGuard = ({ account }) =>
  account === null
    ? violation(
        'account-listed',
        'the instances of the account cannot be listed now, so what is running is unknown: try again later.',
      )
    : null;

const maxInstances: Guard = ({ actor, account }) => {
  const { maxInstances: limit } = actor.limits;
  if (limit === null || account === null || account.instances < limit) return null;
  return violation(
    'max-instances',
    `the account has ${account.instances} ${account.instances === 1 ? 'instance' : 'instances'}, whoever rented them, and MAX_INSTANCES is ${limit}.`,
    limit,
    account.instances,
  );
};

const maxTotalUsdPerHour: CostGuard = ({ actor, account, usdPerHour }) => {
  const { maxTotalUsdPerHour: limit } = actor.limits;
  if (limit === null || account === null) return null;
  if (account.unpriced.length > 0 || usdPerHour === null) {
    const which = usdPerHour === null ? 'it' : `instance ${account.unpriced.join(', ')}`;
    return violation(
      'max-total-usd-per-hour',
      `the market does not say what ${which} costs, and MAX_TOTAL_USD_PER_HOUR is ${limit}.`,
      limit,
    );
  }
  const total = account.usdPerHour.plus(usdPerHour);
  return total.gt(limit)
    ? violation(
        'max-total-usd-per-hour',
        `the account would come to $${readable(total)}/hour, above MAX_TOTAL_USD_PER_HOUR=${limit}.`,
        limit,
        total,
      )
    : null;
};

const blockList: Guard = async ({ db, actor, offer: { machineId, hostId } }) => {
  const { block } = await readBlocklist(db, actor.market.id);
  const what = block.machineIds.has(machineId)
    ? `machine ${machineId}`
    : hostId !== null && block.hostIds.has(hostId)
      ? `host ${hostId}`
      : null;
  return what === null
    ? null
    : violation('block-list', `${what} is on the block list: remove it to rent there.`);
};

/** Refuses if a blocking budget, of everything or of the rental's label, is used up. */
export const budgetGuard: Guard = async ({ db, actor, request: { label = null } }) => {
  const budget = await actor.findBlockingBudget(db, actor.market.id, label, actor.now());
  if (budget === null) return null;
  const { month, monthlyUsd, spentUsd } = budget;
  const which =
    budget.label === null ? 'the budget for all spend' : `the budget of ${JSON.stringify(budget.label)}`;
  return violation(
    'budget',
    `${which} is used up: $${spentUsd} of $${monthlyUsd} in ${month}. Raise it, or turn off its blocking of rentals.`,
    monthlyUsd,
    spentUsd,
  );
};

/** Every guard on renting, in the order of reports. */
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

/** Returns the violations of all guards; empty: the create may be sent. */
export const checkGuards = async (of: GuardCase): Promise<GuardViolation[]> => await askAll(guards, of);

/**
 * Returns the violations of guards on cost, for a change that makes an instance cost more: a start, which is new cost,
 * or another bid.
 */
export const checkCostGuards = async (of: CostCase, what: 'start' | 'bid'): Promise<GuardViolation[]> =>
  await askAll(
    [actions, ...(what === 'start' ? [killSwitch] : []), listed, maxUsdPerHour, maxTotalUsdPerHour],
    of,
  );

async function askAll<T>(asked: readonly ((of: T) => GuardAnswer)[], of: T): Promise<GuardViolation[]> {
  const answers: GuardViolation[] = [];
  for (const guard of asked) {
    const answer = await guard(of);
    if (answer !== null) answers.push(answer);
  }
  return answers;
}

/** Throws the GuardRefusal of the first violation. */
export function refuseByGuards(answers: readonly GuardViolation[]): void {
  const [first] = answers;
  if (first !== undefined) throw new GuardRefusal(first.guard, first.message, first);
}

/** Counts the account by a new list, without the instance `except`; null: the list does not identify all instances. */
export async function countByList(
  db: Db,
  marketId: number,
  list: InstanceList | null,
  except: number | null = null,
): Promise<AccountCount | null> {
  if (list === null || unidentifiedIn(list) > 0) return null;
  const ids = list.instances.map(({ instanceId }) => instanceId);
  const counted = list.instances.filter(({ instanceId }) => instanceId !== except);
  return countAccount(counted, await countOpenRentals(db, marketId, ids));
}

/** Returns the account's instances now; null: they cannot be listed, so nothing that costs may be done. */
export async function listAccount(
  { account, log }: Pick<Actor, 'account' | 'log'>,
  signal: AbortSignal | undefined,
): Promise<InstanceList | null> {
  try {
    return await account.listInstances({ signal });
  } catch (error) {
    if (!(error instanceof MarketError)) throw error;
    log.warn({}, `the account cannot be listed, so nothing that costs money is done: ${error.message}`);
    return null;
  }
}

/** Instances that a list counts without identifying them. */
const unidentifiedIn = (list: InstanceList): number =>
  Math.max(
    list.rejected.length,
    (list.found ?? 0) - new Set(list.instances.map(({ instanceId }) => instanceId)).size,
  );
