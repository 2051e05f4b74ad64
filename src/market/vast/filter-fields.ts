import type { Dialect } from './dialect.ts';
import type { FieldType, FieldTypes } from './filter-rules.ts';

const typed = (type: FieldType, names: string): FieldTypes =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, type]));

/** Fields that the offer search filters by. Source: docs/marketplace.md#42-search-offers. */
const offerFields: FieldTypes = {
  ...typed('boolean', 'verified rentable rented external gpu_display_active static_ip vms_enabled'),
  ...typed('text', 'gpu_name geolocation gpu_arch driver_version cpu_arch mobo_name os_version verification'),
  ...typed(
    'number',
    `reliability num_gpus gpu_ram duration machine_id host_id dlperf dlperf_per_dphtotal dph_total
     flops_per_dphtotal cuda_max_good inet_down inet_up inet_down_cost inet_up_cost compute_cap has_avx
     cpu_cores cpu_cores_effective cpu_ghz cpu_ram disk_bw disk_space bw_nvlink gpu_max_power gpu_max_temp
     gpu_mem_bw gpu_total_ram gpu_frac direct_port_count id min_bid pci_gen pcie_bw storage_cost total_flops`,
  ),
};

/** Fields that the template search filters by. Source: docs/marketplace.md#23-template. */
export const templateFields: FieldTypes = {
  ...typed('boolean', 'jup_direct recommended ssh_direct use_ssh'),
  ...typed('text', 'default_tag docker_login_repo image hash_id name tag'),
  ...typed('number', 'creator_id created_at count_created id recent_create_date recommended_disk_space'),
};

/** Returns the offer search's fields plus those named by the dialect. */
export function offerFieldsOf({ search }: Dialect): FieldTypes {
  return {
    ...offerFields,
    [search.datacenterParameter]: 'boolean',
    [search.osVersionAlias]: 'text',
    ...search.extraFilterFields,
  };
}
