import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { chooseMarket, requireKnownModels } from '../../books/choose-market.ts';
import { findScope } from '../../books/newest-books.sql.ts';
import { buckets } from '../../core/bucket.ts';
import { placeByNumber, readCursor, writeCursor } from '../../core/http/cursor.ts';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { readFilter, readProfile, readTypes } from '../../core/http/query.ts';
import { moment } from '../../core/http/route-parts.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import { defaultMetric, defaultRanking, metrics, rankingMetrics, trendMetrics } from '../../core/metric.ts';
import { formulaOf } from '../../core/price-formulas.ts';
import { bookHead, newestOffersParams, withNewestBooks } from '../newest/newest-offers-request.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { findBookAt } from './book-rows.sql.ts';
import { type ExplainedRow, explainBook, explainBucket, explainRanking } from './explain-prices.ts';

const figure = z.number().nullable();
const count = z.number();

const RowSchema = z
  .object({
    listingId: z.string(),
    machineId: z.int(),
    hostId: z.int().nullable(),
    gpuName: z.string(),
    numGpus: z.int(),
    baseUsdPerHour: z.number(),
    storageUsdPerGbMonth: figure,
    inetDownUsdPerGb: figure,
    inetUpUsdPerGb: figure,
    dlperf: figure,
    value: figure.openapi({ description: 'null: rejected' }),
    rejected: z.string().nullable().openapi({ description: '`no …`, `filter …` or `blocked`; null: taken' }),
  })
  .openapi('ExplainedRow');

const figures = {
  observations: count,
  offers: count,
  gpus: count,
  machines: count,
  min: figure,
  p10: figure,
  p25: figure,
  median: figure,
  p75: figure,
  p90: figure,
  max: figure,
};

export const ExplanationSchema = z
  .object({
    of: z.enum(['book', 'ranking', 'bucket']),
    from: moment.nullable().openapi({ description: 'The moment of the book, or the begin of the bucket' }),
    to: moment.nullable().openapi({ description: 'End of the bucket; null: it is a book' }),
    bookVerdict: z.enum(['complete', 'partial']).nullable(),
    figure: z.enum([...trendMetrics, ...rankingMetrics]),
    unit: z.string(),
    formula: z.string(),
    taken: z.int().openapi({ description: 'Rows taken' }),
    rejected: z.array(z.object({ reason: z.string(), rows: z.int() })),
    recomputed: z
      .object({ ...figures, books: z.int() })
      .openapi({ description: 'From the rows taken; of a bucket from the points of its books' }),
    books: z.array(
      z.object({
        id: z.string(),
        observedAt: moment,
        verdict: z.enum(['complete', 'partial']),
        reason: z.string().nullable(),
        covers: z.boolean().openapi({ description: 'Its offers count' }),
        point: z.object(figures).nullable(),
      }),
    ),
    items: z.array(RowSchema).openapi({ description: 'A page of the rows; none for a bucket' }),
    nextCursor: z.string().nullable(),
  })
  .openapi('Explanation');

/** The answer of `GET /api/explain`. */
export type ExplanationAnswer = z.infer<typeof ExplanationSchema>;

/** What figures of prices take. */
export const explainPriceParams = {
  at: z.string().optional().openapi({ description: "A trend point's `t`; not for rankings" }),
  bucket: z.enum(buckets.slice(1)).optional().openapi({ description: 'Of `bucket`' }),
  metric: z.enum(trendMetrics).default(defaultMetric).openapi({ description: 'Of books and buckets' }),
  by: z.enum(rankingMetrics).default(defaultRanking).openapi({ description: 'Of rankings' }),
  rows: z.enum(['taken', 'rejected']).default('taken').openapi({ description: 'Which rows to list' }),
  ...newestOffersParams,
};
type Asked = z.output<z.ZodObject<typeof explainPriceParams>> & { of: 'book' | 'ranking' | 'bucket' };

/** What a figure of prices is made of. Throws the 400 of what is no such figure. */
export async function answerPrices(c: Context, deps: PricesDeps, asked: Asked): Promise<ExplanationAnswer> {
  return asked.of === 'ranking' ? await answerRanking(c, deps, asked) : await answerHistory(c, deps, asked);
}

