import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { countOf } from '../core/count-of.ts';
import { placeByNumber, readCursor, writeCursor } from '../core/http/cursor.ts';
import { badField } from '../core/http/problem.ts';
import { numberParam } from '../core/http/query.ts';
import { moment } from '../core/http/route-parts.ts';
import {
  agree,
  countReasons,
  explainedParts,
  leftOutWords,
  momentWords,
} from '../prices/explain/explained-figures.ts';
import {
  type AccountFigureKind,
  type ExplainedFigures,
  type FigureExplanationAnswer,
  presentFigures,
} from '../prices/explain/explanation-schema.ts';
import { explainBudget, explainProjection } from './budgets/explain-budget.ts';
import { explainAdjustment } from './explain-adjustment.ts';
import { explainBalance } from './explain-balance.ts';
import { explainInstance, explainInstances } from './explain-instance.ts';
import { explainSpend, presentEntry } from './explain-spend.ts';
import { explainComparison } from './market/explain-comparison.ts';
import { explainMarketSum } from './market/explain-market-sum.ts';
import { readSpendSum } from './read-spend-sum.ts';
import { explainDifference } from './reconciliation/explain-difference.ts';
import { reconciliationKinds } from './reconciliation/reconcile-spend.ts';
import { presentRange } from './spend.routes.ts';
import type { SpendDeps } from './spend-deps.ts';
import {
  type SpendGrouping,
  type SpendScope,
  spendBases,
  spendCategories,
  spendGroupings,
} from './spend-grouping.ts';
import { readSpendScope, spendParams } from './spend-request.ts';

const usd = z.string().openapi({ description: 'US dollars, exact decimal' });
const text = z.string().nullable();

const EntrySchema = z
  .object({
    entryId: z.string(),
    kind: z.enum(['payment', 'consumption', 'estimate']),
    category: z.enum(spendCategories),
    basis: z.enum(spendBases),
    start: moment,
    end: moment.nullable(),
    type: text,
    source: text,
    service: text,
    description: text,
    gpuName: text,
    label: text,
    instanceId: z.int().nullable(),
    amountUsd: usd.openapi({ description: 'The whole entry' }),
    partUsd: usd.nullable().openapi({ description: 'The part of it in the sum; null: rejected' }),
    rejected: text.openapi({
      description: '`disappeared`, `other …` or `outside of the range`; null: taken',
    }),
  })
  .openapi('ExplainedEntry');

export const SpendExplanationSchema = z
  .object({
    of: z.literal('spend'),
    ...explainedParts,
    market: z.string(),
    from: moment,
    to: moment,
    timeZone: z.string(),
    asOf: moment,
    groups: z.array(z.object({ by: z.enum(spendGroupings), key: text })),
    category: z.enum(spendCategories).nullable(),
    basis: z.enum(spendBases).nullable(),
    formula: z.string(),
    taken: z.int().openapi({ description: 'Entries taken' }),
    rejected: z.array(z.object({ reason: z.string(), rows: z.int() })),
    recomputed: z.object({ entries: z.int(), amountUsd: usd }),
    items: z.array(EntrySchema).openapi({ description: 'A page of the entries' }),
    nextCursor: z.string().nullable(),
  })
  .openapi('SpendExplanation');

/** The answer of `GET /api/explain?of=spend`. */
export type SpendExplanationAnswer = z.infer<typeof SpendExplanationSchema>;

const group = (name: string) =>
  z
    .string()
    .max(1000)
    .optional()
    .openapi({ description: `Of spend: the value of \`${name}\`; empty: entries without one` });

const { market: _, ...range } = spendParams;
/** Parameters for sums of spend only. */
export const explainSpendParams = {
  ...range,
  groupBy: z.enum(spendGroupings).optional().openapi({ description: 'Of spend: with `key`' }),
  key: group('groupBy'),
  stackBy: z.enum(spendGroupings).optional().openapi({ description: 'Of spend: with `subkey`' }),
  subkey: group('stackBy'),
  category: z.enum(spendCategories).optional().openapi({ description: 'Of spend; default: all' }),
  basis: z.enum(spendBases).optional().openapi({ description: 'Of spend; default: both' }),
  source: z
    .string()
    .max(1000)
    .optional()
    .openapi({ description: "Of `vs-market`: the instance's `source`; default: all, at the cheapest cloud" }),
  budgetId: z.string().max(100).optional().openapi({ description: 'Of `budget`' }),
  instanceId: numberParam('Of `instance`; default: all of them', { min: 1, whole: true }),
  kind: z.enum(reconciliationKinds).optional().openapi({ description: 'Of `difference`' }),
  subject: z.string().max(1000).optional().openapi({ description: 'Of `difference`' }),
  month: z
    .string()
    .regex(/^\d{4}-\d\d$/, 'must be a month like 2026-03')
    .optional()
    .openapi({ description: 'Of `adjustment`: a closed month of the range' }),
};

