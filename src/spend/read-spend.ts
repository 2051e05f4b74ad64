import type { Db, Sql } from '../database/connection.ts';
import { readAtOnce } from '../rentals/spend-moment.sql.ts';
import { type Adjustment, listAdjustments } from './adjustments.sql.ts';
import { listBalances } from './balances.sql.ts';
import { type ClosedMonth, closedMonths } from './closings.sql.ts';
import { Exact, sumUsd } from './exact-sums.ts';
import { listGroupInstances, type NamedInstance } from './group-instances.sql.ts';
import { compareBefore, type SpendBefore } from './period-before.ts';
import type { SpendGrouping, SpendScope, SpendSum, SpendTotal } from './spend-grouping.ts';
import { readUntil, sumDisappeared, sumSpend, totalSpend } from './sums.sql.ts';

/** The account's balance. */
export interface Balance {
  /** The moment up to which both kinds of bills are known; null: the balance is unknown. */
  at: Date | null;
  amountUsd: string | null;
  /** Why it is unknown; null: it is known. */
  reason: string | null;
  /** The recorded balance that it is computed from. */
  statement: { at: Date; amountUsd: string } | null;
}

export interface SpendReport {
  items: SpendSum[];
  /** Names of the instances that it is grouped by. */
  instances: NamedInstance[];
  totals: SpendTotal[];
  /** null: the range has not begun. */
  before: SpendBefore | null;
  /** Entries that the market no longer lists; no sum counts them. */
  disappeared: { entries: number; amountUsd: string };
  months: (ClosedMonth & { adjustmentUsd: string })[];
  /** When the newest complete syncs began. */
  readUntil: { invoices: Date | null; charges: Date | null };
  balance: Balance;
}

/** Spend in a range, in total and by group, exact. */
export async function readSpend(
  sql: Sql,
  scope: SpendScope,
  { groupBy, stackBy }: { groupBy: SpendGrouping; stackBy: SpendGrouping | null },
): Promise<SpendReport> {
  return await readAtOnce(sql, async (tx) => {
    const totals = await totalSpend(tx, scope);
    return {
      items: await sumSpend(tx, scope, groupBy, stackBy),
      instances: await listGroupInstances(tx, scope, [groupBy, stackBy]),
      totals,
      before: await compareBefore(tx, scope, totals),
      disappeared: await sumDisappeared(tx, scope),
      months: await readMonths(tx, scope),
      readUntil: await readUntil(tx, scope.marketId, scope.asOf),
      balance: await readBalance(tx, scope.marketId, scope.asOf),
    };
  });
}

/** Returns every entry of the range's closed months that changed after their close. */
export async function readAdjustments(sql: Sql, scope: SpendScope): Promise<Adjustment[]> {
  return await readAtOnce(sql, async (tx) => await listAdjustments(tx, scope, await closedMonths(tx, scope)));
}

async function readMonths(db: Db, scope: SpendScope): Promise<SpendReport['months']> {
  const months = await closedMonths(db, scope);
  const adjustments = await listAdjustments(db, scope, months);
  return months.map((month) => ({
    ...month,
    adjustmentUsd: sumUsd(
      adjustments.filter((each) => each.month === month.month).map((a) => a.adjustmentUsd),
    ),
  }));
}

/**
 * Returns the balance at the moment up to which both kinds of bills are known: the last balance recorded before, minus
 * the invoices' amounts and the charges since. Source: docs/meaning.md#balance.
 */
export async function readBalance(db: Db, marketId: number, asOf: Date): Promise<Balance> {
  const [statement] = await listBalances(db, marketId, { until: asOf, limit: 1 });
  const unknown = (reason: string): Balance => ({
    at: null,
    amountUsd: null,
    reason,
    statement: statement === undefined ? null : { at: statement.at, amountUsd: statement.amountUsd },
  });
  if (statement === undefined) {
    return unknown('No balance was recorded yet: take it from the market and record it.');
  }
  const { invoices, charges } = await readUntil(db, marketId, asOf);
  if (invoices === null || charges === null) {
    const missing = invoices === null ? 'invoices' : 'charges';
    return unknown(
      `No complete sync of ${missing} yet, so what was ${invoices === null ? 'paid' : 'used'} is unknown.`,
    );
  }
  const at = new Date(Math.min(invoices.getTime(), charges.getTime()));
  if (at <= statement.at) return unknown('No complete sync of the bills since the balance was entered.');
  const scope = { marketId, from: statement.at, to: at, timeZone: 'UTC', asOf };
  const totals = await totalSpend(db, scope);
  const change = sumUsd(totals.filter(({ basis }) => basis === 'charged').map(({ amountUsd }) => amountUsd));
  return {
    at,
    amountUsd: new Exact(statement.amountUsd).minus(change).toString(),
    reason: null,
    statement: { at: statement.at, amountUsd: statement.amountUsd },
  };
}
