import type { UsageProfile } from '../../core/metric.ts';
import { type NumberField, toColumns } from '../../core/offer-columns.ts';
import { conditionsOf } from '../../core/offer-filter.ts';
import { type Blocklist, isListed } from '../../prices/rankings/blocklist.ts';
import type { WatchFilters } from '../watch.ts';
import { figureColumn } from './figure-column.ts';
import { createMatches, type Matches } from './matches.ts';
import { atLeastOf, createNumberIndex, type NumberCondition, type NumberIndex } from './number-index.ts';
import type { RuleMetric } from './rule.ts';
import type { RuleOffer } from './rule-offers.sql.ts';

/** The offers of a book by column, so that thousands of watches can be held against them. */
export interface OfferTable {
  offers: readonly RuleOffer[];
  /** 1: missing in the book and not yet gone. */
  missing: Uint8Array;
  /** 1: a joke price, which is no best price. */
  joke: Uint8Array;
  /** The offers that match; its sets are good until the next call. */
  match: (filters: WatchFilters, storageGb: number) => Matches;
  /** The figure of each place, NaN: it has none; and the places that have one, the lowest first. */
  figures: (by: RuleMetric, profile: UsageProfile) => Figures;
}

export interface Figures {
  values: Float64Array;
  order: Uint32Array;
}

const mostKept = 2_000;
const mostFigures = 64;

/** Arranges offers; blocked machines and hosts match nothing. `isJoke` judges each offer once. */
export function createOfferTable(
  offers: readonly RuleOffer[],
  isJoke: (offer: RuleOffer) => boolean,
  blocklist: Blocklist,
): OfferTable {
  const size = offers.length;
  const words = Math.ceil(size / 32);
  const { numbers } = toColumns(offers);
  const sets = new Map<string, Int32Array>();
  const places = new Map<string, Map<unknown, number[]>>();
  const indexes = new Map<string, NumberIndex>();
  const figures = new Map<string, Figures>();
  const scratch = new Int32Array(words);
  const setOf = (holds: (offer: RuleOffer) => boolean): Int32Array => {
    const bits = new Int32Array(words);
    for (const [at, offer] of offers.entries()) {
      if (holds(offer)) bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
    }
    return bits;
  };
  const all = setOf(() => true);
  const placesBy = <T>(name: string, read: (offer: RuleOffer) => T | null) =>
    kept(places, mostFigures, name, () => Map.groupBy(offers.keys(), (at) => read(offers[at] as RuleOffer)));
  /** Made of the places of the values alone: thousands of watches name machines of their own. */
  const setAmong = <T>(
    name: string,
    values: readonly T[],
    read: (offer: RuleOffer) => T | null,
    wanted: boolean,
  ): Int32Array =>
    kept(sets, mostKept, `${wanted} ${name} ${values.join('|')}`, () => {
      const bits = wanted ? new Int32Array(words) : all.slice();
      const byValue = placesBy(name, read);
      for (const value of new Set<T>(values)) {
        for (const at of byValue.get(value) ?? []) bits[at >>> 5] = (bits[at >>> 5] ?? 0) ^ (1 << (at & 31));
      }
      return bits;
    });
  /** `atMost` is at least the negative. */
  const limited = (
    { operator, limit }: { operator: 'atLeast' | 'atMost'; limit: number },
    name: string,
    read: () => Float64Array,
  ): NumberCondition | null => {
    const isLeast = operator === 'atLeast';
    const index = kept(indexes, mostFigures, `${operator} ${name}`, () =>
      createNumberIndex(isLeast ? read() : read().map((value) => -value)),
    );
    return atLeastOf(index, isLeast ? limit : -limit);
  };
  const allowed = setOf((offer) => !isListed(blocklist.block, offer));
  const there = setOf((offer) => !offer.missing);

  const match = (filters: WatchFilters, storageGb: number): Matches => {
    const masks = [allowed];
    const conditions: (NumberCondition | null)[] = [];
    const list = <T>(
      name: string,
      values: readonly T[] | undefined,
      read: (offer: RuleOffer) => T | null,
      wanted = true,
    ) => {
      if (values !== undefined && values.length > 0) masks.push(setAmong(name, values, read, wanted));
    };
    list('gpuName', filters.gpuName, (offer) => offer.gpuName);
    list('type', filters.type?.length ? filters.type : (['on-demand'] as const), (offer) => offer.type);
    for (const condition of conditionsOf(filters)) {
      const { field } = condition;
      if ('limit' in condition) {
        const isPrice = field === 'usdPerHour';
        const prices = () => figureColumn(numbers, 'usdPerHour', { storageGb });
        const read = isPrice ? prices : () => numbers[field as NumberField];
        conditions.push(limited(condition, isPrice ? `price ${storageGb}` : field, read));
      } else if (field !== 'usdPerHour') {
        const values = condition.operator === 'is' ? [condition.value] : condition.values;
        list<unknown>(field, values, (offer) => offer[field], condition.operator !== 'noneOf');
      }
    }
    const known = conditions.filter((condition) => condition !== null);
    if (known.length < conditions.length) masks.push(new Int32Array(words));
    return createMatches({ scratch, size, there }, masks, known);
  };
  return {
    ...{ offers, match },
    missing: Uint8Array.from(offers, (offer) => (offer.missing ? 1 : 0)),
    joke: Uint8Array.from(offers, (offer) => (isJoke(offer) ? 1 : 0)),
    figures: (by, profile) =>
      kept(figures, mostFigures, `${by} ${Object.values(profile).join(' ')}`, () => {
        const values = figureColumn(numbers, by, profile);
        const known = Uint32Array.from(values.keys()).filter((at) => !Number.isNaN(values[at]));
        // Of equal offers the first listing is the best.
        const order = known.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
        return { values, order };
      }),
  };
}

function kept<T>(map: Map<string, T>, most: number, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (map.size < most) map.set(key, made);
  return made;
}
