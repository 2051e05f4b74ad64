import { readMoment } from '../../core/calendar-date.ts';
import type { Db, Sql } from '../../database/connection.ts';
import { momentWords } from '../../prices/explain/explained-figures.ts';
import { readAtOnce } from '../../rentals/spend-moment.sql.ts';
import { listBalances } from '../balances.sql.ts';
import { Exact, sumUsd } from '../exact-sums.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { monthStart } from '../spend-month.ts';
import { readUntil, sumSpend, totalSpend } from '../sums.sql.ts';
import { ledgerLines, unchargedInstances, unevenCharges } from './reconciliation.sql.ts';

/** Charges compared with items, a month's charges with invoices, balances, instances with lists, and what no charge covers. */
export const reconciliationKinds = ['items', 'invoices', 'balances', 'ledger', 'uncharged'] as const;
export type ReconciliationKind = (typeof reconciliationKinds)[number];

/** Two amounts that should be equal but differ, and why. */
export interface ReconciliationLine {
  kind: ReconciliationKind;
  subject: string;
  from: Date;
  to: Date;
  /** The amount of each side, US dollars, exact. */
  expectedUsd: string;
  actualUsd: string;
  differenceUsd: string;
  /** Why they differ; `unexplained` if no known fact explains it, of uncharged time until when charges are synced. */
  reason: string;
  /** How much the difference matters: see `differenceStatuses`. */
  status: DifferenceStatus;
}

/**
 * `unexplained` by any known fact; `explained` by one; `pending`: the bills of that time are still to come; `withinPolls`: no more than the time between two polls explains;
 * `credit`: what was paid in and not used, or used and not paid in, of an account that pays in advance.
 */
export const differenceStatuses = ['unexplained', 'explained', 'pending', 'withinPolls', 'credit'] as const;
export type DifferenceStatus = (typeof differenceStatuses)[number];

const unexplained = 'unexplained';
const notCharged = 'not charged yet: charges are synced only up to an earlier time';
const notRead = 'bills are not read up to the later balance yet';
const withinPolls = 'within the minutes between two polls of the account';
/** Statuses are polled a minute apart, so each change may be off by that much. */
const pollHours = 2 / 60;

/** Returns every difference between charges, invoices, recorded balances and the ledger in a range. */
export async function reconcile(sql: Sql, scope: SpendScope): Promise<ReconciliationLine[]> {
  const lines = await readAtOnce(sql, async (tx) => [
    ...(await compareItems(tx, scope)),
    ...(await compareInvoices(tx, scope)),
    ...(await compareBalances(tx, scope)),
    ...(await compareLedger(tx, scope)),
    ...(await listUncharged(tx, scope)),
  ]);
  return lines.filter(({ differenceUsd }) => differenceUsd !== '0');
}

const line = (
  head: Omit<ReconciliationLine, 'differenceUsd' | 'status'>,
  status: DifferenceStatus = statusOf(head),
): ReconciliationLine => ({
  ...head,
  differenceUsd: new Exact(head.actualUsd).minus(head.expectedUsd).toString(),
  status,
});

function statusOf({ kind, reason }: Pick<ReconciliationLine, 'kind' | 'reason'>): DifferenceStatus {
  if (kind === 'invoices') return 'credit';
  if (reason === unexplained) return unexplained;
  if (reason === notCharged || reason === notRead) return 'pending';
  return reason === withinPolls ? 'withinPolls' : 'explained';
}

async function compareItems(db: Db, scope: SpendScope): Promise<ReconciliationLine[]> {
  return (await unevenCharges(db, scope)).map(({ source, start, chargeUsd, itemsUsd, lacksItems }) =>
    line({
      kind: 'items',
      subject: source ?? 'a charge without a source',
      from: start,
      to: start,
      expectedUsd: chargeUsd,
      actualUsd: itemsUsd,
      reason: lacksItems ? 'some of its items are no longer listed' : unexplained,
    }),
  );
}

