import { between, type Chance, logBetween, pickOne, pickWeighted, purposeOf } from './chance.ts';
import type { Chunk } from './chunks.ts';
import { disks, mainboards, processors, systems } from './hardware.ts';
import type { Machine } from './machines.ts';
import type { HourlyCosts, OfferRecord } from './offer-record.ts';

const p = {
  processor: purposeOf('processor'),
  board: purposeOf('mainboard'),
  disk: purposeOf('disk'),
  system: purposeOf('system'),
  ram: purposeOf('ram'),
  diskSpace: purposeOf('disk space'),
  diskSpeed: purposeOf('disk speed'),
  ports: purposeOf('ports'),
  dlperf: purposeOf('dlperf'),
  noDlperf: purposeOf('no dlperf'),
  pcie: purposeOf('pcie'),
  display: purposeOf('display'),
  vm: purposeOf('vm'),
  vmDeverified: purposeOf('vm deverified'),
  discount: purposeOf('credit discount'),
  volume: purposeOf('volume'),
  bundle: purposeOf('bundle'),
  nulls: purposeOf('nulls'),
};

/** How often a field is unknown, by machine (as in the recorded offers). */
const nullShares = {
  bundled_results: 0.996,
  cluster_id: 0.981,
  cpu_cores: 0.001,
  cpu_ghz: 0.001,
  cpu_name: 0.014,
  cuda_max_good: 0.008,
  discount_rate: 0.449,
  disk_bw: 0.005,
  driver_vers: 0.003,
  driver_version: 0.008,
  has_avx: 0.001,
  mobo_name: 0.049,
  os_version: 0.003,
  pcie_bw: 0.003,
  start_date: 0.058,
};
const nullPurposes = new Map(Object.keys(nullShares).map((field) => [field, purposeOf(`no ${field}`)]));

/** Whether this machine omits that field for its whole life. */
export function isUnknown(chance: Chance, machineKey: number, field: keyof typeof nullShares): boolean {
  return chance(nullPurposes.get(field) ?? p.nulls, machineKey) < nullShares[field];
}

const nothing: HourlyCosts = {
  discountTotalHour: 0,
  discountedTotalPerHour: 0,
  diskHour: 0,
  gpuCostPerHour: 0,
  totalHour: 0,
};

/** With less, a share of a machine would not hold what its GPU computes. */
const minRamMbPerGpu = 15_964;

