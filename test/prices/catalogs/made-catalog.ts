/** A row of a catalog; fields that are not given are empty. */
export interface MadeRow {
  InstanceType?: string;
  AcceleratorName?: string;
  AcceleratorCount?: string | number;
  GpuInfo?: string;
  Price?: string | number;
  SpotPrice?: string | number;
  Region?: string;
  AvailabilityZone?: string;
}

const columns = [
  ...(['InstanceType', 'AcceleratorName', 'AcceleratorCount', 'GpuInfo'] as const),
  ...(['Price', 'SpotPrice', 'Region', 'AvailabilityZone'] as const),
];

/** The CSV text of a catalog. */
export const makeCatalog = (rows: readonly MadeRow[]): string =>
  [columns, ...rows.map((row) => columns.map((name) => quoted(String(row[name] ?? ''))))]
    .map((fields) => `${fields.join(',')}\n`)
    .join('');

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A machine with one RTX 4090 in a region `here`. */
export const card = (more: MadeRow = {}): MadeRow => ({
  ...{ InstanceType: 'one-card', AcceleratorName: 'RTX4090', AcceleratorCount: '1.0', Region: 'here' },
  Price: '0.5',
  ...more,
});