/** Compares consumption with payments. Their difference is credit, which two recorded balances check. */
async function compareInvoices(db: Db, scope: SpendScope): Promise<ReconciliationLine[]> {
  const sums = (await sumSpend(db, scope, 'month', null)).filter(({ basis }) => basis === 'charged');
  const balances = await listBalances(db, scope.marketId, { until: scope.asOf, limit: 2 });
  const checked =
    balances.length < 2
      ? 'nothing checks that until two balances are recorded'
      : 'the lines about balances check that';
  return [...new Set(sums.map(({ key }) => key ?? ''))].map((month) => {
    const of = (used: boolean): string =>
      sumUsd(
        sums
          .filter(({ key, category }) => key === month && (category === 'consumption') === used)
          .map(({ amountUsd }) => amountUsd),
      );
    const [used, paid] = [of(true), new Exact(of(false)).neg()];
    return line({
      kind: 'invoices',
      subject: month,
      ...monthWithin(scope, month),
      expectedUsd: used,
      actualUsd: paid.toString(),
      reason: paid.gt(used)
        ? `more was paid in than used: the rest is credit of the account; ${checked}`
        : `less was paid in than used: the rest came out of the account's credit; ${checked}`,
    });
  });
}

/** Returns the part of the range that lies in one of its months in the zone's time. */
function monthWithin({ from, to, timeZone }: SpendScope, month: string): { from: Date; to: Date } {
  const start = readMoment(`${month}-01`, timeZone) ?? from;
  const end = monthStart(new Date(start.getTime() + 86_400_000), timeZone, 1);
  return { from: start > from ? start : from, to: end < to ? end : to };
}

async function compareBalances(db: Db, scope: SpendScope): Promise<ReconciliationLine[]> {
  const entered = (await listBalances(db, scope.marketId, { until: scope.asOf, limit: null })).reverse();
  const known = await readUntil(db, scope.marketId, scope.asOf);
  const lines: ReconciliationLine[] = [];
  for (const [index, later] of entered.entries()) {
    const earlier = entered[index - 1];
    if (earlier === undefined || later.at <= scope.from || earlier.at >= scope.to) continue;
    const totals = await totalSpend(db, { ...scope, from: earlier.at, to: later.at, timeZone: 'UTC' });
    const change = sumUsd(
      totals.filter(({ basis }) => basis === 'charged').map(({ amountUsd }) => amountUsd),
    );
    const isRead = [known.invoices, known.charges].every((at) => at !== null && at >= later.at);
    lines.push(
      line({
        kind: 'balances',
        subject: `${earlier.amountUsd} to ${later.amountUsd}`,
        from: earlier.at,
        to: later.at,
        expectedUsd: new Exact(0).minus(change).toString(),
        actualUsd: new Exact(later.amountUsd).minus(earlier.amountUsd).toString(),
        reason: isRead ? unexplained : notRead,
      }),
    );
  }
  return lines;
}

async function compareLedger(db: Db, scope: SpendScope): Promise<ReconciliationLine[]> {
  return (await ledgerLines(db, scope)).map((each) => {
    const { instanceId, from, to, chargedUsd, ledgerUsd, listedFrom } = each;
    return line({
      kind: 'ledger',
      subject: `instance-${instanceId}`,
      from,
      to,
      expectedUsd: ledgerUsd,
      actualUsd: chargedUsd,
      reason: ledgerReason(each, listedFrom),
    });
  });
}

async function listUncharged(db: Db, scope: SpendScope): Promise<ReconciliationLine[]> {
  const { charges } = await readUntil(db, scope.marketId, scope.asOf);
  return (await unchargedInstances(db, scope)).map(({ instanceId, from, to, estimatedUsd }) => {
    const subject = `instance-${instanceId}`;
    const head = { kind: 'uncharged', subject, from, to, expectedUsd: estimatedUsd, actualUsd: '0' } as const;
    if (charges === null) return line({ ...head, reason: 'the market has listed no charges' });
    if (charges < to) return line({ ...head, reason: notCharged });
    const reason = `no charge was found, though charges are synced until ${momentWords(charges)}`;
    return line({ ...head, reason }, unexplained);
  });
}

function ledgerReason(
  {
    from,
    chargedUsd,
    ledgerUsd,
    changes,
    highestUsdPerHour,
    hasUnknownRates,
  }: Awaited<ReturnType<typeof ledgerLines>>[number],
  listedFrom: Date | null,
): string {
  if (listedFrom === null)
    return 'it was gone before Offerbook first listed the instances, so there is no record to compare with';
  const difference = new Exact(chargedUsd).minus(ledgerUsd).abs();
  const slack = new Exact(highestUsdPerHour).times(pollHours).times(changes + 1);
  if (difference.lte(slack)) return withinPolls;
  if (hasUnknownRates) return 'the lists do not state its cost';
  if (listedFrom > from) return `it was first listed at ${momentWords(listedFrom)}, after the charges begin`;
  return unexplained;
}
