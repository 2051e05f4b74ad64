import type { Metric, UsageProfile } from '../../core/metric.ts';
import { type Places, placesWhere, toColumns } from '../../core/offer-columns.ts';
import { matchingPlaces } from '../../core/offer-match.ts';
import { metricValuesOf } from '../../core/price-columns.ts';
import { type Blocklist, isListed } from '../../prices/rankings/blocklist.ts';
import { typesOfWatch, type WatchFilters } from '../watch.ts';
import type { RuleOffer } from './rule-offers.sql.ts';

/** Offers arranged for matching many watches. */
interface ArrangedOffers {
  offers: readonly ArrangedOffer[];
  /** Indexes of the offers that match. */
  match: (filters: WatchFilters, storageGb: number) => Places;
  /** The metric of each offer, NaN if unknown, and the indexes with a value, lowest first. */
  figures: (by: Metric, profile: UsageProfile) => Figures;
}

/** Whether it is missing differs from book to book. */
export type ArrangedOffer = Omit<RuleOffer, 'missing'>;

/** What differs from book to book: entry i of each is offer i. */
export interface BookMarks {
  /** 1: missing in the book and not yet gone. */
  missing: Uint8Array;
  /** 1: an outlier, which is never a best price. */
  isOutlier: Uint8Array;
}

/** The offers of a book, arranged for matching many watches. One of the past has offers of other books too, which never match. */
export interface OfferTable extends ArrangedOffers, BookMarks {}

export interface Figures {
  values: Float64Array;
  order: Places;
}

const maxCached = 64;

/** Arranges the offers of one book; blocked machines and hosts match nothing. */
export const createOfferTable = (
  offers: readonly ArrangedOffer[],
  marks: BookMarks,
  blocklist: Blocklist,
): OfferTable => ({ ...arrangeOffers(offers, blocklist), ...marks });

/** Arranges the offers of many books once; returns the table of a book: of its offers, at `places`, those that match. */
export function arrangePast(
  offers: readonly ArrangedOffer[],
  blocklist: Blocklist,
): (places: Places, marks: BookMarks) => OfferTable {
  const all = arrangeOffers(offers, blocklist);
  const matches = new Map<string, Uint8Array>();
  const matchesOf = (filters: WatchFilters, storageGb: number): Uint8Array =>
    kept(matches, JSON.stringify([filters, storageGb]), () => {
      const isMatch = new Uint8Array(offers.length);
      for (const place of all.match(filters, storageGb)) isMatch[place] = 1;
      return isMatch;
    });
  return (places, marks) => ({
    ...all,
    ...marks,
    match: (filters, storageGb) => {
      const isMatch = matchesOf(filters, storageGb);
      return placesWhere(places, (place) => isMatch[place] === 1);
    },
  });
}

function arrangeOffers(offers: readonly ArrangedOffer[], blocklist: Blocklist): ArrangedOffers {
  const columns = toColumns(offers);
  const figures = new Map<string, Figures>();
  const series = new Map<string, Places>();
  const all: Places = Int32Array.from(offers.keys());
  const allowed = all.filter((place) => !isListed(blocklist.block, offers[place] as ArrangedOffer));
  return {
    offers,
    match: (filters, storageGb) => {
      const { gpuName = [], type: _, ...conditions } = filters;
      const types = typesOfWatch(filters);
      const places = kept(series, `${types} ${gpuName.join('|')}`, () =>
        placesWhere(allowed, (place) => {
          const offer = offers[place] as ArrangedOffer;
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
