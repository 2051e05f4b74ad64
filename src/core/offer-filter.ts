import { type FieldsWith, type FieldValues, verificationTiers } from './offer-fields.ts';

const megabytesPerGb = 1000;

/** A condition that a user can set on offers. */
export interface OfferFilterSpec {
  /** What the condition compares: a field, or the price of the whole offer with the profile's storage. */
  field:
    | Exclude<FieldsWith<{ of: 'listing' | 'attribute' }>, FieldsWith<{ isShownOnly: true }>>
    | 'usdPerHour';
  operator: 'oneOf' | 'noneOf' | 'is' | 'atLeast' | 'atMost';
  /** What a value may be. */
  values?: readonly string[];
  format?: 'countryCode' | 'share';
  isWhole?: true;
  min?: number;
  max?: number;
  /** How many units of the field one unit of the filter is. @default 1 */
  scale?: number;
  /** Label on the page with its unit, and more in the tooltip. */
  label: string;
  unit?: string;
  hint?: string;
  /** Text in documents: keeps offers … */
  keeps: string;
}

const id = { isWhole: true, min: 0 } as const;

/** The filters besides model and pricing type, one line each, in the order of forms and documents. */
export const offerFilters = {
  verification: {
    field: 'verification',
    operator: 'oneOf',
    values: verificationTiers,
    label: 'Verification',
    keeps: 'of these verification tiers',
  },
  numGpus: {
    field: 'numGpus',
    operator: 'oneOf',
    isWhole: true,
    min: 1,
    max: 32_767,
    label: 'GPUs',
    hint: 'Numbers of GPUs, separated by commas: 1, 2, 4',
    keeps: 'of this many GPUs',
  },
  maxUsdPerHour: {
    field: 'usdPerHour',
    operator: 'atMost',
    min: 0,
    label: 'Max price per machine',
    unit: '$/hour',
    hint: 'Of all GPUs of the offer, with the disk of the usage profile',
    keeps: "whose price for the whole machine, with the profile's storage, is at most this, USD/hour",
  },
  minReliability: {
    field: 'reliability',
    operator: 'atLeast',
    format: 'share',
    min: 0,
    max: 1,
    label: 'Min reliability',
    unit: '%',
    hint: 'Share of time that the machine was available, such as 98',
    keeps: 'at least this reliable, 0 to 1; `98` and `98%` are read as 0.98',
  },
  minVramGb: {
    field: 'gpuRamMb',
    operator: 'atLeast',
    scale: megabytesPerGb,
    min: 0,
    label: 'Min VRAM',
    unit: 'GB',
    keeps:
      'with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24',
  },
  minDiskGb: {
    field: 'diskSpaceGb',
    operator: 'atLeast',
    min: 0,
    label: 'Min disk',
    unit: 'GB',
    keeps: 'with at least this much disk, GB',
  },
  minCuda: {
    field: 'cudaMaxGood',
    operator: 'atLeast',
    min: 0,
    label: 'Min CUDA version',
    keeps: 'that support this CUDA version or newer',
  },
  minInetDown: {
    field: 'inetDown',
    operator: 'atLeast',
    min: 0,
    label: 'Min download',
    unit: 'Mbit/s',
    keeps: 'with at least this download speed, in the unit of the listing',
  },
  minInetUp: {
    field: 'inetUp',
    operator: 'atLeast',
    min: 0,
    label: 'Min upload',
    unit: 'Mbit/s',
    keeps: 'with at least this upload speed, in the unit of the listing',
  },
  country: {
    field: 'country',
    operator: 'oneOf',
    format: 'countryCode',
    label: 'Countries',
    hint: 'Codes or names, separated by commas: DE, Norway',
    keeps: 'in these countries: codes of two letters or English names, such as `DE` or `Germany`',
  },
  datacenter: {
    field: 'datacenter',
    operator: 'is',
    label: 'Datacenter',
    keeps: 'in a datacenter or not',
  },
  staticIp: {
    field: 'staticIp',
    operator: 'is',
    label: 'Static IP',
    keeps: 'with a static IP address or not',
  },
  machineId: {
    field: 'machineId',
    operator: 'oneOf',
    ...id,
    label: 'Machine IDs',
    keeps: 'of these machines',
  },
  hostId: { field: 'hostId', operator: 'oneOf', ...id, label: 'Host IDs', keeps: 'of these hosts' },
  excludeVerification: {
    field: 'verification',
    operator: 'noneOf',
    values: verificationTiers,
    label: 'Excluded verification',
    keeps: 'not of these verification tiers',
  },
  excludeMachineId: {
    field: 'machineId',
    operator: 'noneOf',
    ...id,
    label: 'Excluded machine IDs',
    keeps: 'not of these machines',
  },
  excludeHostId: {
    field: 'hostId',
    operator: 'noneOf',
    ...id,
    label: 'Excluded host IDs',
    keeps: 'not of these hosts',
  },
} as const satisfies Record<string, OfferFilterSpec>;

