import { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiApp, ApiEnv } from '../../core/http/api-app.ts';
import { ApiProblem, type ProblemAnswer } from '../../core/http/problem.ts';
import { rejectInvalid } from '../../core/http/validation.ts';
import { type FieldName, fieldEntries, offerFields } from '../../core/offer-fields.ts';
import { cellOf, type ExportCell } from '../../exports/export-cell.ts';
import type { ColumnType, ExportColumn } from '../../exports/export-column.ts';
import { type ExportTable, programTable } from '../../exports/table.ts';
import { mountPriceIndex } from '../../prices/index/price-index.routes.ts';
import { mountOffers } from '../../prices/newest/offers.routes.ts';
import { rankingColumnNames } from '../../prices/rankings/ranking-columns.ts';
import { mountRankings } from '../../prices/rankings/rankings.routes.ts';
import { mountTrends } from '../../prices/trends/trends.routes.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { createErrorHandler } from '../http/error-handler.ts';
import type { Screen } from './export-names.ts';
import { screenNotes } from './screen-notes.ts';

/** Screens with a single response, such as points of series. */
const seriesScreens = ['trends', 'index'] as const;
type SeriesScreen = (typeof seriesScreens)[number];
const isSeries = (screen: Screen): screen is SeriesScreen =>
  (seriesScreens as readonly Screen[]).includes(screen);
type Item = Record<string, unknown>;
type Cells = ExportCell[][];

/** A screen's table, and where it comes from. */
export interface ScreenTable {
  table: ExportTable;
  /** The book of a list; null: there is none. */
  book: { observedAt: string; verdict: string } | null;
  /** The range of series. */
  range: { from: string; to: string } | null;
}

export interface ScreenTables {
  /** Returns everything that a screen shows for these parameters, all pages. Throws the screen's problem. */
  open: (screen: Screen, query: Record<string, string[]>) => Promise<ScreenTable>;
}

/** If a newer book lands between two pages, the list starts again, at most this often. */
const maxAttempts = 5;

/**
 * Creates tables from `/api/trends`, `/api/index`, `/api/rankings` and `/api/offers`, called in-process. With several
 * markets, each row starts with its own.
 */
export function createScreenTables(deps: ApiDeps): ScreenTables {
  const app: ApiApp = new OpenAPIHono<ApiEnv>({ defaultHook: rejectInvalid(() => app) });
  app.onError(createErrorHandler(deps.log));
  mountTrends(app, deps);
  mountPriceIndex(app, deps);
  mountRankings(app, deps);
  mountOffers(app, deps);
  const ask = async (screen: Screen, query: Record<string, string[]>): Promise<Item> => {
    const params = new URLSearchParams(
      Object.entries(query).flatMap(([name, values]) => values.map((value) => [name, value])),
    );
    const answer = await app.request(`/api/${screen}?${params}`);
    if (answer.ok) return (await answer.json()) as Item;
    const { type, status, detail, errors } = (await answer.json()) as ProblemAnswer;
    throw new ApiProblem(status as 400, type.split('#').at(-1) ?? 'internal-error', detail, { errors });
  };
  return {
    open: async (screen, query) => {
      for (const name of ['limit', 'cursor'].filter((each) => query[each] !== undefined)) {
        throw new ApiProblem(
          400,
          'invalid-request',
          `\`${name}\` is not a parameter of exports, which are always complete.`,
          {
            errors: [{ name, detail: 'is not a parameter of exports' }],
          },
        );
      }
      const isPlural = new Set(query.market).size > 1;
      const columns = [...(isPlural ? of('text', 'market') : []), ...screenColumns[screen]].map(withNote);
      const title = `${screen[0]?.toUpperCase()}${screen.slice(1)}`;
      const tableOf = (groups: Cells[]): ExportTable => programTable(title, columns, inGroups(groups));
      if (isSeries(screen)) {
        const answer = await ask(screen, query);
        const points = pointsOf(answer);
        return { table: tableOf([cellsOf(points, columns)]), book: null, range: rangeOf(answer, points) };
      }
      const { pages, book } = await walk(ask, screen, query, columns);
      return { table: tableOf(pages), book, range: null };
    },
  };
}

/**
 * Reads all pages of a list from one book. If a newer book lands meanwhile it starts again, which is impossible once a
 * byte was sent. Only the cells are kept, page by page.
 */
async function walk(
  ask: (screen: Screen, query: Record<string, string[]>) => Promise<Item>,
  screen: Exclude<Screen, SeriesScreen>,
  query: Record<string, string[]>,
  columns: readonly ExportColumn[],
): Promise<{ pages: Cells[]; book: ScreenTable['book'] }> {
  for (let attempt = 1; ; attempt += 1) {
    const pages: Cells[] = [];
    let book: ScreenTable['book'] = null;
    try {
      let cursor: string[] | null = [];
      while (cursor !== null) {
        const page: Item = await ask(screen, { ...query, limit: ['1000'], ...(cursor[0] ? { cursor } : {}) });
        const { observedAt, bookVerdict } = page;
        if (typeof observedAt === 'string') book = { observedAt, verdict: String(bookVerdict) };
        const items = (page.items as Item[]).map((item) => ({
          ...flatVerdict(item),
          observedAt,
          bookVerdict,
        }));
        pages.push(cellsOf(items, columns));
        cursor = page.nextCursor === null ? null : [String(page.nextCursor)];
      }
      return { pages, book };
    } catch (error) {
      const isOvertaken = error instanceof ApiProblem && error.kind === 'book-changed';
      if (!isOvertaken || attempt === maxAttempts) throw error;
    }
  }
}

