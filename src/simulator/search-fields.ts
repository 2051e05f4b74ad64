/**
 * How values of a field compare. `number`: numeric strings too; `text`: by code unit; `flag`: true or false;
 * `version`: part by part, missing parts are 0; `country`: the two-letter code at the end of a place;
 * `switch`: on or off, no comparison.
 */
export type FieldKind = 'number' | 'text' | 'flag' | 'version' | 'country' | 'switch';

const filterKinds = {
  bw_nvlink: 'number',
  compute_cap: 'number',
  cpu_arch: 'text',
  cpu_cores: 'number',
  cpu_cores_effective: 'number',
  cpu_ghz: 'number',
  cpu_ram: 'number',
  cuda_max_good: 'number',
  datacenter: 'switch',
  direct_port_count: 'number',
  disk_bw: 'number',
  disk_space: 'number',
  dlperf: 'number',
  dlperf_per_dphtotal: 'number',
  dph_total: 'number',
  driver_version: 'version',
  duration: 'number',
  external: 'switch',
  flops_per_dphtotal: 'number',
  geolocation: 'country',
  gpu_arch: 'text',
  gpu_display_active: 'flag',
  gpu_frac: 'number',
  gpu_max_power: 'number',
  gpu_max_temp: 'number',
  gpu_mem_bw: 'number',
  gpu_name: 'text',
  gpu_ram: 'number',
  gpu_total_ram: 'number',
  has_avx: 'number',
  host_id: 'number',
  id: 'number',
  inet_down: 'number',
  inet_down_cost: 'number',
  inet_up: 'number',
  inet_up_cost: 'number',
  machine_id: 'number',
  min_bid: 'number',
  mobo_name: 'text',
  num_gpus: 'number',
  os_version: 'version',
  pci_gen: 'number',
  pcie_bw: 'number',
  reliability: 'number',
  rentable: 'flag',
  rented: 'flag',
  static_ip: 'flag',
  storage_cost: 'number',
  total_flops: 'number',
  ubuntu_version: 'version',
  verification: 'text',
  verified: 'flag',
  vms_enabled: 'flag',
} as const satisfies Record<string, FieldKind>;

const orderOnlyKinds = {
  ask_contract_id: 'number',
  avail_vol_ask_id: 'number',
  avail_vol_dph: 'number',
  avail_vol_size: 'number',
  bundle_id: 'number',
  cluster_id: 'number',
  cpu_name: 'text',
  credit_discount_max: 'number',
  discount_rate: 'number',
  discounted_dph_total: 'number',
  discounted_hourly: 'number',
  disk_name: 'text',
  dph_base: 'number',
  dph_total_adj: 'number',
  driver_vers: 'number',
  end_date: 'number',
  expected_reliability: 'number',
  geolocode: 'number',
  gpu_lanes: 'number',
  hosting_type: 'number',
  internet_down_cost_per_tb: 'number',
  internet_up_cost_per_tb: 'number',
  public_ipaddr: 'text',
  reliability2: 'number',
  reliability_mult: 'number',
  rn: 'number',
  score: 'number',
  start_date: 'number',
  storage_total_cost: 'number',
  vericode: 'number',
  vram_costperhour: 'number',
} as const satisfies Record<string, FieldKind>;

export type FilterField = keyof typeof filterKinds;
/** A field that offers can be ordered by; every filter is one. */
export type OfferField = FilterField | keyof typeof orderOnlyKinds;

const kinds: Readonly<Record<OfferField, FieldKind>> = { ...filterKinds, ...orderOnlyKinds };

/** The filter parameters of a search, and three public ones. Source: docs/marketplace.md#42-search-offers. */
export const filterFields = Object.keys(filterKinds) as FilterField[];

export const isFilterField = (name: string): name is FilterField => Object.hasOwn(filterKinds, name);

export const isOfferField = (name: string): name is OfferField => Object.hasOwn(kinds, name);

export const fieldKind = (field: OfferField): FieldKind => kinds[field];

const sources: Readonly<Partial<Record<OfferField, string>>> = {
  datacenter: 'hosting_type',
  ubuntu_version: 'os_version',
  verified: 'verification',
};

/** The field of a record that the filter compares. */
export const sourceField = (field: OfferField): string => sources[field] ?? field;
