import { defaultProfile, type UsageProfile } from '../../core/metric.ts';
import type { OfferColumns } from '../../core/offer-columns.ts';
import type { RuleMetric } from './rule.ts';

const hoursPerMonth = 720;
const megabytesPerGb = 1000;
const nan = Number.NaN;

/** The figure of each place; NaN: it has none. The same as domain's `rankingValue`, and the price of the whole offer. */
export function figureColumn(
  numbers: OfferColumns['numbers'],
  by: RuleMetric,
  profile: Partial<UsageProfile>,
): Float64Array {
  const { storageGb, downGb, upGb, runningHours, stoppedHours } = { ...defaultProfile, ...profile };
  const { baseUsdPerHour, storageUsdPerGbMonth, numGpus, dlperf, gpuRamMb, totalTflops } = numbers;
  const { inetDownUsdPerGb: down, inetUpUsdPerGb: up } = numbers;
  const base = (at: number): number => baseUsdPerHour[at] ?? nan;
  const disk = (at: number): number => ((storageUsdPerGbMonth[at] ?? nan) * storageGb) / hoursPerMonth;
  const price = (at: number): number => base(at) + disk(at);
  // Nothing is divided by nothing.
  const over = (at: number, divisor: number | undefined): number => (divisor ? price(at) / divisor : nan);
  const figures: Record<typeof by, (at: number) => number> = {
    usdPerHour: price,
    usdPerGpuHour: (at) => over(at, numGpus[at]),
    usdPerDlperfHour: (at) => over(at, dlperf[at]),
    usdPerGbVramHour: (at) => over(at, ((gpuRamMb[at] ?? nan) / megabytesPerGb) * (numGpus[at] ?? nan)),
    usdPerTflopHour: (at) => over(at, totalTflops[at]),
    allInUsdPerHour: (at) => {
      const traffic = [(down[at] ?? nan) * downGb, (up[at] ?? nan) * upGb] as const;
      const disks = disk(at) * (runningHours + stoppedHours);
      return (base(at) * runningHours + disks + traffic[0] + traffic[1]) / runningHours;
    },
  };
  const figure = figures[by];
  const column = new Float64Array(baseUsdPerHour.length);
  for (let at = 0; at < column.length; at += 1) column[at] = figure(at);
  return column;
}
