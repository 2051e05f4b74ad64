import definitions from '../core/definitions.json' with { type: 'json' };

/** One of the API's filters as a form field. */
export interface FilterField {
  name: string;
  label: string;
  kind: 'choices' | 'number' | 'numbers' | 'words' | 'flag';
  /** Its choices. */
  choices?: readonly string[];
  /** Text beside the field. */
  unit?: string;
  title?: string;
}

/** The filters besides model and type, in the order of the form; `npm run openapi` writes them. */
export const filterFields = definitions.filters as readonly FilterField[];

export const profileFields: readonly FilterField[] = [
  { name: 'storageGb', label: 'Disk', kind: 'number', unit: 'GB' },
  { name: 'runningHours', label: 'Running', kind: 'number', unit: 'h' },
  { name: 'stoppedHours', label: 'Stopped', kind: 'number', unit: 'h' },
  { name: 'downGb', label: 'Download', kind: 'number', unit: 'GB' },
  { name: 'upGb', label: 'Upload', kind: 'number', unit: 'GB' },
];

/** The default usage profile. */
export const profileDefaults: Readonly<Record<string, string>> = {
  storageGb: '8',
  runningHours: '720',
  stoppedHours: '0',
  downGb: '0',
  upGb: '0',
};

/** Parameters that select offers: filters, model, type and usage profile. */
export const choiceNames: readonly string[] = [
  'market',
  'gpuName',
  'type',
  ...[...filterFields, ...profileFields].map(({ name }) => name),
];

/** Returns the parameters with those names in a query. */
export function pickParameters(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  const picked = new URLSearchParams();
  for (const name of names) for (const value of query.getAll(name)) picked.append(name, value);
  return picked;
}

/** Returns how many filters besides model and type a query sets. */
export function countFilters(query: URLSearchParams): number {
  return filterFields.filter(({ name }) => query.has(name)).length;
}

/** Splits the text of a list field: `1, 2,4` is three values. */
export const listedValues = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
