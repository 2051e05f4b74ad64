import { countBelow } from '../../core/count-below.ts';
import type { Buckets, CoveredBefore } from './book-axis.ts';
import type { Picked, SpanColumns } from './span-columns.ts';

const percentileShares = [0.1, 0.25, 0.5, 0.75, 0.9] as const;

/** Prices of one bucket; null: it has none. */
export interface PriceStatistics {
  observations: number;
  min: number | null;
  /** At percentileShares; null with `min`. */
  percentiles: number[] | null;
  max: number | null;
}

/** The distinct prices of some spans, sorted, and each span's index among them; -1: no price. */
export interface RankedValues {
  sorted: Float64Array;
  rank: Int32Array;
}

/** Ranks the values of the picked spans. */
export function rankValues(spans: SpanColumns, picked: Picked): RankedValues {
  const sorted = distinctValues(spans, picked);
  const rank = new Int32Array(picked.length);
  for (let at = 0; at < picked.length; at += 1) {
    const price = spans.value[picked[at] as number] as number;
    rank[at] = Number.isNaN(price) ? -1 : countBelow(sorted, price);
  }
  return { sorted, rank };
}

/** Returns the distinct values of the picked spans, ascending. */
export function distinctValues({ value }: SpanColumns, picked: Picked): Float64Array {
  const known = new Float64Array(picked.length);
  let count = 0;
  for (const place of picked) {
    const price = value[place] as number;
    if (!Number.isNaN(price)) {
      known[count] = price;
      count += 1;
    }
  }
  const all = known.subarray(0, count).sort();
  let distinct = 0;
  for (let at = 0; at < count; at += 1) {
    if (at === 0 || all[at] !== all[at - 1]) {
      all[distinct] = all[at] as number;
      distinct += 1;
    }
  }
  return all.subarray(0, distinct);
}

/**
 * Returns figures of every bucket over the multiset in which a span's price counts once for each covered book of the
 * bucket that it holds, interpolated linearly like percentile_cont. A span that holds whole buckets stays in one tree,
 * so that its cost depends only on its changes.
 */
