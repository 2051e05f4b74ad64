import type { RentRequest } from '../../core/api.ts';
import { hostEnds, hoursOf } from '../../core/ending-words.ts';
import { countOf } from '../../core/figures.ts';
import { profileDefaults } from '../../parts/filter-fields.ts';

/** Values of the form by name; empty: not given. */
export type Fields = Record<
  | 'image'
  | 'templateHashId'
  | 'diskGb'
  | 'maxUsdPerHour'
  | 'bidUsdPerHour'
  | 'runningHours'
  | 'downGb'
  | 'upGb'
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

/** What happens when the planned hours are over. */
const endings = [
  { value: 'keep', label: 'Keep running' },
  { value: 'stop', label: 'Stop it' },
  { value: 'destroy', label: 'Destroy it' },
] as const;

/** Returns what may follow the planned hours, by the hours until the host ends the offer; null: not stated. */
export function endingsOf(planned: string, maxHours: number | null): { value: string; label: string }[] {
  const ends = hostEnds(hoursOf(planned), maxHours);
  if (ends === null) return [...endings];
  const byHost = { value: 'keep', label: 'The host ends it' };
  return ends === 'before' ? [byHost] : [byHost, ...endings.filter(({ value }) => value !== 'keep')];
}

/** Returns the choice that counts: none if the host ends the offer before. */
export const endingOf = (
  ending: Options['ending'],
  planned: string,
  maxHours: number | null,
): Options['ending'] => (hostEnds(hoursOf(planned), maxHours) === 'before' ? 'keep' : ending);

/** Choices besides the text fields. */
export interface Options {
  ending: (typeof endings)[number]['value'];
  /** Whether another offer is rented if this instance never runs. */
  replaces: boolean;
}

/** Common fields. */
export const mainFields: readonly FieldText[] = [
  { name: 'image', label: 'Image', title: 'Container image, such as ubuntu:24.04; optional with a template' },
  { name: 'diskGb', label: 'Disk, GB', number: true, required: true, title: 'Cannot be changed later' },
  { name: 'label', label: 'Label', title: 'Your name for the instance' },
  { name: 'downGb', label: 'Download, GB', number: true, title: 'Total traffic to it, for the total price' },
  { name: 'upGb', label: 'Upload, GB', number: true, title: 'Total traffic from it, for the total price' },
  {
    name: 'runningHours',
    label: 'Hours planned',
    number: true,
    required: true,
    title: 'For the total price',
  },
];

export const bidField: FieldText = {
  name: 'bidUsdPerHour',
  label: 'Bid, $/hour',
  number: true,
  required: true,
  title: 'A higher bid or an on-demand rental takes the machine',
};

/** What a cost center is, the same wherever it is entered. */
export const costCenterWords = {
  label: 'Cost center (project or team)',
  title: 'Spend can be grouped by it',
};

/** Rare fields. */
export const moreFields: readonly FieldText[] = [
  {
    name: 'templateHashId',
    label: 'Template',
    title: 'Hash of a template; fields left empty here are taken from it',
  },
  {
    name: 'maxUsdPerHour',
    label: 'Max $/hour',
    number: true,
    title: 'Also of a replacement; nothing is rented above the price that you confirm',
  },
  { name: 'costCenter', ...costCenterWords },
  { name: 'volumeId', label: 'Volume', number: true, title: 'Number of a volume on this machine' },
  { name: 'mountPath', label: 'Mount path', title: 'Where the volume is mounted, such as /data' },
];

/** The smallest bid, with which a market is asked for its minimum. */
const probeUsdPerHour = 0.000001;

/** Whether a request only asks for the market's minimum bid. */
export const isProbe = ({ bidUsdPerHour }: Pick<RentRequest, 'bidUsdPerHour'>): boolean =>
  bidUsdPerHour === probeUsdPerHour;

/** Returns a bid to begin with, a tenth above the market's minimum. */
export const suggestBid = (minUsdPerHour: number): string =>
  String(Math.max(1, Math.ceil(Number((minUsdPerHour * 1.1 * 1e4).toFixed(6)))) / 1e4);

/** Returns the initial values, from the address. */
export const firstFields = (query: URLSearchParams): Fields => ({
  image: query.has('template') ? '' : 'ubuntu:24.04',
  templateHashId: query.get('template') ?? '',
  diskGb: query.get('storageGb') ?? profileDefaults.storageGb ?? '',
  bidUsdPerHour: query.get('bid') ?? '',
  maxUsdPerHour: '',
  runningHours: query.get('runningHours') ?? profileDefaults.runningHours ?? '',
  downGb: query.get('downGb') ?? '0',
  upGb: query.get('upGb') ?? '0',
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
  { bid, ending, replaces }: Options & { bid: boolean },
): Omit<RentRequest, 'offerId'> {
  const given = (name: keyof Fields) => fields[name].trim();
  const text = (name: keyof Fields) => (given(name) === '' ? {} : { [name]: given(name) });
  const value = (name: keyof Fields) => Number(given(name).replace(',', '.'));
  const number = (name: keyof Fields) => (given(name) === '' ? {} : { [name]: value(name) });
  const env = environmentOf(fields.env);
  return {
    ...text('image'),
    ...text('templateHashId'),
    diskGb: value('diskGb'),
    ...number('maxUsdPerHour'),
    ...(bid ? { bidUsdPerHour: probeUsdPerHour, ...number('bidUsdPerHour') } : {}),
    ...(ending === 'keep' ? {} : { maxHours: value('runningHours') }),
    ...(ending === 'destroy' ? { endAction: 'destroy' } : {}),
    ...text('label'),
    ...text('costCenter'),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(given('onstart') === '' ? {} : { onstart: fields.onstart }),
    ...(given('volumeId') === ''
      ? {}
      : {
          volume: {
            kind: 'existing',
            volumeId: value('volumeId'),
            mountPath: given('mountPath') === '' ? '/data' : given('mountPath'),
          },
        }),
    ...(replaces ? { onFailure: 'replace' } : {}),
    profile: { ...number('runningHours'), ...number('downGb'), ...number('upGb') },
  };
}

/** Returns what must be filled in before there is a price, as a sentence; null: nothing. */
export function missingIn(fields: Fields, bid: boolean): string | null {
  const isMissing = (name: keyof Fields) => fields[name].trim() === '';
  if (bid && isMissing('bidUsdPerHour')) return 'Enter a bid.';
  if (isMissing('diskGb')) return 'Enter the size of the disk.';
  return isMissing('runningHours') ? 'Enter the planned hours.' : null;
}

/**
 * Returns until when an instance is paid for: `you stop or destroy it; it is stopped after 2 hours`. `hostHours` of the
 * offer; null: not stated.
 */
export const untilWords = (
  { maxHours, endAction, profile }: Pick<RentRequest, 'maxHours' | 'endAction' | 'profile'>,
  hostHours: number | null,
): string => {
  if (maxHours === undefined) {
    const isByHost = hostEnds(profile?.runningHours ?? 0, hostHours) !== null;
    return isByHost
      ? 'you stop or destroy it, or the host ends it'
      : 'you stop or destroy it, even after the planned hours';
  }
  const done = endAction === 'destroy' ? 'destroyed' : 'stopped';
  return `you stop or destroy it; it is ${done} after ${countOf(maxHours, 'hour')}`;
};
