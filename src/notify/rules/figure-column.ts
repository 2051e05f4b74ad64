import type { RuleOffer } from '../../db/notify/rule-offers.ts';
import { defaultProfile, type RankingFigure, type UsageProfile } from '../../domain/metric.ts';

const names = [
  'reliability',
  'gpuRamMb',
  'cudaMaxGood',
  'diskSpaceGb',
  'inetDown',
  'inetUp',
  'dlperf',
  'totalTflops',
  'baseUsdPerHour',
  'storageUsdPerGbMonth',
  'inetDownUsdPerGb',
  'inetUpUsdPerGb',
  'numGpus',
] as const;

/** Numbers of offers by place; NaN: the market did not say. */
export type NumberColumns = Readonly<Record<(typeof names)[number], Float64Array>>;

export const readNumbers = (offers: readonly RuleOffer[]): NumberColumns =>
  Object.fromEntries(
    names.map((name) => [name, Float64Array.from(offers, (offer) => offer[name] ?? Number.NaN)]),
  ) as Record<(typeof names)[number], Float64Array>;

const hoursPerMonth = 720;
const megabytesPerGb = 1000;
const nan = Number.NaN;

/** The figure of each place; NaN: it has none. The same as domain's `rankingValue`, and the price of the whole offer. */
export function figureColumn(
  numbers: NumberColumns,
  by: RankingFigure | 'usdPerHour',
  profile: Partial<UsageProfile>,
): Float64Array {
  const { storageGb, downGb, upGb, runningHours, stoppedHours } = { ...defaultProfile, ...profile };
  const { storageUsdPerGbMonth, numGpus, dlperf, gpuRamMb, totalTflops } = numbers;
  const { inetDownUsdPerGb: down, inetUpUsdPerGb: up } = numbers;
  const storage = (at: number): number => (storageUsdPerGbMonth[at] ?? nan) * storageGb;
  return numbers.baseUsdPerHour.map((base, at) => {
    const price = base + storage(at) / hoursPerMonth;
    // Nothing is divided by nothing.
    const over = (divisor: number | undefined): number => (divisor ? price / divisor : nan);
    switch (by) {
      case 'usdPerHour':
        return price;
      case 'usdPerGpuHour':
        return over(numGpus[at]);
      case 'usdPerDlperfHour':
        return over(dlperf[at]);
      case 'usdPerGbVramHour':
        return over(((gpuRamMb[at] ?? nan) / megabytesPerGb) * (numGpus[at] ?? nan));
      case 'usdPerTflopHour':
        return over(totalTflops[at]);
      case 'allInUsdPerHour': {
        const disk = (storage(at) / hoursPerMonth) * (runningHours + stoppedHours);
        const traffic = [(down[at] ?? nan) * downGb, (up[at] ?? nan) * upGb] as const;
        return (base * runningHours + disk + traffic[0] + traffic[1]) / runningHours;
      }
    }
    return nan;
  });
}
