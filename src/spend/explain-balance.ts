import { countOf } from '../core/count-of.ts';
import { ApiProblem } from '../core/http/problem.ts';
import type { Sql } from '../database/connection.ts';
import { leftOutWords, momentWords } from '../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../prices/explain/explanation-schema.ts';
import { Exact } from './exact-sums.ts';
import { explainSpend, presentEntry } from './explain-spend.ts';
import { readBalance } from './read-spend.ts';
import type { SpendScope } from './spend-grouping.ts';

/** Explains the account's balance: the last recorded one minus every charged entry since. Throws a 404 if unknown. */
export async function explainBalance(
  sql: Sql,
  { marketId, asOf }: Pick<SpendScope, 'marketId' | 'asOf'>,
): Promise<ExplainedFigures> {
  const { at, amountUsd, statement, reason } = await readBalance(sql, marketId, asOf);
  if (at === null || statement === null)
    throw new ApiProblem(404, 'not-found', reason ?? 'The balance is unknown.');
  const scope = { marketId, from: statement.at, to: at, timeZone: 'UTC', asOf };
  const { taken, rejected, recomputed } = await explainSpend(sql, scope, {
    groups: [],
    category: null,
    basis: 'charged' as const,
  });
  return {
    text: [
      `${statement.amountUsd} $ were recorded on ${momentWords(statement.at)}. Since then ${countOf(taken.length, 'entry', 'entries')} up to ${momentWords(at)}, to which both invoices and charges are known: consumption is subtracted, payments are added. ${leftOutWords(rejected)}`,
    ],
    value: { amountUsd, recordedUsd: statement.amountUsd },
    recomputed: {
      amountUsd: new Exact(statement.amountUsd).minus(recomputed.amountUsd).toString(),
      recordedUsd: statement.amountUsd,
      changeUsd: recomputed.amountUsd,
    },
    unit: 'USD',
    formula: 'recordedUsd − partUsd of each entry',
    taken: taken.map(presentEntry),
    rejected: rejected.map(presentEntry),
  };
}
