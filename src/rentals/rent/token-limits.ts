import type { Decimal } from 'decimal.js';
import { formatLimit } from '../../core/usd-words.ts';
import type { Db } from '../../database/connection.ts';
import type { InstanceList } from '../../market/account.ts';
import { type AccountCount, countAccount } from '../account-count.ts';
import type { Actor } from '../actor.ts';
import { type GuardViolation, readable, violation } from './guards.ts';
import { countOpenRentals } from './rentals.sql.ts';
import { findTokenLimits, readTokenRentals, type TokenLimits } from './token-limits.sql.ts';

/** A create, or with `instanceId` a change of a token's instance. */
interface TokenCase {
  db: Db;
  actor: Actor;
  /** The name of the token. */
  by: string;
  /** null: the market does not state all of it. */
  usdPerHour: Decimal | null;
  list: InstanceList | null;
  instanceId?: number;
}

/**
 * Returns what the limits of the requester's token are against: they count only what that token has rented, by itself
 * or by its orders. Source: docs/meaning.md#guards.
 */
export async function checkTokenLimits(of: TokenCase): Promise<GuardViolation[]> {
  const { db, actor, by, usdPerHour, list, instanceId } = of;
  const own = await findTokenLimits(db, by);
  const sets: LimitSet[] = [
    ...(own === null ? [] : [{ limits: own, guard: 'token', settings: null }]),
    ...(actor.isAgent === true && actor.agentLimits !== undefined
      ? [{ limits: actor.agentLimits, guard: 'agent', settings: agentSettings }]
      : []),
  ];
  // Without a list another guard refuses.
  if (sets.length === 0 || list === null) return [];
  const marketId = actor.market.id;
  const { open, rentsToday } = await readTokenRentals(db, { marketId, by, now: actor.now() });
  const isOwn = new Set(open.map(({ instanceId: id }) => id));
  const rentals = new Set(open.map(({ rentalId }) => rentalId));
  const ids = list.instances.map((one) => one.instanceId);
  const unlisted = (await countOpenRentals(db, marketId, ids)).filter(({ rentalId }) =>
    rentals.has(rentalId),
  );
  const listed = list.instances.filter((one) => isOwn.has(one.instanceId) && one.instanceId !== instanceId);
  const count = countAccount(listed, unlisted);
  const isNew = instanceId === undefined;
  return sets
    .flatMap((set) => [
      ...(isNew ? [tooMany(set, count, by), tooOften(set, rentsToday, by)] : []),
      tooDear(set, count, { by, usdPerHour }),
    ])
    .filter((each) => each !== null);
}

/** Limits of one source: of the token itself, or of every token through MCP. */
interface LimitSet {
  limits: TokenLimits;
  /** The beginning of the guards' names. */
  guard: string;
  /** The settings that set them; null: the token does. */
  settings: Readonly<Record<keyof TokenLimits, string>> | null;
}

const agentSettings = {
  maxUsdPerHour: 'AGENT_MAX_USD_PER_HOUR',
  maxInstances: 'AGENT_MAX_INSTANCES',
  maxRentsPerDay: 'AGENT_MAX_RENTS_PER_DAY',
} as const;

/** How a refusal ends: ` and may have 2`, or with the setting that says so. */
const limitWords = ({ limits, settings }: LimitSet, name: keyof TokenLimits, may: string): string =>
  settings === null ? ` and ${may}` : `, and ${settings[name]} is ${limits[name]}`;

const named = (by: string): string => `the token ${JSON.stringify(by)}`;

function tooMany(set: LimitSet, count: AccountCount, by: string): GuardViolation | null {
  const { maxInstances: limit } = set.limits;
  if (limit === null || count.instances < limit) return null;
  const words = limitWords(set, 'maxInstances', `may have ${limit}`);
  const message = `${named(by)} has ${count.instances} instances${words}.`;
  return violation(`${set.guard}-max-instances`, message, limit, count.instances);
}

function tooOften(set: LimitSet, rents: number, by: string): GuardViolation | null {
  const { maxRentsPerDay: limit } = set.limits;
  if (limit === null || rents < limit) return null;
  const words = limitWords(set, 'maxRentsPerDay', `may rent ${limit} times`);
  const message = `${named(by)} has rented ${rents} times in the last 24 hours${words}.`;
  return violation(`${set.guard}-max-rents-per-day`, message, limit, rents);
}

function tooDear(
  set: LimitSet,
  count: AccountCount,
  { by, usdPerHour }: { by: string; usdPerHour: Decimal | null },
): GuardViolation | null {
  const { maxUsdPerHour: limit } = set.limits;
  if (limit === null) return null;
  const guard = `${set.guard}-max-usd-per-hour`;
  if (count.unpriced.length > 0 || usdPerHour === null) {
    const which = usdPerHour === null ? 'it' : `instance ${count.unpriced.join(', ')}`;
    const words = limitWords(set, 'maxUsdPerHour', `${named(by)} may spend ${formatLimit(limit)}/hour`);
    return violation(guard, `the market does not say what ${which} costs${words}.`, limit);
  }
  const total = count.usdPerHour.plus(usdPerHour);
  if (total.lte(limit)) return null;
  const words = limitWords(set, 'maxUsdPerHour', `may spend ${formatLimit(limit)}/hour`);
  return violation(guard, `${named(by)} would come to $${readable(total)}/hour${words}.`, limit, total);
}
