import type { Context } from 'hono';
import { chooseMarket, requireKnownModels } from '../../books/choose-market.ts';
import { findScope, newestBooks } from '../../books/newest-books.sql.ts';
import { countOf } from '../../core/count-of.ts';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { readFilter, readProfile, readTypes } from '../../core/http/query.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import { metrics } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { formulaOf } from '../../core/price-formulas.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { readPoints } from '../trends/read-points.sql.ts';
import type { TrendPoint } from '../trends/trend-point.ts';
import { findBookAt } from './book-rows.sql.ts';
import { explainBucket, readBucketPoint } from './explain-bucket.ts';
import type { AskedPrices } from './explain-params.ts';
import { explainBook } from './explain-prices.ts';
import { agree, type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import { type ExplanationAnswer, pageOf } from './explanation-schema.ts';

/** The one series of a figure. */
export interface ExplainedSeries {
  marketId: number;
  /** Whether its market is a recorded one, which is compared with prices of its newest book's time. */
  isRecorded: boolean;
  scopeId: number;
  type: PricingType;
  /** null: all models. */
  gpuName: string | null;
}

/** A series of one model. */
export type ExplainedModel = ExplainedSeries & { gpuName: string };

/** Returns the requested series. Throws a 400 for several, and a 404 for a market without books. */
export async function readExplainedSeries(deps: PricesDeps, asked: AskedPrices): Promise<ExplainedSeries> {
  const { gpuName: gpuNames = [] } = asked;
  const [type, otherType] = readTypes(asked.type);
  if (type === undefined || otherType !== undefined) throw badField('type', 'must be given exactly once');
  if (gpuNames.length > 1) throw badField('gpuName', 'can be given only once');
  const market = await chooseMarket(deps, asked.market);
  await requireKnownModels(deps, [market], gpuNames);
  const scopeId = await findScope(deps.sql, market.id);
  if (scopeId === null) throw new ApiProblem(404, 'not-found', 'The market has no book yet.');
  const isRecorded = market.kind === 'recorded';
  return { marketId: market.id, isRecorded, scopeId, type, gpuName: gpuNames[0] ?? null };
}

/** Explains a point of a book or bucket. Throws a 400 if there is no such point. */
export async function answerPoint(
  c: Context,
  deps: PricesDeps,
  asked: AskedPrices & { of: 'book' | 'bucket' },
): Promise<ExplanationAnswer> {
  const at = readMomentParam('at', asked.at, 'UTC');
  if (asked.of === 'bucket' && asked.bucket === undefined)
    throw badField('bucket', 'is missing: give 1h, 1d or 1w');
  const series = await readExplainedSeries(deps, asked);
  if (asked.of === 'book') return await answerBook(c, deps, asked, { ...series, at });
  if (at === null) throw badField('at', "is missing: give a trend point's `t`");
  return await answerBucket(c, deps, asked, { ...series, at });
}

const commonOf = (asked: AskedPrices) => ({
  metric: asked.metric,
  filter: readFilter(asked),
  profile: readProfile(asked),
});

const headOf = (asked: AskedPrices) => ({
  figure: asked.metric,
  unit: metrics[asked.metric].unit,
  formula: formulaOf(asked.metric, readProfile(asked)),
});

async function answerBook(
  c: Context,
  deps: PricesDeps,
  asked: AskedPrices,
  { scopeId, type, gpuName, at }: ExplainedSeries & { at: Date | null },
): Promise<ExplanationAnswer> {
  const book =
    at === null
      ? (await newestBooks(deps.sql, scopeId)).find((each) => each.type === type)
      : await findBookAt(deps.sql, { scopeId, type }, at);
  if (book == null) throw new ApiProblem(404, 'not-found', 'There is no book of this type at this moment.');
  const { observedAt } = book;
  const range = { from: observedAt, to: new Date(observedAt.getTime() + 1) };
  const [{ taken, rejected, recomputed }, [point]] = await Promise.all([
    explainBook(deps.sql, { bookId: book.id, gpuName, ...commonOf(asked) }),
    readPoints(deps.sql, { scopeId, type, gpuName, ...range }, { bucket: 'book', ...commonOf(asked) }),
  ]);
  const value = point === undefined ? {} : shownFigures(point);
  return {
    of: 'book',
    text: [
      `Median of ${countOf(taken.length, 'offer')} in the book of ${momentWords(observedAt)}. ${leftOutWords(rejected)}`,
      ...(point === undefined ? ['The book is not complete for this, so no other figure uses it.'] : []),
    ],
    value,
    agrees: agree(value, { ...recomputed, books: 1 }),
    from: observedAt.toISOString(),
    to: null,
    bookVerdict: book.verdict,
    ...headOf(asked),
    ...presentRows(pageOf(c, asked, { taken, rejected }, [book.id])),
    recomputed: { ...recomputed, books: 1 },
    books: [],
    moreBooks: 0,
  };
}

const maxListedBooks = 200;

async function answerBucket(
  c: Context,
  deps: PricesDeps,
  asked: AskedPrices,
  { scopeId, type, gpuName, at }: ExplainedSeries & { at: Date },
): Promise<ExplanationAnswer> {
  const bucket = asked.bucket as Exclude<typeof asked.bucket, 'book' | undefined>;
  const question = { scopeId, type, gpuName, at, bucket, ...commonOf(asked) };
  const [{ from, to, books, taken, rejected, recomputed }, point] = await Promise.all([
    explainBucket(deps.sql, question),
    readBucketPoint(deps.sql, question),
  ]);
  const value = point === null ? {} : shownFigures(point);
  const left = books.length - recomputed.books;
  return {
    of: 'bucket',
    text: [
      `Median of ${countOf(recomputed.observations, 'price')} in ${countOf(recomputed.books, 'complete book')} from ${momentWords(from)} to ${momentWords(to)}: each offer counts once for each book that held it. ${leftOutWords(rejected)}`,
      ...(left === 0 ? [] : [`${countOf(left, 'book')} left out: not complete.`]),
      'Offers, GPUs and machines are means over the books.',
    ],
    value,
    agrees: agree(value, recomputed),
    from: from.toISOString(),
    to: to.toISOString(),
    bookVerdict: null,
    ...headOf(asked),
    ...presentRows(pageOf(c, asked, { taken, rejected }, [])),
    recomputed,
    books: books.slice(-maxListedBooks).map(({ id, observedAt, point: own, ...book }) => ({
      ...book,
      id: String(id),
      observedAt: observedAt.toISOString(),
      point: own === null ? null : pointFigures(own),
    })),
    moreBooks: Math.max(0, books.length - maxListedBooks),
  };
}

/** Formats rows for responses. */
export function presentRows<Row extends { listingId: number }, Page extends { items: readonly Row[] }>(
  page: Page,
): Omit<Page, 'items'> & { items: (Omit<Page['items'][number], 'listingId'> & { listingId: string })[] } {
  return { ...page, items: page.items.map((row) => ({ ...row, listingId: String(row.listingId) })) };
}

const pointFigures = ({ t: _, books: __, ...figures }: TrendPoint) => figures;

const shownFigures = ({ t: _, ...figures }: TrendPoint): Figures => figures;
