import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { chooseMarkets } from '../../books/choose-market.ts';
import { keysOf } from '../../core/http/schema-keys.ts';
import { reject } from '../../core/http/validation.ts';
import { cellOf } from '../../exports/export-cell.ts';
import { columnsOf } from '../../exports/export-column.ts';
import { type ExportTable, oneGroup, programTable, type SideTable } from '../../exports/table.ts';
import { closedMonths } from '../../spend/closings.sql.ts';
import { listGroupInstances } from '../../spend/group-instances.sql.ts';
import { readAdjustments } from '../../spend/read-spend.ts';
import { type SpendGrouping, type SpendScope, spendGroupings } from '../../spend/spend-grouping.ts';
import { readSpendScope, spendParams, spendZone } from '../../spend/spend-request.ts';
import { totalSpend } from '../../spend/sums.sql.ts';
import { adjustmentNotes, instanceNotes } from '../../spend/tables/column-notes.ts';
import { comparedInstances } from '../../spend/tables/compared-instances.ts';
import { focusTable } from '../../spend/tables/focus.tables.ts';
import { rentalTable, spendEntries, spendSummary } from '../../spend/tables/spend.tables.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { choiceFacts, daysOf, describeScreen, exportFileName, rangeFacts } from './describe-export.ts';
import { type ExportName, type Screen, screenNames } from './export-names.ts';
import { queryTable } from './query-table.sql.ts';
import type { ScreenTables } from './screen-tables.ts';

/** The requested table, and what its response states. */
export interface OpenedExport {
  /** Name of the file, without its ending. */
  fileName: string;
  table: ExportTable;
  timeZone: string;
  locale: string | null;
  /** null: the export has no moment that can be requested again. */
  asOf: Date | null;
}

/** Whether the name is a language that numbers can be formatted in. */
function isLocale(name: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf([name]).length === 1;
  } catch {
    return false;
  }
}

const localeParam = {
  locale: z.string().max(40).refine(isLocale, 'must be a language like de or pt-BR').optional().openapi({
    description:
      'CSV for spreadsheets in that language: decimal comma and semicolon, local times, byte order mark',
  }),
};
const zoneParam = {
  timeZone: spendZone
    .default('UTC')
    .openapi({ description: 'Time zone of the times in the file', default: 'UTC' }),
};
const { asOf: _, ...rangeOnly } = spendParams;

const groupParams = {
  groupBy: z.enum(spendGroupings).default('month'),
  stackBy: z.enum(spendGroupings).optional(),
};

/** The parameters that only some exports have, for the API description. */
export const exportQueries = {
  spend: z.strictObject({ ...spendParams, ...localeParam }),
  'spend-summary': z.strictObject({ ...spendParams, ...groupParams, ...localeParam }),
  'spend-adjustments': z.strictObject({ ...spendParams, ...localeParam }),
  'spend-vs-market': z.strictObject({ ...spendParams, ...localeParam }),
  focus: z.strictObject({ ...spendParams, ...localeParam }),
  rentals: z.strictObject({ ...rangeOnly, ...localeParam }),
} satisfies Record<Exclude<ExportName, Screen>, z.ZodObject>;

type SpendAsked = z.output<(typeof exportQueries)['spend']> & {
  groupBy?: (typeof spendGroupings)[number];
  stackBy?: (typeof spendGroupings)[number];
};
type Scope = SpendScope & { market: string };

const isScreen = (name: ExportName): name is Screen => (screenNames as readonly string[]).includes(name);

/** Returns the table of a name with checked parameters. Throws a 400 that names what is wrong. */
export async function openExportTable(
  c: Context,
  deps: ApiDeps,
  screens: ScreenTables,
  name: ExportName,
  given: Record<string, string[]>,
): Promise<OpenedExport> {
  if (isScreen(name)) {
    const { locale, timeZone, ...rest } = given;
    const own = readQuery(c, z.strictObject({ ...localeParam, ...zoneParam }), {
      ...(locale === undefined ? {} : { locale }),
      ...(timeZone === undefined ? {} : { timeZone }),
    });
    const hasRange = name === 'trends' || name === 'index';
    const query = hasRange && timeZone !== undefined ? { ...rest, timeZone } : rest;
    const shown = await screens.open(name, query);
    const markets = (await chooseMarkets(deps, given.market)).map((market) => market.name);
    return {
      ...describeScreen(name, shown, { given, markets, timeZone: own.timeZone }),
      timeZone: own.timeZone,
      locale: own.locale ?? null,
      asOf: null,
    };
  }
  const asked = readQuery(c, exportQueries[name], given) as SpendAsked;
  const scope = await readSpendScope(deps, asked);
  const table: ExportTable = {
    ...(await spendTable(deps, name, asked, scope)),
    facts: [...rangeFacts(scope, scope.timeZone), ...choiceFacts(given)],
  };
  return {
    fileName: exportFileName(name, { dates: daysOf(scope, scope.timeZone) }),
    // FOCUS has its times in UTC, whatever the zone of the range.
    timeZone: name === 'focus' ? 'UTC' : scope.timeZone,
    locale: asked.locale ?? null,
    // Rentals and the market's prices are always the current ones.
    asOf: name === 'rentals' || name === 'spend-vs-market' ? null : scope.asOf,
    table,
  };
}