export function poolPrices(
  spans: SpanColumns,
  picked: Picked,
  { sorted, rank }: RankedValues,
  buckets: Buckets,
  covered: CoveredBefore,
): PriceStatistics[] {
  const { from, to } = buckets;
  const count = from.length;
  const size = sorted.length;
  const figures: PriceStatistics[] = [];
  const events = collectEvents(spans, picked, rank, buckets);
  const whole = new Float64Array(size + 1);
  const part = new Float64Array(size + 1);
  const add = (tree: Float64Array, place: number, amount: number): void => {
    for (let at = place + 1; at <= size; at += at & -at) tree[at] = (tree[at] as number) + amount;
  };
  const top = size === 0 ? 0 : 1 << (31 - Math.clz32(size));
  let wholeSpans = 0;
  for (let bucket = 0; bucket < count; bucket += 1) {
    const begin = from[bucket] as number;
    const end = to[bucket] as number;
    const books = (covered[end] as number) - (covered[begin] as number);
    for (let at = events.starts[bucket] as number; at < (events.starts[bucket + 1] as number); at += 1) {
      const event = events.order[at] as number;
      const index = event >> 1;
      // Odd: the span has held its last whole bucket.
      add(whole, rank[index] as number, event & 1 ? -1 : 1);
      wholeSpans += event & 1 ? -1 : 1;
    }
    const partial = events.parts[bucket] ?? [];
    let observations = wholeSpans * books;
    for (const index of partial) {
      const weight = weightOf(index, begin, end);
      if (weight === 0) continue;
      add(part, rank[index] as number, weight);
      observations += weight;
    }
    figures.push(books === 0 || observations === 0 ? noPrices : read(observations, books));
    for (const index of partial) {
      const weight = weightOf(index, begin, end);
      if (weight > 0) add(part, rank[index] as number, -weight);
    }
  }
  return figures;

  function weightOf(index: number, begin: number, end: number): number {
    const place = picked[index] as number;
    const first = Math.max(spans.first[place] as number, begin);
    const after = Math.min((spans.last[place] as number) + 1, end);
    return after > first ? (covered[after] as number) - (covered[first] as number) : 0;
  }

  /** Returns the price at a position of the sorted multiset, from 0. */
  function at(place: number, books: number): number {
    let below = place;
    let found = 0;
    for (let step = top; step > 0; step >>= 1) {
      const tried = found + step;
      if (tried > size) continue;
      const weight = (whole[tried] as number) * books + (part[tried] as number);
      if (weight <= below) {
        found = tried;
        below -= weight;
      }
    }
    return sorted[Math.min(found, size - 1)] as number;
  }

  function read(observations: number, books: number): PriceStatistics {
    const percentiles = percentileShares.map((share) => {
      const exact = share * (observations - 1);
      const low = Math.floor(exact);
      const lower = at(low, books);
      if (exact === low) return lower;
      const upper = at(low + 1, books);
      return lower + (exact - low) * (upper - lower);
    });
    return { observations, min: at(0, books), percentiles, max: at(observations - 1, books) };
  }

  function collectEvents(
    { first, last }: SpanColumns,
    places: Picked,
    ranks: Int32Array,
    { from: starts, to: ends, next: after }: Buckets,
  ) {
    const sizes = new Int32Array(count + 1);
    const parts: (number[] | undefined)[] = new Array(count);
    const wholeFrom = new Int32Array(places.length).fill(-1);
    const wholeTo = new Int32Array(places.length);
    const addPart = (bucket: number, index: number): void => {
      const list = parts[bucket];
      if (list === undefined) parts[bucket] = [index];
      else list.push(index);
    };
    for (let index = 0; index < places.length; index += 1) {
      if ((ranks[index] as number) < 0) continue;
      const place = places[index] as number;
      const spanFirst = first[place] as number;
      const spanLast = last[place] as number;
      const begin = after[spanFirst] as number;
      if (begin >= count || (starts[begin] as number) > spanLast) continue;
      let end = after[spanLast] as number;
      if (end >= count || (starts[end] as number) > spanLast) end -= 1;
      const holdsFirst = spanFirst <= (starts[begin] as number);
      const holdsLast = spanLast >= (ends[end] as number) - 1;
      if (begin === end) {
        if (holdsFirst && holdsLast) setWhole(index, begin, end);
        else addPart(begin, index);
        continue;
      }
      if (!holdsFirst) addPart(begin, index);
      if (!holdsLast) addPart(end, index);
      setWhole(index, holdsFirst ? begin : begin + 1, holdsLast ? end : end - 1);
    }
    function setWhole(index: number, begin: number, end: number): void {
      if (end < begin) return;
      wholeFrom[index] = begin;
      wholeTo[index] = end + 1;
      sizes[begin] = (sizes[begin] as number) + 1;
      // A span that ends with the last bucket need not be removed.
      if (end + 1 < count) sizes[end + 1] = (sizes[end + 1] as number) + 1;
    }
    const offsets = new Int32Array(count + 1);
    for (let bucket = 0; bucket < count; bucket += 1) {
      offsets[bucket + 1] = (offsets[bucket] as number) + (sizes[bucket] as number);
    }
    const filled = offsets.slice();
    const order = new Int32Array(offsets[count] as number);
    const put = (bucket: number, event: number): void => {
      const slot = filled[bucket] as number;
      order[slot] = event;
      filled[bucket] = slot + 1;
    };
    for (let index = 0; index < places.length; index += 1) {
      const begin = wholeFrom[index] as number;
      if (begin < 0) continue;
      put(begin, index << 1);
      const end = wholeTo[index] as number;
      if (end < count) put(end, (index << 1) | 1);
    }
    return { starts: offsets, order, parts };
  }
}

const noPrices: PriceStatistics = { observations: 0, min: null, percentiles: null, max: null };
