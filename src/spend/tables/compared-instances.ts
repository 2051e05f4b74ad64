import type { Sql } from '../../database/connection.ts';
import { cellOf } from '../../exports/export-cell.ts';
import { columnsOf } from '../../exports/export-column.ts';
import type { SideTable } from '../../exports/table.ts';
import { compareWithMarket } from '../market/spend-vs-market.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { comparisonNotes } from './column-notes.ts';

const columns = columnsOf(
  {
    instanceId: 'integer',
    label: 'text',
    gpuName: 'text',
    numGpus: 'integer',
    type: 'text',
    paidUsd: 'usd',
    comparedUsd: 'usd',
    overMedianUsd: 'usd',
    overLowestUsd: 'usd',
    unattributable: 'text',
  },
  comparisonNotes,
);

/** Returns the instances of a range, each compared with the market as Spend shows it. */
export async function comparedInstances(sql: Sql, scope: SpendScope): Promise<SideTable> {
  const items = await compareWithMarket(sql, scope);
  const rows = items.map((item) => columns.map(({ name }) => cellOf(item[name as keyof typeof item])));
  return { title: 'Compared with market', columns, rows };
}
