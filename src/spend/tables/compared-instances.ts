import type { Sql } from '../../database/connection.ts';
import { cellOf, type ExportCell } from '../../exports/export-cell.ts';
import { columnsOf } from '../../exports/export-column.ts';
import type { SideTable } from '../../exports/table.ts';
import { type ComparedInstance, compareWithMarket } from '../market/spend-vs-market.ts';
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
    overEqualMachineUsd: 'usd',
    equalMachineId: 'integer',
    equalUsdPerHour: 'number',
    offeredHours: 'number',
    chargedHours: 'number',
    overMarketMedianUsd: 'usd',
    overMarketLowestUsd: 'usd',
    unattributable: 'text',
  },
  comparisonNotes,
);

/** Returns the instances of a range, each compared with the market as Spend shows it. */
export async function comparedInstances(sql: Sql, scope: SpendScope): Promise<SideTable> {
  const items = await compareWithMarket(sql, scope);
  return { title: 'Compared with the market', columns, rows: items.map(rowOf) };
}

const hoursOf = (seconds: number): number => Number((seconds / 3600).toFixed(4));

function rowOf(item: ComparedInstance): ExportCell[] {
  const { cheaperEqual, comparedUsd, hours, overMedianUsd, overLowestUsd } = item;
  const row = {
    ...item,
    // What nothing is compared of might have been cheaper elsewhere.
    overEqualMachineUsd: cheaperEqual?.savedUsd ?? (comparedUsd === null ? null : '0'),
    overMarketMedianUsd: overMedianUsd,
    overMarketLowestUsd: overLowestUsd,
    equalMachineId: cheaperEqual?.machineId ?? null,
    equalUsdPerHour: cheaperEqual?.usdPerHour ?? null,
    offeredHours: cheaperEqual === null ? null : hoursOf(cheaperEqual.offeredSeconds),
    chargedHours: hoursOf(hours.reduce((sum, { seconds }) => sum + seconds, 0)),
  };
  return columns.map(({ name }) => cellOf(row[name as keyof typeof row]));
}