async function spendTable(
  deps: ApiDeps,
  name: Exclude<ExportName, Screen>,
  { groupBy = 'month', stackBy }: SpendAsked,
  scope: Scope,
): Promise<ExportTable> {
  switch (name) {
    case 'spend':
      return {
        ...queryTable(deps.sql, 'Entries', spendEntries(scope)),
        keepsNames: true,
        monthly: true,
        beside: async () => [await adjustmentTable(deps, scope)],
      };
    case 'spend-summary':
      return {
        ...queryTable(deps.sql, 'Spend', spendSummary(scope, groupBy, stackBy ?? null)),
        keepsNames: true,
        totals: async () =>
          (await totalSpend(deps.sql, scope)).map(
            ({ category, basis, amountUsd }) => [`Total ${category}, ${basis}, USD`, amountUsd] as const,
          ),
        beside: async () => [
          ...(await instanceTables(deps, scope, [groupBy, stackBy ?? null])),
          await comparedInstances(deps.sql, scope),
        ],
      };
    case 'spend-adjustments': {
      const { title, columns, rows } = await adjustmentTable(deps, scope);
      return programTable(title, columns, oneGroup(rows));
    }
    case 'spend-vs-market': {
      const { title, columns, rows } = await comparedInstances(deps.sql, scope);
      return programTable(title, columns, oneGroup(rows));
    }
    case 'focus': {
      const closes = await closedMonths(deps.sql, { ...scope, timeZone: 'UTC' });
      return { ...queryTable(deps.sql, 'FOCUS', focusTable(scope, closes)), keepsNames: true };
    }
    case 'rentals':
      return queryTable(deps.sql, 'Rentals', rentalTable(scope));
  }
}

const adjustmentColumns = columnsOf(
  {
    month: 'text',
    closedAt: 'moment',
    change: 'text',
    seenAt: 'moment',
    entryId: 'text',
    category: 'text',
    basis: 'text',
    start: 'moment',
    type: 'text',
    source: 'text',
    service: 'text',
    closedUsd: 'usd',
    amountUsd: 'usd',
    adjustmentUsd: 'usd',
  },
  adjustmentNotes,
);

/** Changes of closed months in the range since they were closed, one row per entry and month. */
async function adjustmentTable({ sql }: ApiDeps, scope: SpendScope): Promise<SideTable> {
  const adjustments = await readAdjustments(sql, scope);
  const rows = adjustments.map((item) =>
    adjustmentColumns.map(({ name }) => cellOf(item[name as keyof typeof item])),
  );
  const none = 'There are none: no closed month of this range has changed since it was closed.';
  return { title: 'Adjustments', columns: adjustmentColumns, rows, none };
}

const instanceColumns = columnsOf(
  { instanceId: 'integer', label: 'text', gpuName: 'text', numGpus: 'integer' },
  instanceNotes,
);

/** What the instances are called that sums are grouped by; no table if they are grouped by something else. */
async function instanceTables(
  { sql }: ApiDeps,
  scope: SpendScope,
  by: readonly (SpendGrouping | null)[],
): Promise<SideTable[]> {
  if (!by.includes('instance')) return [];
  const rows = (await listGroupInstances(sql, scope, by)).map((instance) =>
    instanceColumns.map(({ name }) => cellOf(instance[name as keyof typeof instance])),
  );
  return [{ title: 'Instances', columns: instanceColumns, rows }];
}

function readQuery<T extends z.ZodType>(c: Context, schema: T, given: Record<string, string[]>): z.output<T> {
  const query = Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  const read = schema.safeParse(query);
  if (read.success) return read.data;
  return reject({ target: 'query', error: read.error }, c, () => keysOf(schema));
}
