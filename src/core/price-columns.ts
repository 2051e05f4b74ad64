import type { RankingFigure, UsageProfile } from './metric.ts';
import type { OfferColumns, Places } from './offer-columns.ts';
import { metricValueOf, offerUsdPerHour, type PriceParts } from './price-formulas.ts';

type Numbers = OfferColumns['numbers'];

const megabytesPerGb = 1000;

/** $/hour of the whole offer at each of the places; NaN: the price of storage is unknown. */
export function usdPerHourOf(numbers: Numbers, places: Places, storageGb: number): Float64Array {
  const parts = partsOf(numbers);
  return valuesAt(places, (place) => offerUsdPerHour(parts(place), storageGb));
}

/** The figure that offers are ranked by at each of the places, as `createRankingFigure` has it; NaN: there is none. */
export function rankingFiguresOf(
  { numbers }: OfferColumns,
  places: Places,
  by: RankingFigure,
  profile: UsageProfile,
): Float64Array {
  const parts = partsOf(numbers);
  if (by === 'allInUsdPerHour') {
    const offer = { numGpus: 1, dlperf: Number.NaN };
    return valuesAt(places, (place) => metricValueOf(by, parts(place), profile, offer));
  }
  const divisor = divisorOf(numbers, by);
  return valuesAt(places, (place) => {
    const over = divisor(place);
    return over === 0 ? Number.NaN : offerUsdPerHour(parts(place), profile.storageGb) / over;
  });
}

function valuesAt(places: Places, figureAt: (place: number) => number): Float64Array {
  const values = new Float64Array(places.length);
  for (let index = 0; index < places.length; index += 1) values[index] = figureAt(places[index] as number);
  return values;
}

/** What the price is divided by; NaN: unknown. */
function divisorOf(
  { numGpus, dlperf, gpuRamMb, totalTflops }: Numbers,
  by: Exclude<RankingFigure, 'allInUsdPerHour'>,
): (place: number) => number {
  switch (by) {
    case 'usdPerGpuHour':
      return (place) => numGpus[place] as number;
    case 'usdPerDlperfHour':
      return (place) => dlperf[place] as number;
    case 'usdPerTflopHour':
      return (place) => totalTflops[place] as number;
    case 'usdPerGbVramHour':
      return (place) => ((gpuRamMb[place] as number) / megabytesPerGb) * (numGpus[place] as number);
  }
}

/** The price components of one place at a time: the same object each time. */
function partsOf(numbers: Numbers): (place: number) => PriceParts {
  const { baseUsdPerHour, storageUsdPerGbMonth, inetDownUsdPerGb, inetUpUsdPerGb } = numbers;
  const parts: PriceParts = {
    ...{ baseUsdPerHour: 0.5, storageUsdPerGbMonth: 0.5, inetDownUsdPerGb: 0.5, inetUpUsdPerGb: 0.5 },
  };
  return (place) => {
    parts.baseUsdPerHour = baseUsdPerHour[place] as number;
    parts.storageUsdPerGbMonth = storageUsdPerGbMonth[place] as number;
    parts.inetDownUsdPerGb = inetDownUsdPerGb[place] as number;
    parts.inetUpUsdPerGb = inetUpUsdPerGb[place] as number;
    return parts;
  };
}
