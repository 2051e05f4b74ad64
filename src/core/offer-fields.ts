export const verificationTiers = ['verified', 'unverified', 'deverified'] as const;
export type Verification = (typeof verificationTiers)[number];

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
 * The stored fields of an offer besides its names, one line each, in the order of responses and exports. Rates are US
 * dollars for the whole offer, never per GPU. Source: docs/marketplace.md#21-offer.
 */
export const offerFields = {
  machineId: { of: 'listing', column: 'machine_id', type: 'bigint', isNeverNull: true },
  hostId: { of: 'attribute', column: 'host_id', type: 'bigint', moves: 'any' },
  numGpus: { of: 'listing', column: 'num_gpus', type: 'smallint', isNeverNull: true },
  /** `dph_base`: $/hour; for a bid, the minimum bid. */
  baseUsdPerHour: {
    of: 'price',
    column: 'base_usd_per_hour',
    type: 'float8',
    isNeverNull: true,
    note: 'Without storage and bandwidth',
  },
  /** `storage_cost`: $/GB/month of 720 hours. */
  storageUsdPerGbMonth: { of: 'price', column: 'storage_usd_per_gb_month', type: 'float8' },
  inetDownUsdPerGb: { of: 'price', column: 'inet_down_usd_per_gb', type: 'float8' },
  inetUpUsdPerGb: { of: 'price', column: 'inet_up_usd_per_gb', type: 'float8' },
  minBidUsdPerHour: { of: 'price', column: 'min_bid_usd_per_hour', type: 'float8', isShownOnly: true },
  /** `discounted_hourly`: $/hour that is deducted. */
  discountedUsdPerHour: { of: 'price', column: 'discounted_usd_per_hour', type: 'float8', isShownOnly: true },
  discountRate: { of: 'price', column: 'discount_rate', type: 'float8', isShownOnly: true },
  /** Predicted deep-learning score of the whole offer. 0 and null both mean: no score. */
  dlperf: { of: 'attribute', column: 'dlperf', type: 'float8', moves: { share: 0.02 } },
  /** 0 to 1. */
  reliability: { of: 'attribute', column: 'reliability', type: 'float8', moves: { step: 0.01 } },
  gpuRamMb: {
    of: 'attribute',
    column: 'gpu_ram_mb',
    type: 'integer',
    moves: 'any',
    note: 'Of one GPU, as listed',
  },
  totalTflops: { of: 'attribute', column: 'total_tflops', type: 'float8', moves: { share: 0.02 } },
  /** Two-letter code from the end of `geolocation`. */
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
  /** `hosting_type` > 0. */
  datacenter: { of: 'attribute', column: 'datacenter', type: 'boolean', moves: 'any' },
  staticIp: { of: 'attribute', column: 'static_ip', type: 'boolean', moves: 'any' },
  diskSpaceGb: { of: 'attribute', column: 'disk_space_gb', type: 'float8', moves: { share: 0.2 } },
  cpuCores: { of: 'newest', column: 'cpu_cores', type: 'float8' },
  /** Of these, how many the offer has. */
  cpuCoresEffective: { of: 'newest', column: 'cpu_cores_effective', type: 'float8' },
  cpuRamMb: { of: 'newest', column: 'cpu_ram_mb', type: 'float8' },
  cpuName: { of: 'newest', column: 'cpu_name', type: 'text' },
  maxDurationHours: {
    of: 'newest',
    column: 'max_duration_hours',
    type: 'float8',
    note: 'Longest rental that the machine can be had for, as of the book',
  },
  /** Ids of the offer's physical GPUs; null if the market lists none. */
  gpuIds: { of: 'attribute', column: 'gpu_ids', type: 'bigint[]', moves: 'any', isShownOnly: true },
} as const satisfies Record<string, StoredField>;

type Fields = typeof offerFields;
export type FieldName = keyof Fields;

interface Values {
  bigint: number;
  smallint: number;
  integer: number;
  float8: number;
  text: string;
  boolean: boolean;
  'bigint[]': readonly number[];
  name: string;
}
type ValueOf<Field extends StoredField> = Field extends { dictionary: 'verification_tier' }
  ? Verification
  : Values[Field['type']];

/** The values of the stored fields. null: the market did not state it. */
export type FieldValues = {
  [Name in FieldName]: ValueOf<Fields[Name]> | (Fields[Name] extends { isNeverNull: true } ? never : null);
};

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
