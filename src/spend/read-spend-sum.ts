import type { Sql } from '../database/connection.ts';
import { readAtOnce } from '../rentals/spend-moment.sql.ts';
import { sumUsd } from './exact-sums.ts';
import type { SpendSumKey } from './explain-spend.ts';
import type { SpendScope } from './spend-grouping.ts';
import { sumSpend, totalSpend } from './sums.sql.ts';

/** Returns one sum of spend, of a group or of all entries; 0 if it has no entries. */
export async function readSpendSum(
  sql: Sql,
  scope: SpendScope,
  { groups, category, basis }: SpendSumKey,
): Promise<{ entries: number; amountUsd: string }> {
  const [group, stack] = groups;
  const sums = await readAtOnce(sql, async (tx) =>
    group === undefined
      ? await totalSpend(tx, scope)
      : (await sumSpend(tx, scope, group.by, stack?.by ?? null)).filter(
          ({ key, subkey }) => key === group.key && (stack === undefined || subkey === stack.key),
        ),
  );
  const own = sums.filter(
    (sum) => (category === null || sum.category === category) && (basis === null || sum.basis === basis),
  );
  return {
    entries: own.reduce((sum, { entries }) => sum + entries, 0),
    amountUsd: sumUsd(own.map(({ amountUsd }) => amountUsd)),
  };
}
