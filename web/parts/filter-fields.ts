import definitions from '../core/definitions.json' with { type: 'json' };

/** One of the API's filters as a field of a form. */
export interface FilterField {
  name: string;
  label: string;
  kind: 'choices' | 'number' | 'numbers' | 'words' | 'flag';
  /** What can be chosen. */
  choices?: readonly string[];
  /** Beside the field. */
  unit?: string;
  title?: string;
}

/** The filters of the API beside model and type, in the order of the form: `npm run openapi` writes them. */
export const filterFields = definitions.filters as readonly FilterField[];

export const profileFields: readonly FilterField[] = [
  { name: 'storageGb', label: 'Disk', kind: 'number', unit: 'GB' },
  { name: 'runningHours', label: 'Running', kind: 'number', unit: 'h' },
  { name: 'stoppedHours', label: 'Stopped', kind: 'number', unit: 'h' },
  { name: 'downGb', label: 'Download', kind: 'number', unit: 'GB' },
  { name: 'upGb', label: 'Upload', kind: 'number', unit: 'GB' },
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
  return filterFields.filter(({ name }) => query.has(name)).length;
}

/** What is written into a field of a list: `1, 2,4` is three values. */
export const listedValues = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
