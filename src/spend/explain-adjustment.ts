import { countOf } from '../core/count-of.ts';
import { ApiProblem } from '../core/http/problem.ts';
import type { Sql } from '../database/connection.ts';
import { leftOutWords, momentWords } from '../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../prices/explain/explanation-schema.ts';
import { closedMonths } from './closings.sql.ts';
import { Exact, sumUsd } from './exact-sums.ts';
import { explainSpend } from './explain-spend.ts';
import { readAdjustments } from './read-spend.ts';
import type { SpendScope } from './spend-grouping.ts';

/** Explains how a closed month has changed: each charged entry as it counted at the close and as it counts now. */
export async function explainAdjustment(
  sql: Sql,
  scope: SpendScope,
  month: string,
): Promise<ExplainedFigures> {
  const closed = (await closedMonths(sql, scope)).find((each) => each.month === month);
  if (closed === undefined)
    throw new ApiProblem(404, 'not-found', 'There is no such closed month in the range.');
  const { from, to, closedAt } = closed;
  const countedAt = async (asOf: Date) => {
    const { taken } = await explainSpend(
      sql,
      { ...scope, from, to, asOf },
      { groups: [], category: null, basis: 'charged' as const },
    );
    return new Map(taken.map((entry) => [entry.entryId, entry]));
  };
  const [then, now, adjustments] = await Promise.all([
    countedAt(closedAt),
    countedAt(scope.asOf),
    readAdjustments(sql, { ...scope, from, to }),
  ]);
  const rows = [...new Set([...then.keys(), ...now.keys()])].map((entryId) => {
    const { source = null, service = null, category = null } = now.get(entryId) ?? then.get(entryId) ?? {};
    const [closedUsd, amountUsd] = [then, now].map((counted) => counted.get(entryId)?.partUsd ?? '0');
    const adjustmentUsd = new Exact(amountUsd ?? 0).minus(closedUsd ?? 0).toString();
    return {
      entryId,
      category,
      source,
      service,
      closedUsd: closedUsd ?? null,
      amountUsd: amountUsd ?? null,
      adjustmentUsd,
      rejected: adjustmentUsd === '0' ? 'counts as at the close' : null,
    };
  });
  const taken = rows.filter(({ rejected }) => rejected === null);
  const rejected = rows.filter((row) => row.rejected !== null);
  return {
    text: [
      `${month} was closed on ${momentWords(closedAt)}. ${countOf(taken.length, 'entry', 'entries')} have changed since. ${leftOutWords(rejected)}`,
    ],
    value: { adjustmentUsd: sumUsd(adjustments.map((each) => each.adjustmentUsd)) },
    recomputed: { adjustmentUsd: sumUsd(taken.map((each) => each.adjustmentUsd)) },
    unit: 'USD',
    formula: 'amountUsd now − closedUsd, of each charged entry',
    taken,
    rejected,
  };
}