async function answerRanking(c: Context, deps: PricesDeps, asked: Asked): Promise<ExplanationAnswer> {
  if (asked.at !== undefined)
    throw badField('at', 'is of books and buckets: a ranking is of the newest book');
  const answer = await withNewestBooks(c, deps, asked, (request) => explainRanking(deps, request, asked.by));
  if (answer === null) throw new ApiProblem(404, 'not-found', 'The market has no book of this type yet.');
  const { request, result } = answer;
  const { observedAt, bookVerdict } = bookHead(request.books);
  return {
    of: 'ranking',
    ...{ from: observedAt, to: null, bookVerdict },
    ...{
      figure: result.by,
      unit: metrics[result.by].unit,
      formula: formulaOf(result.by, readProfile(asked)),
    },
    ...rowsOf(
      c,
      asked,
      result,
      request.books.map(({ id }) => id),
    ),
    recomputed: { ...result.recomputed, books: request.books.length },
    books: [],
  };
}

async function answerHistory(c: Context, deps: PricesDeps, asked: Asked): Promise<ExplanationAnswer> {
  const { metric, gpuName: gpuNames = [], at: text, bucket } = asked;
  const [type, otherType] = readTypes(asked.type);
  if (type === undefined || otherType !== undefined) throw badField('type', 'may be given only once here');
  if (gpuNames.length > 1) throw badField('gpuName', 'may be given only once here');
  const at = readMomentParam('at', text, 'UTC');
  if (at === null) throw badField('at', "is missing: a trend point's `t`");
  const gpuName = gpuNames[0] ?? null;
  const market = await chooseMarket(deps, asked.market);
  await requireKnownModels(deps, market.id, gpuNames);
  const scopeId = await findScope(deps.sql, market.id);
  if (scopeId === null) throw new ApiProblem(404, 'not-found', 'The market has no book yet.');
  const common = { gpuName, metric, filter: readFilter(asked), profile: readProfile(asked) };
  const head = { figure: metric, unit: metrics[metric].unit, formula: formulaOf(metric, common.profile) };
  if (asked.of === 'bucket') {
    if (bucket === undefined) throw badField('bucket', 'is missing: 1h, 1d or 1w');
    const { from, to, books, recomputed } = await explainBucket(deps.sql, {
      ...{ scopeId, type, at, bucket: bucket as Exclude<typeof bucket, 'book'>, ...common },
    });
    const percentiles = { p10: null, p25: null, median: null, p75: null, p90: null };
    return {
      of: 'bucket',
      ...{ from: from.toISOString(), to: to.toISOString(), bookVerdict: null, ...head },
      ...{ taken: 0, rejected: [], items: [], nextCursor: null },
      recomputed: { ...percentiles, ...recomputed },
      books: books.map(({ id, observedAt, point, ...book }) => ({
        ...{ ...book, id: String(id), observedAt: observedAt.toISOString() },
        point: point === null ? null : pick(point),
      })),
    };
  }
  const book = await findBookAt(deps.sql, { scopeId, type }, at);
  if (book === null) throw new ApiProblem(404, 'not-found', 'There is no book of this type and moment.');
  const explanation = await explainBook(deps.sql, { bookId: book.id, ...common });
  return {
    of: 'book',
    ...{ from: book.observedAt.toISOString(), to: null, bookVerdict: book.verdict, ...head },
    ...rowsOf(c, asked, explanation, [book.id]),
    recomputed: { ...explanation.recomputed, books: 1 },
    books: [],
  };
}

function rowsOf(
  c: Context,
  { rows, limit }: Asked,
  { taken, rejected }: { taken: readonly ExplainedRow[]; rejected: readonly ExplainedRow[] },
  books: readonly number[],
): Pick<ExplanationAnswer, 'taken' | 'rejected' | 'items' | 'nextCursor'> {
  const listed = rows === 'taken' ? taken : rejected;
  const skip = Number(readCursor(c, placeByNumber)?.after ?? 0);
  const reasons = Map.groupBy(rejected, (row) => row.rejected ?? '');
  const items = listed.slice(skip, skip + limit).map((row) => ({ ...row, listingId: String(row.listingId) }));
  return {
    taken: taken.length,
    rejected: [...reasons]
      .map(([reason, of]) => ({ reason, rows: of.length }))
      .sort((a, b) => b.rows - a.rows || (a.reason < b.reason ? -1 : 1)),
    items,
    nextCursor: listed.length > skip + limit ? writeCursor(c, { after: skip + limit, books }) : null,
  };
}

type Point = z.infer<z.ZodObject<typeof figures>>;

const pick = ({
  observations,
  offers,
  gpus,
  machines,
  min,
  p10,
  p25,
  median,
  p75,
  p90,
  max,
}: Point): Point => ({
  ...{ observations, offers, gpus, machines, min, p10, p25, median, p75, p90, max },
});