/** The fields of an offer that stay the same for the machine's life; changing figures are 0 until filled in. */
export function fixedRecord(chance: Chance, machine: Machine, chunk: Chunk): OfferRecord {
  const { host, model, key } = machine;
  const share = chunk.count / machine.numGpus;
  const at = (purpose: number) => chance(purpose, key);
  const unless = <T>(field: keyof typeof nullShares, value: T) =>
    isUnknown(chance, key, field) ? null : value;
  const [cpuName, cpuCores, cpuGhz] = pickOne(processors, at(p.processor));
  const ramMb = Math.max(
    pickOne([15_964, 31_984, 64_215, 128_651, 257_541, 515_648, 1_031_860], at(p.ram)),
    minRamMbPerGpu * machine.numGpus,
  );
  const downUsdPerGb = host.inetDownUsdPerTb / 1024;
  const upUsdPerGb = host.inetUpUsdPerTb / 1024;
  const volumeUsdPerGbMonth = pickOne([0.02, 0.1, 0.2], at(p.volume));
  return {
    ask_contract_id: 0,
    avail_vol_ask_id: 0,
    avail_vol_dph: volumeUsdPerGbMonth / 720,
    avail_vol_size: Math.round(logBetween(1, 20_000, chance(p.volume, key, 1))),
    bundle_id: Math.floor(at(p.bundle) * 2 ** 31),
    bundled_results: unless('bundled_results', 10_157),
    bw_nvlink: machine.numGpus > 1 ? model.nvlinkGbPerS : 0,
    cluster_id: unless('cluster_id', 1 + Math.floor(at(p.bundle) * 106)),
    compute_cap: model.computeCap,
    cpu_arch: 'amd64',
    cpu_cores: unless('cpu_cores', cpuCores),
    cpu_cores_effective: cpuCores * share,
    cpu_ghz: unless('cpu_ghz', cpuGhz),
    cpu_name: unless('cpu_name', cpuName),
    cpu_ram: Math.floor(ramMb * share),
    credit_discount_max: pickOne([0, 0, 0, 0.1, 0.2, 0.4], at(p.discount)),
    cuda_max_good: null,
    direct_port_count: Math.floor(logBetween(1, 65_534, at(p.ports))) - 1,
    discount_rate: unless('discount_rate', 0),
    discounted_dph_total: 0,
    discounted_hourly: 0,
    disk_bw: unless('disk_bw', Math.round(logBetween(150, 30_000, at(p.diskSpeed)) * 10) / 10),
    disk_name: pickOne(disks, at(p.disk)),
    disk_space: Math.round(logBetween(60, 12_000, at(p.diskSpace)) * share * 10) / 10 + 9.5,
    dlperf: dlperfOf(machine, chunk, at(p.dlperf), at(p.noDlperf)),
    dlperf_per_dphtotal: null,
    dph_base: 0,
    dph_total: 0,
    dph_total_adj: 0,
    driver_vers: null,
    driver_version: null,
    duration: 0,
    end_date: 0,
    expected_reliability: 0,
    external: null,
    flops_per_dphtotal: 0,
    geolocation: host.geolocation,
    geolocode: host.geolocode,
    gpu_arch: 'nvidia',
    gpu_display_active: at(p.display) < 0.01,
    gpu_frac: share,
    gpu_ids: Array.from({ length: chunk.count }, (_, index) => machine.firstGpuId + chunk.first + index),
    gpu_lanes: model.pciGen > 3 && at(p.pcie) < 0.2 ? 8 : 16,
    gpu_max_power: model.watts,
    gpu_max_temp: 0,
    gpu_mem_bw: Math.round(model.memoryGbPerS * between(0.96, 1.02, at(p.pcie)) * 10) / 10,
    gpu_name: model.name,
    gpu_ram: model.ramMb,
    gpu_total_ram: model.ramMb * chunk.count,
    has_avx: unless('has_avx', 1),
    host_id: host.hostId,
    hosting_type: host.hostingType,
    hostname: null,
    id: 0,
    inet_down: 0,
    inet_down_cost: downUsdPerGb,
    inet_up: 0,
    inet_up_cost: upUsdPerGb,
    instance: nothing,
    internet_down_cost_per_tb: downUsdPerGb * 1024,
    internet_up_cost_per_tb: upUsdPerGb * 1024,
    is_bid: false,
    is_vm_deverified: at(p.vmDeverified) < 0.2,
    logo: '/static/logos/host_small.png',
    machine_id: machine.machineId,
    min_bid: 0,
    mobo_name: unless('mobo_name', pickOne(mainboards, at(p.board))),
    num_gpus: chunk.count,
    nw_disk_avg_bw: null,
    nw_disk_max_bw: null,
    nw_disk_min_bw: null,
    os_version: unless('os_version', pickWeighted(systems, at(p.system))),
    pci_gen: model.pciGen,
    pcie_bw: unless('pcie_bw', Math.round(model.pciGen ** 2 * between(0.5, 2.2, at(p.pcie)) * 10) / 10),
    public_ipaddr: host.ipAddress,
    reliability: 0,
    reliability2: 0,
    reliability_mult: 0,
    rentable: true,
    rented: false,
    resource_type: 'gpu',
    rn: 1,
    score: 0,
    search: nothing,
    start_date: null,
    static_ip: host.staticIp,
    storage_cost: host.storageUsdPerGbMonth,
    storage_total_cost: 0,
    time_remaining: '',
    time_remaining_isbid: '',
    total_flops: model.tflops * chunk.count,
    vericode: 0,
    verification: 'unverified',
    vms_enabled: at(p.vm) < 0.04,
    vram_costperhour: 0,
    webpage: null,
  };
}

/** Null for two machines in a thousand, and 0 for as many: both mean that there is no score. */
function dlperfOf(machine: Machine, chunk: Chunk, quality: number, missing: number): number | null {
  if (missing < 0.004) return missing < 0.002 ? null : 0;
  const together = 1 - 0.004 * (chunk.count - 1);
  return machine.model.dlperf * between(0.92, 1.05, quality) * chunk.count * together;
}
