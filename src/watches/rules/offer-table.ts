import type { Metric, UsageProfile } from '../../core/metric.ts';
import { type Places, placesWhere, toColumns } from '../../core/offer-columns.ts';
import { matchingPlaces } from '../../core/offer-match.ts';
import { metricValuesOf } from '../../core/price-columns.ts';
import { type Blocklist, isListed } from '../../prices/rankings/blocklist.ts';
import { typesOfWatch, type WatchFilters } from '../watch.ts';
import type { RuleOffer } from './rule-offers.sql.ts';

/** The offers of a book, arranged for matching many watches. */
export interface OfferTable {
  offers: readonly RuleOffer[];
  /** 1: missing in the book and not yet gone. */
  missing: Uint8Array;
  /** 1: an outlier, which is never a best price. */
  isOutlier: Uint8Array;
  /** Indexes of the offers that match. */
  match: (filters: WatchFilters, storageGb: number) => Places;
  /** The metric of each offer, NaN if unknown, and the indexes with a value, lowest first. */
  figures: (by: Metric, profile: UsageProfile) => Figures;
}

export interface Figures {
  values: Float64Array;
  order: Places;
}

const maxCached = 64;

/** Arranges offers; blocked machines and hosts match nothing. `isOutlier` judges each offer once. */
export function createOfferTable(
  offers: readonly RuleOffer[],
  isOutlier: (offer: RuleOffer) => boolean,
  blocklist: Blocklist,
): OfferTable {
  const columns = toColumns(offers);
  const figures = new Map<string, Figures>();
  const series = new Map<string, Places>();
  const all: Places = Int32Array.from(offers.keys());
  const allowed = all.filter((place) => !isListed(blocklist.block, offers[place] as RuleOffer));
  return {
    offers,
    missing: Uint8Array.from(offers, (offer) => (offer.missing ? 1 : 0)),
    isOutlier: Uint8Array.from(offers, (offer) => (isOutlier(offer) ? 1 : 0)),
    match: (filters, storageGb) => {
      const { gpuName = [], type: _, ...conditions } = filters;
      const types = typesOfWatch(filters);
      const places = kept(series, `${types} ${gpuName.join('|')}`, () =>
        placesWhere(allowed, (place) => {
          const offer = offers[place] as RuleOffer;
          return types.includes(offer.type) && (gpuName.length === 0 || gpuName.includes(offer.gpuName));
        }),
      );
      return matchingPlaces(columns, places, conditions, storageGb);
    },
    figures: (by, profile) =>
      kept(figures, `${by} ${Object.values(profile).join(' ')}`, () => {
        const values = metricValuesOf(columns, all, by, profile);
        const known = placesWhere(all, (at) => !Number.isNaN(values[at]));
        // Of equal offers the first listing is the best.
        const order = known.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
        return { values, order };
      }),
  };
}

/** Most watches use the same few metrics: results are cached, within bounds. */
function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (map.size < maxCached) map.set(key, made);
  return made;
}
