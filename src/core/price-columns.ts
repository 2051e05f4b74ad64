import { type Metric, type MetricSpec, metrics, type UsageProfile } from './metric.ts';
import type { OfferColumns, Places } from './offer-columns.ts';
import { createMetric, offerUsdPerHour, type PriceParts } from './price-formulas.ts';

type Numbers = OfferColumns['numbers'];

/** Returns $/hour of the whole offer for each index; NaN: the storage price is unknown. */
export function usdPerHourOf(numbers: Numbers, places: Places, storageGb: number): Float64Array {
  const parts = partsOf(numbers);
  return valuesAt(places, (place) => offerUsdPerHour(parts(place), storageGb));
}

/** Returns the value of a metric for each index, like `metricValue` for one offer; NaN: there is none. */
export function metricValuesOf(
  { numbers }: Pick<OfferColumns, 'numbers'>,
  places: Places,
  metric: Metric,
  profile: UsageProfile,
): Float64Array {
  const { per }: MetricSpec = metrics[metric];
  const parts = partsOf(numbers);
  const value = createMetric(metric, profile);
  const factors = per.map(({ field, over = 1 }) => ({ column: numbers[field], over }));
  return valuesAt(places, (place) => {
    let divisor = 1;
    for (const { column, over } of factors) divisor *= (column[place] as number) / over;
    return value(parts(place), divisor);
  });
}

function valuesAt(places: Places, figureAt: (place: number) => number): Float64Array {
  const values = new Float64Array(places.length);
  for (let index = 0; index < places.length; index += 1) values[index] = figureAt(places[index] as number);
  return values;
}

/** Yields the price components of one offer after another, in the same object each time. */
function partsOf(numbers: Numbers): (place: number) => PriceParts {
  const { baseUsdPerHour, storageUsdPerGbMonth, inetDownUsdPerGb, inetUpUsdPerGb } = numbers;
  const parts: PriceParts = {
    baseUsdPerHour: 0.5,
    storageUsdPerGbMonth: 0.5,
    inetDownUsdPerGb: 0.5,
    inetUpUsdPerGb: 0.5,
  };
  return (place) => {
    parts.baseUsdPerHour = baseUsdPerHour[place] as number;
    parts.storageUsdPerGbMonth = storageUsdPerGbMonth[place] as number;
    parts.inetDownUsdPerGb = inetDownUsdPerGb[place] as number;
    parts.inetUpUsdPerGb = inetUpUsdPerGb[place] as number;
    return parts;
  };
}
