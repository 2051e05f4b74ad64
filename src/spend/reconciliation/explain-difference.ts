import { countOf } from '../../core/count-of.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import type { Sql } from '../../database/connection.ts';
import { leftOutWords } from '../../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../../prices/explain/explanation-schema.ts';
import { listRateSteps } from '../../rentals/instances/instance-rates.sql.ts';
import type { RateStep } from '../../rentals/instances/rental-cost.ts';
import { listBalances } from '../balances.sql.ts';
import { type ExplainedEntry, explainSpend, presentEntry } from '../explain-spend.ts';
import type { SpendBasis, SpendScope } from '../spend-grouping.ts';
import { type ReconciliationKind, type ReconciliationLine, reconcile } from './reconcile-spend.ts';

/** Explains a line of the reconciliation: its two amounts, each recomputed entry by entry. */
export async function explainDifference(
  sql: Sql,
  scope: SpendScope,
  { kind, subject }: { kind: ReconciliationKind; subject: string },
): Promise<ExplainedFigures> {
  const lines = await reconcile(sql, scope);
  const shown = lines.find((each) => each.kind === kind && each.subject === subject);
  if (shown === undefined)
    throw new ApiProblem(404, 'not-found', 'There is no such difference in the range.');
  const { sides, formula, entries, rejected } = await compare[kind](sql, scope, shown);
  const basis = kind === 'uncharged' ? 'estimated' : 'charged';
  return {
    text: [
      `${countOf(entries.length, `${basis} entry`, `${basis} entries`)}. Reason of the difference: ${shown.reason}. ${leftOutWords(rejected)}`,
    ],
    value: figuresOf(Number(shown.expectedUsd), Number(shown.actualUsd)),
    recomputed: figuresOf(sides.expected, sides.actual),
    unit: 'USD',
    formula,
    taken: entries.map(presentEntry),
    rejected: rejected.map(presentEntry),
  };
}

const figuresOf = (expectedUsd: number, actualUsd: number) => ({
  expectedUsd,
  actualUsd,
  differenceUsd: Number((actualUsd - expectedUsd).toFixed(12)),
});

interface Compared {
  sides: { expected: number; actual: number };
  formula: string;
  entries: ExplainedEntry[];
  rejected: ExplainedEntry[];
}

const sumOf = (entries: readonly ExplainedEntry[], amount: 'partUsd' | 'amountUsd' = 'partUsd'): number =>
  entries.reduce((sum, entry) => sum + Number(entry[amount]), 0);

const charged = async (sql: Sql, scope: SpendScope) =>
  await explainSpend(sql, scope, { groups: [], category: null, basis: 'charged' });

const instanceIdOf = (subject: string): number => Number(subject.replace(/^instance-/, ''));

const ofInstance = async (
  sql: Sql,
  scope: SpendScope,
  { instanceId, basis }: { instanceId: number; basis: SpendBasis },
) =>
  await explainSpend(sql, scope, {
    groups: [{ by: 'instance', key: String(instanceId) }],
    category: null,
    basis,
  });

/** Recomputes each kind of line. */
const compare: Record<
  ReconciliationKind,
  (sql: Sql, scope: SpendScope, line: ReconciliationLine) => Promise<Compared>
> = {
  items: async (sql, scope, { subject, from, expectedUsd }) => {
    const { taken } = await charged(sql, scope);
    const entries = taken.filter(
      ({ source, start }) => source === subject && start.getTime() === from.getTime(),
    );
    const sides = { expected: Number(expectedUsd), actual: sumOf(entries, 'amountUsd') };
    return { sides, entries, rejected: [], formula: 'the whole charge; the sum of its items' };
  },
  invoices: async (sql, scope, { from, to }) => {
    const { taken, rejected } = await charged(sql, { ...scope, from, to });
    const used = taken.filter(({ category }) => category === 'consumption');
    const paid = taken.filter(({ category }) => category !== 'consumption');
    const sides = { expected: sumOf(used), actual: -sumOf(paid) };
    return { sides, entries: taken, rejected, formula: 'consumption of the month; what was paid in it' };
  },
  balances: async (sql, scope, { from, to }) => {
    const { taken, rejected } = await charged(sql, { ...scope, from, to, timeZone: 'UTC' });
    const balances = await listBalances(sql, scope.marketId, { until: scope.asOf, limit: null });
    const amountAt = (at: Date): number =>
      Number(balances.find((each) => each.at.getTime() === at.getTime())?.amountUsd);
    const sides = { expected: 0 - sumOf(taken), actual: amountAt(to) - amountAt(from) };
    const formula = 'minus all charged entries between the balances; the later balance minus the earlier';
    return { sides, entries: taken, rejected, formula };
  },
  ledger: async (sql, scope, { subject, from, to }) => {
    const instanceId = instanceIdOf(subject);
    const { taken, rejected } = await ofInstance(
      sql,
      { ...scope, from, to },
      { instanceId, basis: 'charged' },
    );
    const entries = taken.filter(({ service }) => service === 'gpu' || service === 'disk');
    const steps = await listRateSteps(sql, scope.marketId, instanceId);
    const expected = entries.reduce((sum, entry) => sum + listedCost(steps, entry, scope.asOf), 0);
    const sides = { expected, actual: sumOf(entries, 'amountUsd') };
    const formula = 'hours of each entry × the listed rate of its service; GPUs while they run';
    return { sides, entries, rejected, formula };
  },
  uncharged: async (sql, scope, { subject, from, to }) => {
    const own = { instanceId: instanceIdOf(subject), basis: 'estimated' } as const;
    const { taken, rejected } = await ofInstance(sql, { ...scope, from, to }, own);
    const sides = { expected: sumOf(taken, 'amountUsd'), actual: 0 };
    const formula = 'hours of each entry × the listed rate of its service; no charge covers them';
    return { sides, entries: taken, rejected, formula };
  },
};

/** Returns what an entry's time costs by the lists of instances. */
function listedCost(steps: readonly RateStep[], entry: ExplainedEntry, asOf: Date): number {
  const [start, until] = [entry.startMicros / 1_000, entry.untilMicros / 1_000];
  return steps.reduce((sum, step, place) => {
    const end = (steps[place + 1]?.fromAt ?? asOf).getTime();
    const ms = Math.min(end, until) - Math.max(step.fromAt.getTime(), start);
    const isDisk = entry.service === 'disk';
    const rate = step.gone ? 0 : isDisk ? step.storageUsdPerHour : step.computing ? step.baseUsdPerHour : 0;
    return ms > 0 ? sum + (ms / 3_600_000) * Number(rate ?? 0) : sum;
  }, 0);
}