/** The percentiles of the verdict next to its offer. */
function flatVerdict(item: Item): Item {
  const verdict = item.verdict as {
    segment?: string;
    lowestInDays?: number | null;
    windows?: { days: number; percentile: number | null; status: string }[];
  } | null;
  const windows = (verdict?.windows ?? []).map(({ days, percentile }) => [`percentile${days}d`, percentile]);
  return {
    ...item,
    segment: verdict?.segment,
    lowestInDays: verdict?.lowestInDays,
    ...Object.fromEntries(windows),
  };
}

const pointsOf = ({ metric, unit, bucket, series }: Item): Item[] =>
  (series as { key: string; market: string; points: Item[] }[]).flatMap(({ key, market, points }) =>
    points.map((point) => ({ market, key, metric, unit, bucket, ...point })),
  );

/** The range that the answer states, else that of its points; null: it has none. */
function rangeOf({ from, to }: Item, points: readonly Item[]): ScreenTable['range'] {
  if (typeof from === 'string' && typeof to === 'string') return { from, to };
  const times = points.map(({ t }) => Date.parse(String(t))).sort((a, b) => a - b);
  const [first, last] = [times.at(0), times.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { from: new Date(first).toISOString(), to: new Date(last + 1).toISOString() };
}

const cellsOf = (items: readonly Item[], columns: readonly ExportColumn[]): Cells =>
  items.map((item) => columns.map(({ name }) => cellOf(item[name])));

async function* inGroups(groups: Cells[]): AsyncGenerator<Cells> {
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) yield group;
}

/** `{"level":"type","type":"bid","gpuName":"RTX 4090"}` is `bid, RTX 4090`, and a list its items. */
function wordsOf(cell: string): string {
  const { level: _, ...values } = JSON.parse(cell) as { level?: string };
  return Object.values(values).join(', ');
}

/** Returns a column with what it means. */
export const withNote = (column: ExportColumn): ExportColumn => {
  const note = screenNotes[column.name];
  return note === undefined ? column : { ...column, note };
};

const of = (type: ColumnType, names: string): ExportColumn[] =>
  names.split(' ').map((name) => ({ name, type }));
const offer = [...of('integer', 'offerId'), ...of('text', 'listingId'), ...of('integer', 'machineId hostId')];
const model = [...of('text', 'gpuName'), ...of('integer', 'numGpus'), ...of('text', 'type')];
const book = [...of('boolean', 'isOutlier'), ...of('moment', 'observedAt'), ...of('text', 'bookVerdict')];

/** Columns that come before the prices. */
const headFields: readonly FieldName[] = ['machineId', 'hostId', 'numGpus'];

function columnOf([name, { type }]: (typeof fieldEntries)[number]): ExportColumn {
  if (type === 'boolean') return { name, type };
  if (type === 'bigint[]') return { name, type: 'text', sheetText: wordsOf };
  return { name, type: type === 'text' || type === 'name' ? 'text' : 'number' };
}

/** The columns of each screen's export. */
export const screenColumns: Record<Screen, ExportColumn[]> = {
  trends: [
    ...of('text', 'key metric unit bucket'),
    ...of('moment', 't'),
    ...of('integer', 'books observations'),
    ...of('number', 'offers gpus machines physicalGpus'),
    ...of('boolean', 'physicalGpusIsLowerBound'),
    ...of('number', 'min p10 p25 median p75 p90 max'),
  ],
  index: [
    ...of('text', 'key'),
    ...of('moment', 't'),
    ...of('number', 'index movementPercent stderrPercent'),
    ...of('integer', 'listings observations'),
    ...of('boolean', 'restarted open'),
    ...of('number', 'rebased rebasedLow rebasedHigh'),
  ],
  rankings: [
    ...of('integer', 'rank'),
    ...offer,
    ...model,
    ...of('number', 'value'),
    ...of('text', 'unit'),
    ...of('number', 'usdPerHour usdPerGpuHour allInUsdPerHour'),
    ...rankingColumnNames.map((name) => columnOf([name, offerFields[name]])),
    { name: 'segment', type: 'text', sheetText: wordsOf },
    ...of('integer', 'lowestInDays'),
    ...of('number', 'percentile7d percentile30d percentile90d'),
    ...book,
  ],
  offers: [
    ...offer,
    ...model,
    ...of('number', 'usdPerHour usdPerGpuHour allInUsdPerHour'),
    ...fieldEntries.filter(([name]) => !headFields.includes(name)).map(columnOf),
    ...book,
  ],
};
