/** One of the API's filters as a field of a form. */
export interface FilterField {
  name: string;
  label: string;
  kind: 'number' | 'numbers' | 'words' | 'flag';
  /** Beside the field. */
  unit?: string;
  title?: string;
  step?: string;
}

/** The filters of the API beside model, type and verification, in the order of the form. */
export const filterFields: readonly FilterField[] = [
  { name: 'numGpus', label: 'GPUs', kind: 'numbers', title: 'Numbers of GPUs, separated by commas: 1, 2, 4' },
  { name: 'maxUsdPerHour', label: 'Price at most', kind: 'number', unit: '$/h', step: 'any' },
  {
    name: 'minReliability',
    label: 'Reliability at least',
    kind: 'number',
    unit: '0–1',
    step: 'any',
    title: 'Share of time that the machine was there: 0.98',
  },
  { name: 'minVramGb', label: 'VRAM at least', kind: 'number', unit: 'GB', step: 'any' },
  { name: 'minDiskGb', label: 'Disk at least', kind: 'number', unit: 'GB', step: 'any' },
  { name: 'minCuda', label: 'CUDA at least', kind: 'number', step: 'any' },
  { name: 'minInetDown', label: 'Download at least', kind: 'number', unit: 'Mbit/s', step: 'any' },
  { name: 'minInetUp', label: 'Upload at least', kind: 'number', unit: 'Mbit/s', step: 'any' },
  { name: 'country', label: 'Countries', kind: 'words', title: 'Two letters each: DE, NO, US' },
  { name: 'datacenter', label: 'In a datacenter', kind: 'flag' },
  { name: 'staticIp', label: 'Static address', kind: 'flag' },
  { name: 'machineId', label: 'Only machines', kind: 'numbers' },
  { name: 'hostId', label: 'Only hosts', kind: 'numbers' },
  { name: 'excludeMachineId', label: 'Not machines', kind: 'numbers' },
  { name: 'excludeHostId', label: 'Not hosts', kind: 'numbers' },
];

export const profileFields: readonly FilterField[] = [
  { name: 'storageGb', label: 'Disk', kind: 'number', unit: 'GB', step: 'any' },
  { name: 'runningHours', label: 'Running', kind: 'number', unit: 'h', step: 'any' },
  { name: 'stoppedHours', label: 'Stopped', kind: 'number', unit: 'h', step: 'any' },
  { name: 'downGb', label: 'Download', kind: 'number', unit: 'GB', step: 'any' },
  { name: 'upGb', label: 'Upload', kind: 'number', unit: 'GB', step: 'any' },
];

/** What the usage profile is where nothing else is said. */
export const profileDefaults: Readonly<Record<string, string>> = {
  storageGb: '8',
  runningHours: '720',
  stoppedHours: '0',
  downGb: '0',
  upGb: '0',
};

/** Parameters of the API that say which offers: filters, model, type and usage profile. */
export const choiceNames: readonly string[] = [
  'market',
  'gpuName',
  'type',
  'verification',
  ...[...filterFields, ...profileFields].map(({ name }) => name),
];

/** The parameters of those names in a query, as they are. */
export function pickParameters(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  const picked = new URLSearchParams();
  for (const name of names) for (const value of query.getAll(name)) picked.append(name, value);
  return picked;
}

/** How many filters beside model and type a query sets. */
export function countFilters(query: URLSearchParams): number {
  return ['verification', ...filterFields.map(({ name }) => name)].filter((name) => query.has(name)).length;
}

/** What is written into a field of a list: `1, 2,4` is three values. */
export const listedValues = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