export type FilterName = keyof typeof offerFilters;

/** All filters of the table, in its order. */
export const filterEntries = Object.entries(offerFilters) as [FilterName, OfferFilterSpec][];

export const filterNames = filterEntries.map(([name]) => name);

type Filters = typeof offerFilters;
type ItemOf<Spec extends OfferFilterSpec> = Spec['field'] extends keyof FieldValues
  ? NonNullable<FieldValues[Spec['field']]>
  : never;
type ValueOf<Spec extends OfferFilterSpec> = Spec['operator'] extends 'oneOf' | 'noneOf'
  ? readonly ItemOf<Spec>[]
  : (Spec['operator'] extends 'is' ? boolean : number) | null;

/**
 * Which offers count, besides model and pricing type. A list means any of its values; empty or null means no condition.
 * An offer with an unknown value never meets a condition, but is not removed by an exclusion.
 * Source: docs/meaning.md#filters.
 */
export type OfferFilter = { [Name in FilterName]: ValueOf<Filters[Name]> };

/** A filter without a condition. */
export const noFilter = Object.fromEntries(
  filterEntries.map(([name, { operator }]) => [name, isList(operator) ? [] : null]),
) as unknown as OfferFilter;

/** One condition that a filter sets. */
export type OfferCondition = { name: FilterName; field: OfferFilterSpec['field'] } & (
  | { operator: 'oneOf' | 'noneOf'; values: readonly (number | string)[] }
  | { operator: 'is'; value: boolean }
  /** In the field's unit. */
  | { operator: 'atLeast' | 'atMost'; limit: number }
);

/** Returns the conditions that a filter sets, prices last: they are computed only for the offers that are left. */
export function conditionsOf(filter: Partial<OfferFilter>): OfferCondition[] {
  const conditions = filterEntries.flatMap(([name, { field, operator, scale = 1 }]): OfferCondition[] => {
    const value: unknown = filter[name];
    if (value === null || value === undefined) return [];
    if (operator === 'is') return [{ name, field, operator, value: value as boolean }];
    if (!isList(operator)) return [{ name, field, operator, limit: (value as number) * scale }];
    const values = value as (number | string)[];
    return values.length === 0 ? [] : [{ name, field, operator, values }];
  });
  const isPrice = ({ field }: OfferCondition): boolean => field === 'usdPerHour';
  return [...conditions.filter((each) => !isPrice(each)), ...conditions.filter(isPrice)];
}

/** Whether the filter sets no condition. */
export const isUnfiltered = (filter: OfferFilter): boolean => conditionsOf(filter).length === 0;

/** Whether a filter takes a list of values. */
export function isList(operator: OfferFilterSpec['operator']): operator is 'oneOf' | 'noneOf' {
  return operator === 'oneOf' || operator === 'noneOf';
}