type Asked = z.output<z.ZodObject<typeof explainSpendParams>> & {
  market?: string | undefined;
  rows: 'taken' | 'rejected';
  limit: number;
};

const formula =
  'An entry’s amount is divided over its days, of the time zone, by time: amountUsd × seconds of the day / seconds of the entry, to 12 decimals; its last day takes what is left. An entry without a duration counts whole when it began';

/** Returns the entries that make up a sum of spend. Throws a 400 for anything else. */
export async function answerSpend(
  c: Context,
  deps: SpendDeps,
  asked: Asked,
): Promise<SpendExplanationAnswer> {
  const place = readCursor(c, placeByNumber);
  // Open entries grow, so all pages are as of the first page's moment.
  const [firstAsked] = place?.books ?? [];
  const asOf = asked.asOf ?? (firstAsked === undefined ? undefined : new Date(firstAsked).toISOString());
  const { market, ...scope } = await readSpendScope(deps, { ...asked, asOf });
  const groups = [groupOf('groupBy', asked.groupBy, 'key', asked.key)]
    .concat(groupOf('stackBy', asked.stackBy, 'subkey', asked.subkey))
    .flat();
  const { category = null, basis = null } = asked;
  const [explanation, value] = await Promise.all([
    explainSpend(deps.sql, scope, { groups, category, basis }),
    readSpendSum(deps.sql, scope, { groups, category, basis }),
  ]);
  const { taken, rejected, recomputed } = explanation;
  const listed = asked.rows === 'taken' ? taken : rejected;
  const skip = Number(place?.after ?? 0);
  const next = skip + asked.limit;
  const spread = taken.filter(({ amountUsd, partUsd }) => amountUsd !== partUsd).length;
  return {
    of: 'spend',
    text: [
      `${countOf(taken.length, 'entry', 'entries')} from ${momentWords(scope.from)} to ${momentWords(scope.to)}, added up one by one${spread === 0 ? '' : `; ${spread} of them only in part, because they also cover other time`}. ${leftOutWords(rejected)}`,
    ],
    value,
    agrees: agree({ ...value }, recomputed),
    ...presentRange(market, scope),
    groups,
    category,
    basis,
    formula,
    taken: taken.length,
    rejected: countReasons(rejected),
    recomputed,
    items: listed.slice(skip, next).map(presentEntry),
    nextCursor: listed.length > next ? writeCursor(c, { after: next, books: [scope.asOf.getTime()] }) : null,
  };
}

/** Explains a figure of the account other than a sum of a range. Throws a 400 if it is not fully specified. */
export async function answerAccountFigure(
  c: Context,
  deps: SpendDeps,
  asked: Asked & { of: AccountFigureKind },
): Promise<FigureExplanationAnswer> {
  const { market: _name, ...scope } = await readSpendScope(deps, asked);
  return presentFigures(c, asked, asked.of, await explainers[asked.of](deps.sql, scope, asked));
}

type Explainer = (sql: SpendDeps['sql'], scope: SpendScope, asked: Asked) => Promise<ExplainedFigures>;

/** The explainer of each kind of figure. */
const explainers: Record<AccountFigureKind, Explainer> = {
  balance: explainBalance,
  budget: async (sql, scope, { budgetId }) =>
    await explainBudget(sql, scope, given('budgetId', budgetId, "a budget's `id`")),
  projection: explainProjection,
  instance: async (sql, scope, { instanceId }) =>
    instanceId === undefined
      ? await explainInstances(sql, scope)
      : await explainInstance(sql, scope, instanceId),
  adjustment: async (sql, scope, { month }) =>
    await explainAdjustment(sql, scope, given('month', month, 'a closed month')),
  difference: async (sql, scope, { kind, subject }) =>
    await explainDifference(sql, scope, {
      kind: given('kind', kind, "a difference's"),
      subject: given('subject', subject, "a difference's"),
    }),
  'vs-market': async (sql, scope, { source }) =>
    source === undefined ? await explainMarketSum(sql, scope) : await explainComparison(sql, scope, source),
};

function given<Value>(name: string, value: Value | undefined, what: string): Value {
  if (value === undefined) throw badField(name, `is missing: ${what}`);
  return value;
}

/** Returns a grouping with its value, or none if neither is given. */
function groupOf(
  byName: string,
  by: SpendGrouping | undefined,
  keyName: string,
  key: string | undefined,
): { by: SpendGrouping; key: string | null }[] {
  if (by === undefined && key === undefined) return [];
  if (by === undefined) throw badField(byName, `is missing: give the grouping of \`${keyName}\``);
  if (key === undefined) throw badField(keyName, `is missing: give a value of \`${byName}\``);
  return [{ by, key: key === '' ? null : key }];
}
