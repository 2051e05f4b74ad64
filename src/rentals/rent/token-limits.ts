import type { Decimal } from 'decimal.js';
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
  const limits = await findTokenLimits(db, by);
  // Without a list another guard refuses.
  if (limits === null || list === null) return [];
  const marketId = actor.market.id;
  const { open, rentsToday } = await readTokenRentals(db, { marketId, by, now: actor.now() });
  const isOwn = new Set(open.map(({ instanceId: own }) => own));
  const rentals = new Set(open.map(({ rentalId }) => rentalId));
  const ids = list.instances.map((one) => one.instanceId);
  const unlisted = (await countOpenRentals(db, marketId, ids)).filter(({ rentalId }) =>
    rentals.has(rentalId),
  );
  const listed = list.instances.filter((one) => isOwn.has(one.instanceId) && one.instanceId !== instanceId);
  const own = countAccount(listed, unlisted);
  const isNew = instanceId === undefined;
  const found = [
    ...(isNew ? [tooMany(limits, own, by), tooOften(limits, rentsToday, by)] : []),
    tooDear(limits, own, { by, usdPerHour }),
  ];
  return found.filter((each) => each !== null);
}

const named = (by: string): string => `the token ${JSON.stringify(by)}`;

function tooMany({ maxInstances: limit }: TokenLimits, own: AccountCount, by: string): GuardViolation | null {
  if (limit === null || own.instances < limit) return null;
  const message = `${named(by)} has ${own.instances} instances and may have ${limit}.`;
  return violation('token-max-instances', message, limit, own.instances);
}

function tooOften({ maxRentsPerDay: limit }: TokenLimits, rents: number, by: string): GuardViolation | null {
  if (limit === null || rents < limit) return null;
  const message = `${named(by)} has rented ${rents} times in the last 24 hours and may rent ${limit} times.`;
  return violation('token-max-rents-per-day', message, limit, rents);
}

function tooDear(
  { maxUsdPerHour: limit }: TokenLimits,
  own: AccountCount,
  { by, usdPerHour }: { by: string; usdPerHour: Decimal | null },
): GuardViolation | null {
  if (limit === null) return null;
  const guard = 'token-max-usd-per-hour';
  if (own.unpriced.length > 0 || usdPerHour === null) {
    const which = usdPerHour === null ? 'it' : `instance ${own.unpriced.join(', ')}`;
    const message = `the market does not say what ${which} costs, and ${named(by)} may spend $${limit}/hour.`;
    return violation(guard, message, limit);
  }
  const total = own.usdPerHour.plus(usdPerHour);
  if (total.lte(limit)) return null;
  const message = `${named(by)} would come to $${readable(total)}/hour and may spend $${limit}/hour.`;
  return violation(guard, message, limit, total);
}
