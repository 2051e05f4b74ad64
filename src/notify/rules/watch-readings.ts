import type { RankingFigure, UsageProfile } from '../../domain/metric.ts';
import type { PriceRuleKind } from '../../domain/rule.ts';
import type { Reading } from '../../domain/rule-condition.ts';
import type { WatchFilters } from '../../domain/watch.ts';
import { figureOf, type OfferTable } from './offer-table.ts';

/** What of a watch its rules are judged by. */
export interface JudgedWatch {
  filters: WatchFilters;
  profile: UsageProfile;
  rankBy: RankingFigure;
}

/** The readings of a rule in a book, and the offer that each is of; -1: of none. */
export interface RuleReadings {
  readings: Map<string, Reading>;
  places: Map<string, number>;
}

/** The percentile of the price of the offer in a place; null: not enough history. */
export type PercentileAt = (place: number, days: number) => number | null;

/** Looks a watch up in a table once, for all its rules. */
export function createWatchReader(table: OfferTable, watch: JudgedWatch, percentileAt: PercentileAt) {
  const { filters, profile } = watch;
  const found = table.match(filters, profile.storageGb);
  const by = watch.rankBy === 'usdPerDlperfHour' && !table.hasDlperf ? 'usdPerGpuHour' : watch.rankBy;
  const figure = figureOf(table, by, profile);

  const best = (): RuleReadings => {
    let [place, value, held, heldPlace] = [-1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1];
    for (const at of found) {
      if (table.joke[at] === 1) continue;
      const each = figure(at);
      // Places ascend by listing: of equal offers the first listing is the best.
      if (each < held) [held, heldPlace] = [each, at];
      if (table.missing[at] === 0 && each < value) [value, place] = [each, at];
    }
    const reading = { value: place < 0 ? null : value, held: heldPlace < 0 ? null : held };
    return one(reading, place, heldPlace);
  };
  const one = (reading: Reading, place: number, heldPlace = place): RuleReadings => ({
    readings: new Map([['best', reading]]),
    places: new Map([
      ['best', place],
      ['held', heldPlace],
    ]),
  });
  const supply = (): RuleReadings => {
    let there = 0;
    for (const at of found) if (table.missing[at] === 0) there += 1;
    return one({ value: there, held: found.length }, best().places.get('best') ?? -1);
  };
  const each = (): RuleReadings => {
    const readings = new Map<string, Reading>();
    const places = new Map<string, number>();
    for (const at of found) {
      const value = figure(at);
      const offer = table.offers[at];
      if (table.joke[at] === 1 || Number.isNaN(value) || offer === undefined) continue;
      const key = String(offer.listingId);
      readings.set(key, { value: table.missing[at] === 1 ? null : value, held: value });
      places.set(key, at);
    }
    return { readings, places };
  };
  const spread = (): RuleReadings => {
    const perGpu = figureOf(table, 'usdPerGpuHour', profile);
    const lowest = (type: string, withMissing: boolean): [number, number] => {
      let [value, place] = [Number.POSITIVE_INFINITY, -1];
      for (const at of found) {
        if (table.joke[at] === 1 || table.offers[at]?.type !== type) continue;
        if (!withMissing && table.missing[at] === 1) continue;
        const price = perGpu(at);
        if (price < value) [value, place] = [price, at];
      }
      return [value, place];
    };
    const percent = (withMissing: boolean): number | null => {
      const [onDemand, bid] = [lowest('on-demand', withMissing)[0], lowest('bid', withMissing)[0]];
      return Number.isFinite(onDemand) && Number.isFinite(bid) && onDemand > 0
        ? Number((100 * (1 - bid / onDemand)).toPrecision(12))
        : null;
    };
    return one({ value: percent(false), held: percent(true) }, lowest('bid', false)[1]);
  };
  return (kind: PriceRuleKind, params: Readonly<Record<string, unknown>>): RuleReadings => {
    if (kind === 'backInStock' || kind === 'supplyBelow') return supply();
    if (kind === 'bidSpread') return spread();
    const readings = params.perListing === true ? each() : best();
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
