import { TZDate } from '@date-fns/tz';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { differenceInCalendarMonths } from 'date-fns/differenceInCalendarMonths';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfMonth } from 'date-fns/startOfMonth';
import { subDays } from 'date-fns/subDays';
import { subMonths } from 'date-fns/subMonths';
import type { Db } from '../database/connection.ts';
import { Exact, sumUsd } from './exact-sums.ts';
import type { SpendScope, SpendTotal } from './spend-grouping.ts';
import { readFirstSpend, totalSpend } from './sums.sql.ts';

/** Consumption of the period before a range, and the change since. */
export interface SpendBefore {
  from: Date;
  to: Date;
  consumptionUsd: string;
  changeUsd: string;
  /** null: nothing was spent before. */
  changePercent: number | null;
  /** When the account's first known consumption began; null: none is known. */
  firstSpendAt: Date | null;
  /** Whether what is known covers the period, all but a twentieth of it at most: only then is the change a fair one. */
  isCovered: boolean;
}

/** Share of a period that may lie before the first consumption. */
const maxUncovered = 0.05;

const isCoveredFrom = ({ from, to }: { from: Date; to: Date }, firstAt: Date | null): boolean =>
  firstAt !== null && firstAt.getTime() - from.getTime() <= maxUncovered * (to.getTime() - from.getTime());

/**
 * Returns the period before a range: as many months before whole months, as many days before whole days, else as much
 * time. Of a range that is not over, only the part until `asOf` is compared; null: it has not begun.
 * Source: docs/meaning.md#spend.
 */
export function periodBefore({
  from,
  to,
  timeZone,
  asOf,
}: Omit<SpendScope, 'marketId'>): { from: Date; to: Date } | null {
  if (asOf <= from) return null;
  const until = to < asOf ? to : asOf;
  const [first, last] = [new TZDate(from, timeZone), new TZDate(to, timeZone)];
  const areAll = (startOf: (at: TZDate) => Date): boolean =>
    [first, last].every((at) => startOf(at).getTime() === at.getTime());
  const earlier = (at: Date): Date => {
    const local = new TZDate(at, timeZone);
    if (areAll(startOfMonth)) return subMonths(local, differenceInCalendarMonths(last, first));
    if (areAll(startOfDay)) return subDays(local, differenceInCalendarDays(last, first));
    return new Date(at.getTime() - (to.getTime() - from.getTime()));
  };
  const end = earlier(until).getTime();
  return { from: new Date(earlier(from).getTime()), to: new Date(Math.min(end, from.getTime())) };
}

/**
 * Compares a range's consumption, charged and estimated, with the period before; null: the range has not begun.
 * `totals`: those of the range.
 */
export async function compareBefore(
  db: Db,
  scope: SpendScope,
  totals: readonly SpendTotal[],
): Promise<SpendBefore | null> {
  const before = periodBefore(scope);
  if (before === null) return null;
  const consumptionUsd = consumptionOf(await totalSpend(db, { ...scope, ...before }));
  const firstSpendAt = await readFirstSpend(db, scope);
  const change = new Exact(consumptionOf(totals)).minus(consumptionUsd);
  return {
    ...before,
    consumptionUsd,
    changeUsd: change.toString(),
    changePercent:
      Number(consumptionUsd) > 0 ? change.div(consumptionUsd).times(100).toDecimalPlaces(2).toNumber() : null,
    firstSpendAt,
    isCovered: isCoveredFrom(before, firstSpendAt),
  };
}

const consumptionOf = (totals: readonly SpendTotal[]): string =>
  sumUsd(totals.filter(({ category }) => category === 'consumption').map(({ amountUsd }) => amountUsd));
