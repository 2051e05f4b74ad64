import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { rejectInvalid } from '../../core/http/validation.ts';
import type { ColumnType } from '../../exports/export-column.ts';
import { isLocale } from '../../exports/formats.ts';
import type { ExportTable, SideTable } from '../../exports/table.ts';
import { closedMonths } from '../../spend/closings.sql.ts';
import { readAdjustments } from '../../spend/read-spend.ts';
import { type SpendScope, spendGroupings } from '../../spend/spend-grouping.ts';
import { readSpendScope, spendParams, spendZone } from '../../spend/spend-request.ts';
import { focusTable } from '../../spend/tables/focus.tables.ts';
import {
  type ExportQuery,
  rentalTable,
  spendEntries,
  spendSummary,
} from '../../spend/tables/spend.tables.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import type { ScreenTables } from './screen-tables.ts';

/** A table that a request asks for, and what its answer states. */
export interface OpenedExport {
  table: ExportTable;
  timeZone: string;
  locale: string | null;
  /** null: not of a moment that can be asked for again. */
  asOf: Date | null;
}

const localeParam = {
  locale: z.string().max(40).refine(isLocale, 'must be a language like de or pt-BR').optional().openapi({
    description:
      'CSV for spreadsheets of that language: decimal comma and semicolon, local times, byte order mark',
  }),
};
const zoneParam = {
  timeZone: spendZone
    .default('UTC')
    .openapi({ description: 'Whose clocks times are written by', default: 'UTC' }),
};
const { asOf: _, ...rangeOnly } = spendParams;

const groupParams = {
  groupBy: z.enum(spendGroupings).default('month'),
  stackBy: z.enum(spendGroupings).optional(),
};

/** The parameters of each export that are its own, for the description of the API. */
export const exportQueries = {
  spend: z.strictObject({ ...spendParams, ...localeParam }),
  'spend-summary': z.strictObject({ ...spendParams, ...groupParams, ...localeParam }),
  'spend-adjustments': z.strictObject({ ...spendParams, ...localeParam }),
  focus: z.strictObject({ ...spendParams, ...localeParam }),
  rentals: z.strictObject({ ...rangeOnly, ...localeParam }),
};

/** Exports of what screens show, with the parameters of those. */
const screenNames = ['trends', 'rankings', 'offers'] as const;
export const exportNames = [...Object.keys(exportQueries), ...screenNames] as const;

type Name = keyof typeof exportQueries | (typeof screenNames)[number];

/** The table of a name with the parameters given, each checked. Throws the 400 that names what is wrong. */
export async function openExportTable(
  c: Context,
  deps: ApiDeps,
  screens: ScreenTables,
  name: Name,
  given: Record<string, string[]>,
): Promise<OpenedExport> {
  if (name === 'trends' || name === 'rankings' || name === 'offers') {
    const { locale, timeZone, ...rest } = given;
    const own = readQuery(c, z.strictObject({ ...localeParam, ...zoneParam }), {
      ...(locale === undefined ? {} : { locale }),
      ...(timeZone === undefined ? {} : { timeZone }),
    });
    const query = name === 'trends' && timeZone !== undefined ? { ...rest, timeZone } : rest;
    return {
      table: await screens.open(name, query),
      timeZone: own.timeZone,
      locale: own.locale ?? null,
      asOf: null,
    };
  }
  const asked = readQuery(c, exportQueries[name], given) as z.output<(typeof exportQueries)['spend']> & {
    groupBy?: (typeof spendGroupings)[number];
    stackBy?: (typeof spendGroupings)[number];
  };
  const scope = await readSpendScope(deps, asked);
  const opened = { timeZone: scope.timeZone, locale: asked.locale ?? null, asOf: scope.asOf };
  switch (name) {
    case 'spend':
      return {
        ...opened,
        table: {
          ...{ ...tableOf('Entries', spendEntries(scope)), monthly: true },
          beside: async () => {
            const { rows, ...adjustments } = adjustmentTable(deps, scope);
            return [{ ...adjustments, rows: await rows() }];
          },
        },
      };
    case 'spend-summary': {
      const { groupBy = 'month', stackBy = null } = asked;
      return { ...opened, table: tableOf('Spend', spendSummary(scope, groupBy, stackBy)) };
    }
    case 'spend-adjustments': {
      const { title, columns, rows } = adjustmentTable(deps, scope);
      return { ...opened, table: { title, columns, source: { rows: inOneGroup(rows) } } };
    }
    case 'focus': {
      const closes = await closedMonths(deps.sql, { ...scope, timeZone: 'UTC' });
      // Its times are of UTC, whatever zone the range is given in.
      return { ...opened, timeZone: 'UTC', table: tableOf('FOCUS', focusTable(scope, closes)) };
    }
    case 'rentals':
      return { ...opened, asOf: null, table: tableOf('Rentals', rentalTable(scope)) };
  }
}

const tableOf = (title: string, { columns, query }: ExportQuery): ExportTable => ({
  ...{ title, columns, source: { query } },
});

const adjustmentColumns = {
  ...{ month: 'text', closedAt: 'moment', change: 'text', seenAt: 'moment', entryId: 'text' },
  ...{ category: 'text', basis: 'text', start: 'moment', type: 'text', source: 'text', service: 'text' },
  ...{ closedUsd: 'usd', amountUsd: 'usd', adjustmentUsd: 'usd' },
} as const satisfies Record<string, ColumnType>;

/** What changed in the closed months of the range after their close, a row an entry and month. */
function adjustmentTable({ sql }: ApiDeps, scope: SpendScope) {
  const names = Object.keys(adjustmentColumns) as (keyof typeof adjustmentColumns)[];
  return {
    title: 'Adjustments',
    columns: names.map((name) => ({ name, type: adjustmentColumns[name] })),
    rows: async (): Promise<SideTable['rows']> =>
      (await readAdjustments(sql, scope)).map((item) => names.map((name) => item[name])),
  };
}

async function* inOneGroup(rows: () => Promise<SideTable['rows']>): AsyncGenerator<SideTable['rows']> {
  yield await rows();
}

function readQuery<T extends z.ZodType>(c: Context, schema: T, given: Record<string, string[]>): z.output<T> {
  const query = Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  const read = schema.safeParse(query);
  if (read.success) return read.data;
  rejectInvalid({ success: false, target: 'query', error: read.error }, c);
  throw new Error('a wrong query was let through');
}
