import definitions from '../../core/definitions.json' with { type: 'json' };
import { metricTitle } from '../../core/metrics.ts';

/** A column of ranked offers, by the API's name of what it shows and is sorted by. */
export interface DealColumn {
  name: string;
  label: string;
  unit?: string;
  title?: string;
  kind: 'verdict' | 'price' | 'number' | 'share' | 'length' | 'country' | 'word' | 'id';
  decimals?: number;
  /** How many of the API's units one unit is. @default 1 */
  scale?: number;
  /** Which values are better; unset: none is. */
  best?: 'high' | 'low';
  /** Not shown until it is chosen. */
  isExtra?: boolean;
}

interface FieldColumn extends Omit<DealColumn, 'kind'> {
  isShare?: boolean;
  isLength?: boolean;
}

const priceColumns: readonly DealColumn[] = [
  {
    name: 'usdPerHour',
    label: 'All GPUs',
    unit: '$/hour',
    title: 'One rental of the whole offer, with all its GPUs and the disk',
    kind: 'price',
    best: 'low',
  },
  { name: 'usdPerGpuHour', label: 'Per GPU', unit: '$/hour', kind: 'price', best: 'low' },
  {
    name: 'allInUsdPerHour',
    label: 'All-in',
    unit: '$/hour',
    title: metricTitle('allInUsdPerHour'),
    kind: 'price',
    best: 'low',
    // The same as that of all GPUs unless the profile has traffic or stopped time.
    isExtra: true,
  },
];

const fieldColumns = (definitions.rankingColumns as readonly FieldColumn[]).map(
  ({ isShare, isLength, ...column }): DealColumn => ({
    ...column,
    kind: isShare === true ? 'share' : isLength === true ? 'length' : kindOf(column),
  }),
);

function kindOf({ name, decimals }: Omit<DealColumn, 'kind'>): DealColumn['kind'] {
  if (decimals !== undefined) return 'number';
  return name === 'country' ? 'country' : 'word';
}

/** The columns to choose from, in the table's order; the model and the metric that offers are ranked by always show. */
export const dealColumns: readonly DealColumn[] = [
  ...priceColumns.slice(0, 1),
  {
    name: 'verdict',
    label: 'Price beside other machines',
    unit: 'same verification, any reliability',
    title:
      'How many daily prices of machines of its model, type and verification were higher: in 30 days, else 90 or 7',
    kind: 'verdict',
    best: 'low',
  },
  ...priceColumns.slice(1),
  ...fieldColumns,
  { name: 'machineId', label: 'Machine', kind: 'id' },
];

/** The columns that show until others are chosen. */
export const defaultColumns: readonly string[] = dealColumns
  .filter(({ isExtra }) => isExtra !== true)
  .map(({ name }) => name);

const noColumn = 'none';

/** Returns the columns of an address, else the remembered ones, else the default ones. */
export function chosenColumns(query: URLSearchParams, kept: readonly string[] | null): readonly DealColumn[] {
  const named = query.get('columns');
  const names = named === null ? (kept ?? defaultColumns) : named.split(',');
  return dealColumns.filter(({ name }) => names.includes(name));
}

/** Returns the names of columns as a change of the address; the default ones need none. */
export function columnChanges(names: readonly string[]) {
  return { columns: isDefault(names) ? null : names.length === 0 ? noColumn : names.join(',') };
}

/** Whether the columns are those that show until others are chosen. */
export const isDefault = (names: readonly string[]): boolean =>
  names.length === defaultColumns.length && names.every((name) => defaultColumns.includes(name));

/** Whether a column's values are aligned as numbers. */
export const isNumeric = ({ kind }: Pick<DealColumn, 'kind'>): boolean =>
  ['price', 'number', 'share', 'length', 'id'].includes(kind);

/** Returns the head of a column with its unit: `Disk, GB`. */
export const headOf = ({ label, unit }: Pick<DealColumn, 'label' | 'unit'>): string =>
  unit === undefined ? label : `${label}, ${unit}`;
