/** Heads of columns whose name says too little, or is put together from abbreviations. */
const heads: Readonly<Record<string, string>> = {
  allInUsdPerGpuHour: 'All-in USD per GPU hour',
  allInUsdPerHour: 'All-in USD per hour',
  bookVerdict: 'Coverage of the book',
  cudaMaxGood: 'Max CUDA version',
  datacenter: 'In a datacenter',
  discountRate: 'Discount',
  discountedUsdPerHour: 'Discount USD per hour',
  dlperf: 'DLPerf',
  gpuName: 'GPU model',
  gpuRamMb: 'VRAM per GPU, MB',
  gpus: 'GPUs',
  cpuRamMb: 'RAM, MB',
  diskGb: 'Disk, GB',
  diskSpaceGb: 'Disk, GB',
  inetDown: 'Download, Mbit/s',
  inetDownUsdPerGb: 'Download USD per GB',
  inetUp: 'Upload, Mbit/s',
  inetUpUsdPerGb: 'Upload USD per GB',
  isOutlier: 'Outlier',
  groupBy: 'Grouped by',
  key: 'Group',
  lowestInDays: 'Lowest in this many days',
  max: 'Highest',
  maxDurationHours: 'Longest rental, hours',
  min: 'Lowest',
  minBidUsdPerHour: 'Min bid USD per hour',
  movementPercent: 'Movement, %',
  numGpus: 'GPUs',
  p10: '10th percentile',
  p25: '25th percentile',
  p75: '75th percentile',
  p90: '90th percentile',
  percentile7d: 'Percentile in 7 days',
  percentile30d: 'Percentile in 30 days',
  percentile90d: 'Percentile in 90 days',
  physicalGpusIsLowerBound: 'Physical GPUs are a lower bound',
  rebasedHigh: 'Rebased, high',
  rebasedLow: 'Rebased, low',
  overEqualMachineUsd: 'Over an equal machine, USD',
  equalUsdPerHour: 'Equal machine USD per hour',
  stackBy: 'Stacked by',
  staticIp: 'Static IP',
  stderrPercent: 'Standard error, %',
  subkey: 'Second group',
  t: 'Time',
  totalTflops: 'TFLOPS',
  unattributable: 'Why nothing is compared',
};

const words: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  gb: 'GB',
  gpu: 'GPU',
  gpus: 'GPUs',
  id: 'ID',
  ids: 'IDs',
  mb: 'MB',
  ram: 'RAM',
  url: 'URL',
  usd: 'USD',
};

/** Returns the head of a column for people from its name in the API: `usdPerHour` is `USD per hour`. */
export function headOf(name: string): string {
  const known = heads[name];
  if (known !== undefined) return known;
  const spelled = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .map((word) => words[word] ?? word)
    .join(' ');
  return `${spelled[0]?.toUpperCase() ?? ''}${spelled.slice(1)}`;
}
