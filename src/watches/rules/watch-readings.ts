import { defaultMetric, type Metric, type UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Places } from '../../core/offer-columns.ts';
import { typesOfWatch, type WatchFilters } from '../watch.ts';
import type { OfferTable } from './offer-table.ts';
import { metricOfRule, type PriceRuleKind } from './rule.ts';
import type { Reading } from './rule-condition.ts';

/** The parts of a watch that its rules use. */
export interface JudgedWatch {
  filters: WatchFilters;
  profile: UsageProfile;
}

/** The readings of a rule in a book, and the index of the offer of each; -1: none. */
export interface RuleReadings {
  readings: Map<string, Reading>;
  places: Map<string, number>;
}

/** Returns the percentile of the price of the offer at an index; null: not enough history. */
export type PercentileAt = (place: number, days: number) => number | null;

/** Returns the change of a model's index over 1, 7 or 27 days, percent; null: no change is `clear`. */
export type IndexChangeOf = (type: PricingType, gpuName: string, days: number) => number | null;

export interface ReadingSources {
  percentileAt: PercentileAt;
  indexChangeOf: IndexChangeOf;
}

/** Looks up a watch in a table, for all its rules. */
export function createWatchReader(table: OfferTable, watch: JudgedWatch, sources: ReadingSources) {
  const { percentileAt, indexChangeOf } = sources;
  const { filters, profile } = watch;
  const found = table.match(filters, profile.storageGb);
  const isFound = new Uint8Array(table.offers.length);
  for (const place of found) isFound[place] = 1;

  /** The best matching offers by a metric: including missing ones, and only of those that are listed. */
  const lowest = (order: Places, type: string | null): { place: number; heldPlace: number } => {
    let heldPlace = -1;
    if (found.length === 0) return { place: -1, heldPlace };
    for (const at of order) {
      if (isFound[at] === 0 || table.isOutlier[at] === 1) continue;
      if (type !== null && table.offers[at]?.type !== type) continue;
      if (heldPlace < 0) heldPlace = at;
      if (table.missing[at] === 0) return { place: at, heldPlace };
    }
    return { place: -1, heldPlace };
  };
  const best = (by: Metric): RuleReadings => {
    const { values, order } = table.figures(by, profile);
    const { place, heldPlace } = lowest(order, null);
    return one({ value: values[place] ?? null, held: values[heldPlace] ?? null }, place, heldPlace);
  };
  const one = (reading: Reading, place: number, heldPlace = place): RuleReadings => ({
    readings: new Map([['best', reading]]),
    places: new Map([
      ['best', place],
      ['held', heldPlace],
    ]),
  });
  const supply = (): RuleReadings => {
    const there = found.filter((at) => table.missing[at] === 0).length;
    return one({ value: there, held: found.length }, best(defaultMetric).places.get('best') ?? -1);
  };
  const each = (by: Metric): RuleReadings => {
    const { values } = table.figures(by, profile);
    const readings = new Map<string, Reading>();
    const places = new Map<string, number>();
    for (const at of found) {
      const value = values[at] ?? Number.NaN;
      const offer = table.offers[at];
      if (table.isOutlier[at] === 1 || Number.isNaN(value) || offer === undefined) continue;
      const key = String(offer.listingId);
      readings.set(key, { value: table.missing[at] === 1 ? null : value, held: value });
      places.set(key, at);
    }
    return { readings, places };
  };
  const spread = (): RuleReadings => {
    const { values, order } = table.figures('usdPerGpuHour', profile);
    const [onDemand, bid] = [lowest(order, 'on-demand'), lowest(order, 'bid')];
    const percent = (own: number, other: number): number | null => {
      const [price, floor] = [values[own], values[other]];
      return price === undefined || floor === undefined || price <= 0
        ? null
        : Number((100 * (1 - floor / price)).toPrecision(12));
    };
    const reading = {
      value: percent(onDemand.place, bid.place),
      held: percent(onDemand.heldPlace, bid.heldPlace),
    };
    return one(reading, bid.place);
  };
  const indexChange = (days: number): RuleReadings => {
    // A rule of this kind belongs to a watch of one model and type.
    const [type, gpuName] = [typesOfWatch(filters)[0], filters.gpuName?.[0]];
    const value = type === undefined || gpuName === undefined ? null : indexChangeOf(type, gpuName, days);
    return one({ value, held: value }, best(defaultMetric).places.get('best') ?? -1);
  };
  return (kind: PriceRuleKind, params: Readonly<Record<string, unknown>>): RuleReadings => {
    if (kind === 'backInStock' || kind === 'supplyBelow') return supply();
    if (kind === 'bidSpread') return spread();
    if (kind === 'indexChange') return indexChange(Number(params.days));
    const by = metricOfRule({ kind, params }) ?? defaultMetric;
    const readings = params.perListing === true ? each(by) : best(by);
    if (kind === 'percentileBelow') addPercentiles(readings, Number(params.days));
    return readings;
  };

  function addPercentiles({ readings, places }: RuleReadings, days: number): void {
    for (const [key, reading] of readings) {
      const place = places.get(key) ?? -1;
      const heldPlace = key === 'best' ? (places.get('held') ?? -1) : place;
      reading.percentile = place < 0 || reading.value === null ? null : percentileAt(place, days);
      reading.heldPercentile = heldPlace < 0 ? null : percentileAt(heldPlace, days);
    }
  }
}
