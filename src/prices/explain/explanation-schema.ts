import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { placeByNumber, readCursor, writeCursor } from '../../core/http/cursor.ts';
import { moment } from '../../core/http/route-parts.ts';
import { rankingMetrics, trendMetrics } from '../../core/metric.ts';
import { verificationTiers } from '../../core/offer-fields.ts';
import { agree, countReasons, explainedParts, type Figures, figuresSchema } from './explained-figures.ts';

const figure = z.number().nullable();
const count = z.number();

const RowSchema = z
  .object({
    listingId: z.string(),
    machineId: z.int(),
    hostId: z.int().nullable(),
    gpuName: z.string(),
    verification: z.enum(verificationTiers).nullable(),
    reliability: figure.openapi({ description: 'A share of 1' }),
    numGpus: z.int(),
    baseUsdPerHour: z.number(),
    storageUsdPerGbMonth: figure,
    inetDownUsdPerGb: figure,
    inetUpUsdPerGb: figure,
    dlperf: figure,
    value: figure.openapi({ description: 'null: rejected' }),
    rejected: z.string().nullable().openapi({ description: '`no …`, `filter …` or `blocked`; null: taken' }),
    books: z.int().openapi({ description: 'Number of books that held it like this; 1 for a single book' }),
    market: z.string().optional().openapi({ description: 'Only in rankings of several markets' }),
    endsAt: moment
      .nullable()
      .optional()
      .openapi({ description: 'When the host ends the offer; null: not stated. Only in rankings' }),
  })
  .openapi('ExplainedRow');

const pointFigures = {
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
  physicalGpus: count
    .optional()
    .openapi({ description: 'Each GPU counted once; only for books and buckets' }),
  physicalGpusIsLowerBound: z.boolean().optional(),
};

const rankFigures = {
  rank: z.int().optional(),
  value: figure.optional(),
  usdPerHour: figure.optional(),
  usdPerGpuHour: figure.optional(),
  allInUsdPerHour: figure.optional(),
};

const rowCounts = {
  taken: z.int().openapi({ description: 'Rows taken' }),
  rejected: z.array(z.object({ reason: z.string(), rows: z.int() })),
};

export const ExplanationSchema = z
  .object({
    of: z.enum(['book', 'ranking', 'bucket']),
    ...explainedParts,
    from: moment.nullable().openapi({ description: 'The moment of the book, or the start of the bucket' }),
    to: moment.nullable().openapi({ description: 'End of the bucket; null: it is a book' }),
    bookVerdict: z.enum(['complete', 'partial']).nullable(),
    figure: z.enum([...trendMetrics, ...rankingMetrics]),
    unit: z.string(),
    formula: z.string(),
    ...rowCounts,
    recomputed: z
      .object({ ...pointFigures, books: z.int(), ...rankFigures })
      .openapi({ description: 'From the rows taken; the supply of a bucket from the points of its books' }),
    books: z
      .array(
        z.object({
          id: z.string(),
          observedAt: moment,
          verdict: z.enum(['complete', 'partial']),
          reason: z.string().nullable(),
          covers: z.boolean().openapi({ description: 'Its offers count' }),
          point: z.object(pointFigures).nullable(),
        }),
      )
      .openapi({ description: 'The last 200 books of a bucket' }),
    moreBooks: z.int().openapi({ description: 'Earlier books of the bucket that are not listed' }),
    items: z.array(RowSchema).openapi({ description: 'A page of the rows' }),
    nextCursor: z.string().nullable(),
  })
  .openapi('Explanation');

/** The answer of `GET /api/explain` for points and rankings. */
export type ExplanationAnswer = z.infer<typeof ExplanationSchema>;

/** Figures of prices explained by their own kind of rows. */
const priceFigureKinds = [
  'verdict',
  'index',
  'change',
  'forecast',
  'wait',
  'listing',
  'lowest',
  'timing',
  'bid-spread',
  'list-price',
  'week',
  'volatility',
  'range',
  'supply',
] as const;
export type PriceFigureKind = (typeof priceFigureKinds)[number];

/** Figures of the account explained by their own kind of rows. */
export const accountFigureKinds = [
  'vs-market',
  'balance',
  'budget',
  'projection',
  'instance',
  'adjustment',
  'difference',
] as const;
export type AccountFigureKind = (typeof accountFigureKinds)[number];

export const figureKinds = [...priceFigureKinds, ...accountFigureKinds] as const;

export const FigureExplanationSchema = z
  .object({
    of: z.enum(figureKinds),
    ...explainedParts,
    unit: z.string().nullable(),
    formula: z.string(),
    ...rowCounts,
    recomputed: figuresSchema,
    items: z.array(figuresSchema).openapi({ description: 'A page of the rows' }),
    nextCursor: z.string().nullable(),
  })
  .openapi('FigureExplanation');

/** The answer of `GET /api/explain` for `figureKinds`. */
export type FigureExplanationAnswer = z.infer<typeof FigureExplanationSchema>;

/** Input of such a response; rows left out have their reason in `rejected`. */
export interface ExplainedFigures {
  text: string[];
  value: Figures;
  recomputed: Figures;
  unit: string | null;
  formula: string;
  taken: readonly Figures[];
  rejected: readonly Figures[];
}

interface Page {
  rows: 'taken' | 'rejected';
  limit: number;
}

/** Returns a page of the rows taken, or of the others, with the counts of both; `books`: the books of its cursor. */
export function pageOf<Row, Left extends { rejected: string | null | Figures[string] }>(
  c: Context,
  { rows, limit }: Page,
  { taken, rejected }: { taken: readonly Row[]; rejected: readonly Left[] },
  books: readonly number[],
): Pick<ExplanationAnswer, 'taken' | 'rejected' | 'nextCursor'> & { items: (Row | Left)[] } {
  const listed: readonly (Row | Left)[] = rows === 'taken' ? taken : rejected;
  const skip = Number(readCursor(c, placeByNumber)?.after ?? 0);
  return {
    taken: taken.length,
    rejected: countReasons(rejected),
    items: listed.slice(skip, skip + limit),
    nextCursor: listed.length > skip + limit ? writeCursor(c, { after: skip + limit, books }) : null,
  };
}

/** Formats an explanation for responses. */
export function presentFigures(
  c: Context,
  asked: Page,
  of: FigureExplanationAnswer['of'],
  { text, value, recomputed, unit, formula, taken, rejected }: ExplainedFigures,
): FigureExplanationAnswer {
  const page = pageOf(c, asked, { taken, rejected: rejected.map((row) => ({ rejected: null, ...row })) }, []);
  return { of, text, value, recomputed, agrees: agree(value, recomputed), unit, formula, ...page };
}
