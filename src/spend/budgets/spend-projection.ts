import type { Db } from '../../database/connection.ts';
import { Exact, sumUsd } from '../exact-sums.ts';
import { monthStart } from '../spend-month.ts';
import { sumSpend } from '../sums.sql.ts';
import { type BurnRate, burnRates } from './budgets.sql.ts';

/** A month's consumption so far, and what it will be at its end. Amounts are exact decimal text. */
export interface SpendProjection {
  /** Month such as `2026-11`, with its start and end. */
  month: string;
  from: Date;
  to: Date;
  /** Consumption of the month so far, charged and estimated. */
  spentUsd: string;
  /** Burn rate of the instances with a known price; null: instances run, but none has a known price. */
  burnUsdPerHour: string | null;
  /** Instances without a fully known price; burn rate and projection leave out the unknown part. */
  unpriced: number;
  /** What instances will not cost after their known ends, as far as the month goes. */
  knownEndsUsd: string;
  /** null: the burn rate is unknown. */
  projectedUsd: string | null;
  projectionMethod: string;
}

const projectionMethod =
  'what was charged and estimated in the month so far, plus the burn rate now for the rest of its hours, each instance until its known end';

/** What was consumed in a month, and the burn rates now, by label. */
export interface MonthFacts {
  timeZone: string;
  from: Date;
  to: Date;
  now: Date;
  spent: readonly { label: string | null; amountUsd: string }[];
  burns: readonly BurnRate[];
}

/** Returns the projection of everything in a moment's month, in a time zone. */
export async function readSpendProjection(
  db: Db,
  { marketId, timeZone }: { marketId: number; timeZone: string },
  now: Date,
): Promise<SpendProjection> {
  const facts = await readMonth(db, { marketId, timeZone, now });
  return projectSpend({ ...facts, burns: await burnRates(db, marketId) }, null);
}

/** Returns what was consumed in a moment's month, by label. */
export async function readMonth(
  db: Db,
  { marketId, timeZone, now }: { marketId: number; timeZone: string; now: Date },
): Promise<Omit<MonthFacts, 'burns'>> {
  const from = monthStart(now, timeZone);
  const scope = { marketId, from, to: now, timeZone, asOf: now };
  const sums = from < now ? await sumSpend(db, scope, 'label', null) : [];
  const spent = sums
    .filter(({ category }) => category === 'consumption')
    .map(({ key, amountUsd }) => ({ label: key, amountUsd }));
  return { timeZone, from, to: monthStart(now, timeZone, 1), now, spent };
}

/** Returns the projection of a label; null: of everything. */
export function projectSpend(
  { timeZone, from, to, now, spent, burns }: MonthFacts,
  wanted: string | null,
): SpendProjection {
  const counts = ({ label }: { label: string | null }): boolean => wanted === null || label === wanted;
  const spentUsd = sumUsd(spent.filter(counts).map(({ amountUsd }) => amountUsd));
  const counted = burns.filter(counts);
  const { usdPerHour: burnUsdPerHour, unpriced } = sumBurn(counted);
  // As it is given, so that the projection can be computed again from its parts.
  const knownEnds = sumKnownEnds(counted, { now, to }).toDecimalPlaces(12);
  return {
    month: new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).format(
      new Date(from.getTime() + 86_400_000),
    ),
    from,
    to,
    spentUsd,
    burnUsdPerHour,
    unpriced,
    knownEndsUsd: knownEnds.toString(),
    projectedUsd:
      burnUsdPerHour === null
        ? null
        : hoursUntil(to, now)
            .times(burnUsdPerHour)
            .minus(knownEnds)
            .plus(spentUsd)
            .toDecimalPlaces(12)
            .toString(),
    projectionMethod,
  };
}

/** Returns the hours from a moment to the end of its month, exact. */
export const hoursUntil = (to: Date, now: Date) => new Exact(to.getTime() - now.getTime()).div(3_600_000);

/** Returns what is not spent after known ends; an end that has passed without ending anything is none. */
function sumKnownEnds(burns: readonly BurnRate[], { now, to }: { now: Date; to: Date }) {
  const hoursFrom = (at: Date | null) => (at === null || at <= now || at >= to ? 0 : hoursUntil(to, at));
  return burns.reduce((sum, { usdPerHour, fromAt, untilAt }) => {
    const after = new Exact(hoursFrom(untilAt)).minus(hoursFrom(fromAt));
    return sum.plus(after.times(usdPerHour ?? 0));
  }, new Exact(0));
}

/** Returns the burn rate of several labels; null: instances run, but none has a known price. */
export function sumBurn(all: readonly BurnRate[]): Pick<BurnRate, 'usdPerHour' | 'unpriced'> {
  const burns = all.filter(({ fromAt }) => fromAt === null);
  const unpriced = burns.reduce((sum, burn) => sum + burn.unpriced, 0);
  const priced = burns.map(({ usdPerHour }) => usdPerHour).filter((usd) => usd !== null);
  return { usdPerHour: priced.length === 0 && unpriced > 0 ? null : sumUsd(priced), unpriced };
}
