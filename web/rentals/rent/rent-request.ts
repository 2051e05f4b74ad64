import type { RentRequest } from '../../core/api.ts';

/** Values of the form by name; empty: not given. */
export type Fields = Record<
  | 'image'
  | 'templateHashId'
  | 'diskGb'
  | 'maxUsdPerHour'
  | 'bidUsdPerHour'
  | 'maxHours'
  | 'label'
  | 'costCenter'
  | 'env'
  | 'onstart'
  | 'volumeId'
  | 'mountPath',
  string
>;

export interface FieldText {
  name: keyof Fields;
  label: string;
  number?: boolean;
  required?: boolean;
  title: string;
}

/** Common fields. */
export const mainFields: readonly FieldText[] = [
  { name: 'image', label: 'Image', title: 'Container image, such as ubuntu:24.04; optional with a template' },
  { name: 'diskGb', label: 'Disk, GB', number: true, required: true, title: 'Cannot be changed later' },
  {
    name: 'maxUsdPerHour',
    label: 'Max $/hour',
    number: true,
    title: 'A quote above this is refused; nothing is rented above the quoted price',
  },
  {
    name: 'maxHours',
    label: 'Time limit, hours',
    number: true,
    title: 'Ends automatically after this time; empty: no limit',
  },
  { name: 'label', label: 'Label', title: 'Your name for the instance' },
];

export const bidField: FieldText = {
  name: 'bidUsdPerHour',
  label: 'Bid, $/hour',
  number: true,
  required: true,
  title: 'A higher bid or an on-demand rental takes the machine',
};

/** Rare fields. */
export const moreFields: readonly FieldText[] = [
  {
    name: 'templateHashId',
    label: 'Template',
    title: 'Hash of a template; fields left empty here are taken from it',
  },
  { name: 'costCenter', label: 'Cost center', title: 'Spend can be grouped by it' },
  { name: 'volumeId', label: 'Volume', number: true, title: 'Number of a volume on this machine' },
  { name: 'mountPath', label: 'Mount path', title: 'Where the volume is mounted, such as /data' },
];

/** Returns the initial values, from the address. */
export const firstFields = (query: URLSearchParams): Fields => ({
  image: query.has('template') ? '' : 'ubuntu:24.04',
  templateHashId: query.get('template') ?? '',
  diskGb: query.get('storageGb') ?? '16',
  bidUsdPerHour: query.get('bid') ?? '',
  maxUsdPerHour: '',
  maxHours: '',
  label: '',
  costCenter: '',
  env: '',
  onstart: '',
  volumeId: '',
  mountPath: '',
});

/** Parses lines of `NAME=value`; a line like `-p 8080:8080` maps a port. */
export function environmentOf(text: string): Record<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      if (line.startsWith('-p ')) return [line.replace(/\s+/, ' '), '1'];
      const at = line.indexOf('=');
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
    }),
  );
}

/** Returns the API's request, without empty fields. */
export function rentRequestOf(
  fields: Fields,
  { bid, destroys, replaces }: { bid: boolean; destroys: boolean; replaces: boolean },
): Omit<RentRequest, 'offerId'> {
  const given = (name: keyof Fields) => fields[name].trim();
  const text = (name: keyof Fields) => (given(name) === '' ? {} : { [name]: given(name) });
  const number = (name: keyof Fields) =>
    given(name) === '' ? {} : { [name]: Number(given(name).replace(',', '.')) };
  const env = environmentOf(fields.env);
  return {
    ...text('image'),
    ...text('templateHashId'),
    diskGb: Number(given('diskGb').replace(',', '.')),
    ...number('maxUsdPerHour'),
    ...(bid ? number('bidUsdPerHour') : {}),
    ...number('maxHours'),
    ...(given('maxHours') !== '' && destroys ? { endAction: 'destroy' } : {}),
    ...text('label'),
    ...text('costCenter'),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(given('onstart') === '' ? {} : { onstart: fields.onstart }),
    ...(given('volumeId') === ''
      ? {}
      : {
          volume: {
            kind: 'existing',
            volumeId: Number(given('volumeId')),
            mountPath: given('mountPath') === '' ? '/data' : given('mountPath'),
          },
        }),
    ...(replaces ? { onFailure: 'replace' } : {}),
  };
}
