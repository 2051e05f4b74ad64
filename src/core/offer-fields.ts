import { type Offer, verificationTiers } from './offer.ts';

/** How a field of an offer is stored. */
export interface StoredField {
  /**
   * Where it is stored: with the listing that it identifies, with the listing's price intervals, with its slow
   * attributes by day, or only for the newest offer.
   */
  of: 'listing' | 'price' | 'attribute' | 'newest';
  column: string;
  /** `name`: the id of a name in `dictionary`. */
  type: 'bigint' | 'smallint' | 'integer' | 'float8' | 'text' | 'boolean' | 'bigint[]' | 'name';
  dictionary?: 'country' | 'verification_tier';
  isNeverNull?: true;
  /** How much a slow attribute must change to be stored again: a share of the current value, a step, or any change. */
  moves?: 'any' | { share: number } | { step: number };
  /** Neither filters nor metrics read it, so it is not kept in memory. */
  isShownOnly?: true;
  /** Text for the API documents. */
  note?: string;
}

/**
 * The stored fields of an offer besides its names, one line each, in the order of responses and exports. `Offer`
 * documents their meaning.
 */
export const offerFields = {
  machineId: { of: 'listing', column: 'machine_id', type: 'bigint', isNeverNull: true },
  hostId: { of: 'attribute', column: 'host_id', type: 'bigint', moves: 'any' },
  numGpus: { of: 'listing', column: 'num_gpus', type: 'smallint', isNeverNull: true },
  baseUsdPerHour: {
    of: 'price',
    column: 'base_usd_per_hour',
    type: 'float8',
    isNeverNull: true,
    note: 'Without storage and bandwidth',
  },
  storageUsdPerGbMonth: { of: 'price', column: 'storage_usd_per_gb_month', type: 'float8' },
  inetDownUsdPerGb: { of: 'price', column: 'inet_down_usd_per_gb', type: 'float8' },
  inetUpUsdPerGb: { of: 'price', column: 'inet_up_usd_per_gb', type: 'float8' },
  minBidUsdPerHour: { of: 'price', column: 'min_bid_usd_per_hour', type: 'float8', isShownOnly: true },
  discountedUsdPerHour: { of: 'price', column: 'discounted_usd_per_hour', type: 'float8', isShownOnly: true },
  discountRate: { of: 'price', column: 'discount_rate', type: 'float8', isShownOnly: true },
  dlperf: { of: 'attribute', column: 'dlperf', type: 'float8', moves: { share: 0.02 } },
  reliability: { of: 'attribute', column: 'reliability', type: 'float8', moves: { step: 0.01 } },
  gpuRamMb: {
    of: 'attribute',
    column: 'gpu_ram_mb',
    type: 'integer',
    moves: 'any',
    note: 'Of one GPU, as listed',
  },
  totalTflops: { of: 'attribute', column: 'total_tflops', type: 'float8', moves: { share: 0.02 } },
  country: { of: 'attribute', column: 'country_id', type: 'name', dictionary: 'country', moves: 'any' },
  verification: {
    of: 'attribute',
    column: 'verification_tier_id',
    type: 'name',
    dictionary: 'verification_tier',
    moves: 'any',
  },
  cudaMaxGood: { of: 'attribute', column: 'cuda_max_good', type: 'float8', moves: 'any' },
  driverVersion: { of: 'attribute', column: 'driver_version', type: 'text', moves: 'any', isShownOnly: true },
  inetDown: {
    of: 'attribute',
    column: 'inet_down',
    type: 'float8',
    moves: { share: 0.2 },
    note: 'As listed; sources disagree whether MB/s or Mb/s',
  },
  inetUp: { of: 'attribute', column: 'inet_up', type: 'float8', moves: { share: 0.2 } },
  datacenter: { of: 'attribute', column: 'datacenter', type: 'boolean', moves: 'any' },
  staticIp: { of: 'attribute', column: 'static_ip', type: 'boolean', moves: 'any' },
  diskSpaceGb: { of: 'attribute', column: 'disk_space_gb', type: 'float8', moves: { share: 0.2 } },
  cpuCores: { of: 'newest', column: 'cpu_cores', type: 'float8' },
  cpuRamMb: { of: 'newest', column: 'cpu_ram_mb', type: 'float8' },
  gpuIds: { of: 'attribute', column: 'gpu_ids', type: 'bigint[]', moves: 'any', isShownOnly: true },
} as const satisfies { [Name in keyof Offer]?: StoredField };

type Fields = typeof offerFields;
export type FieldName = keyof Fields;

/** Names of the fields that have some property: `FieldsWith<{ of: 'price' }>`. */
export type FieldsWith<Property> = {
  [Name in FieldName]: Fields[Name] extends Property ? Name : never;
}[FieldName];

/** All fields of the table, in its order. */
export const fieldEntries = Object.entries(offerFields) as [FieldName, StoredField][];

/** The names of all fields. */
export const allFields = fieldEntries.map(([name]) => name);

/** The fields that a market may leave out, as unknown: a market's offer begins with them and adds what it states. */
export const unstatedFields = Object.fromEntries(
  fieldEntries.filter(([, { isNeverNull }]) => isNeverNull === undefined).map(([name]) => [name, null]),
) as { [Name in Exclude<FieldName, FieldsWith<{ isNeverNull: true }>>]: null };

/** Returns the names of the fields that pass a test, in the table's order. */
export const fieldsWhere = (picks: (field: StoredField) => boolean): FieldName[] =>
  fieldEntries.filter(([, field]) => picks(field)).map(([name]) => name);

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
  format?: 'countryCode';
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
    label: 'Max price',
    unit: '$/h',
    keeps: "whose price for the whole machine, with the profile's storage, is at most this, USD/hour",
  },
  minReliability: {
    field: 'reliability',
    operator: 'atLeast',
    min: 0,
    max: 1,
    label: 'Min reliability',
    unit: '0–1',
    hint: 'Share of time that the machine was available, such as 0.98',
    keeps: 'at least this reliable, 0 to 1',
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
    hint: 'Two letters each: DE, NO, US',
    keeps: 'in these countries, two letters',
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
