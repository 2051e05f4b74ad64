/** The fields of an offer, those of its two objects after a dot. Source: docs/marketplace.md#21-offer. */
export const offerFields: readonly string[] = [
  ...`id ask_contract_id bundle_id bw_nvlink compute_cap cpu_cores cpu_cores_effective cpu_ram direct_port_count
  driver_vers end_date geolocode gpu_lanes gpu_ram gpu_total_ram gpu_max_power gpu_max_temp has_avx host_id
  hosting_type machine_id num_gpus pci_gen vericode rn avail_vol_ask_id avail_vol_size cpu_ghz credit_discount_max
  cuda_max_good disk_bw disk_space dlperf dlperf_per_dphtotal dph_base dph_total dph_total_adj duration
  flops_per_dphtotal gpu_frac gpu_mem_bw inet_down inet_up inet_down_cost inet_up_cost min_bid pcie_bw reliability
  reliability2 reliability_mult expected_reliability score start_date storage_cost storage_total_cost total_flops
  vram_costperhour avail_vol_dph discount_rate discounted_hourly discounted_dph_total internet_up_cost_per_tb
  internet_down_cost_per_tb cpu_arch cpu_name disk_name driver_version geolocation gpu_arch gpu_name logo mobo_name
  os_version public_ipaddr resource_type time_remaining time_remaining_isbid verification gpu_display_active is_bid
  rentable rented static_ip vms_enabled is_vm_deverified gpu_ids bundled_results external hostname webpage cluster_id
  nw_disk_min_bw nw_disk_max_bw nw_disk_avg_bw search instance`.split(/\s+/),
  ...['search', 'instance'].flatMap((object) =>
    ['gpuCostPerHour', 'diskHour', 'totalHour', 'discountTotalHour', 'discountedTotalPerHour'].map(
      (field) => `${object}.${field}`,
    ),
  ),
];
