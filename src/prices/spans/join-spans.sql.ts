import { countBelow } from '../../core/count-below.ts';
import { type MetricSpec, metrics } from '../../core/metric.ts';
import { conditionsOf, noFilter } from '../../core/offer-filter.ts';
import { testOf } from '../../core/offer-match.ts';
import { listedStorageGb } from '../../core/price.ts';
import { createMetric, offerUsdPerHour, type PriceParts } from '../../core/price-formulas.ts';
import { createTurns, type Turns } from '../../core/turns.ts';
import { createSpanColumns, createSpanOffers, type SpanColumns } from '../statistics/span-columns.ts';
import type { BookMoments } from './book-moments.sql.ts';
import {
  readDays,
  readFlags,
  readFloat8s,
  readInt2s,
  readInt4s,
  readInt8s,
  readTexts,
  sentLength,
} from './sent-array.ts';
import type { SentSpans, SpansRequest } from './sent-spans.sql.ts';

/** A listing has about a hundred spans a year. */
const listingsAtOnce = 64;

/** Rows of one kind by listing, each listing's in time order, from first to last book ordinal, both inclusive. */
interface Pieces {
  /** Index of each listing's first row; the next entry ends it. */
  starts: Int32Array;
  order: Int32Array;
  first: Int32Array;
  last: Int32Array;
}

/**
 * Cuts presence, intervals and attributes at each other's ends and joins equal neighbors into one span. Each part has
 * all rows of its listings. Lets other work run in between, because a whole market takes seconds.
 */
export async function joinSpans(
  parts: readonly SentSpans[],
  request: SpansRequest,
  { micros }: BookMoments,
): Promise<SpanColumns> {
  const capacity = parts.reduce(
    (sum, { listing, runListing, dayListing }) =>
      sum + sentLength(listing) + sentLength(runListing) + sentLength(dayListing),
    0,
  );
  const spans = createSpanColumns(capacity);
  spans.offers = request.withOffers === true ? createSpanOffers(capacity) : null;
  const setsOf = createTextSets(spans.gpuIdSets);
  const turns = createTurns();
  for (const part of parts) await joinPart(part, request, { spans, setsOf, micros, turns });
  return spans;
}

/** What the parts share. */
interface JoinedParts {
  /** Receives the spans. */
  spans: SpanColumns;
  setsOf: (texts: readonly (string | null)[]) => Int32Array;
  micros: Float64Array;
  turns: Turns;
}

async function joinPart(sent: SentSpans, request: SpansRequest, joined: JoinedParts): Promise<void> {
  const { spans, setsOf, micros, turns } = joined;
  const { offers } = spans;
  const listing = readInt4s(sent.listing);
  const indexOf = new Map<number, number>();
  const exemplars: number[] = [];
  const owner = new Int32Array(listing.length);
  await turns.over(listing.length, (from, to) => {
    for (let row = from; row < to; row += 1) {
      const id = listing[row] as number;
      let index = indexOf.get(id);
      if (index === undefined) {
        index = exemplars.length;
        indexOf.set(id, index);
        exemplars.push(row);
      }
      owner[row] = index;
    }
  });
  const count = exemplars.length;
  const ownersOf = async (ids: Int32Array): Promise<Int32Array> => {
    const owners = new Int32Array(ids.length);
    await turns.over(ids.length, (from, to) => {
      for (let row = from; row < to; row += 1) owners[row] = indexOf.get(ids[row] as number) ?? -1;
    });
    return owners;
  };
  const placed = { count, micros, turns };
  const presence = await arrange(owner, readInt8s(sent.firstAt), readInt8s(sent.lastAt), placed, true);
  const intervals = await arrange(
    await ownersOf(readInt4s(sent.runListing)),
    ...([readInt8s(sent.validFrom), readInt8s(sent.validTo), placed, false] as const),
  );
  const days = await arrange(
    await ownersOf(readInt4s(sent.dayListing)),
    ...([readDays(sent.day), readDays(sent.until), placed, false] as const),
  );
  await turns.pass();
  const setOf = setsOf(readTexts(sent.gpuIds));
  await turns.pass();
  const values = createValues(sent, request);
  await turns.pass();
  const [tier, passes] = [readInt2s(sent.tier), readFlags(sent.passes)];
  const [model, numGpus, machine] = [readInt2s(sent.model), readInt2s(sent.numGpus), readInt8s(sent.machine)];
  // Empty if not requested.
  const [ordinal, host] = [readInt2s(sent.ordinal), readInt8s(sent.host, Number.NaN)];

  await turns.over(count, joinListings, listingsAtOnce);

  function joinListings(from: number, to: number): void {
    for (let index = from; index < to; index += 1) joinListing(index);
  }

  function joinListing(index: number): void {
    const row = exemplars[index] as number;
    const gpus = numGpus[row] as number;
    let interval = intervals.starts[index] as number;
    let day = days.starts[index] as number;
    const [intervalsEnd, daysEnd] = [intervals.starts[index + 1] as number, days.starts[index + 1] as number];
    for (let at = presence.starts[index] as number; at < (presence.starts[index + 1] as number); at += 1) {
      const place = presence.order[at] as number;
      const until = presence.last[place] as number;
      let now = presence.first[place] as number;
      let previous = -1;
      while (now <= until) {
        while (
          interval < intervalsEnd &&
          (intervals.last[intervals.order[interval] as number] as number) < now
        )
          interval += 1;
        while (day < daysEnd && (days.last[days.order[day] as number] as number) < now) day += 1;
        if (interval >= intervalsEnd || day >= daysEnd) break;
        const priceRow = intervals.order[interval] as number;
        const dayRow = days.order[day] as number;
        const begin = Math.max(now, intervals.first[priceRow] as number, days.first[dayRow] as number);
        const end = Math.min(until, intervals.last[priceRow] as number, days.last[dayRow] as number);
        if (begin > until) break;
        if (end >= begin && passes[dayRow] === 1 && values.passes(priceRow)) {
          previous = put(begin, end, values.of(priceRow, dayRow, gpus), priceRow, dayRow, row, previous);
        }
        now = Math.max(end, begin - 1) + 1;
      }
    }
  }

  function put(
    ...[begin, end, value, priceRow, dayRow, row, previous]: [
      ...[begin: number, end: number, value: number, priceRow: number],
      ...[dayRow: number, row: number, previous: number],
    ]
  ): number {
    const set = setOf[dayRow] as number;
    const grade = tier[dayRow] as number;
    const hostId = host[dayRow] ?? Number.NaN;
    if (
      previous >= 0 &&
      spans.last[previous] === begin - 1 &&
      Object.is(spans.value[previous], value) &&
      spans.gpuIdSet[previous] === set &&
      spans.verificationTierId[previous] === grade &&
      Object.is(spans.hostId[previous], hostId) &&
      (offers === null || isSameOffer(previous, priceRow, row))
    ) {
      spans.last[previous] = end;
      return previous;
    }
    const at = spans.length;
    spans.length += 1;
    spans.first[at] = begin;
    spans.last[at] = end;
    spans.value[at] = value;
    spans.gpuModelId[at] = model[row] as number;
    spans.numGpus[at] = numGpus[row] as number;
    spans.verificationTierId[at] = grade;
    spans.machineId[at] = machine[row] as number;
    spans.gpuIdSet[at] = set;
    spans.ordinal[at] = ordinal[row] ?? 0;
    spans.hostId[at] = hostId;
    if (offers !== null) {
      offers.listing[at] = listing[row] as number;
      offers.baseUsdPerHour[at] = values.baseOf(priceRow);
      offers.listedUsdPerGpuHour[at] = values.listedOf(priceRow, numGpus[row] as number);
    }
    return at;
  }

  function isSameOffer(previous: number, priceRow: number, row: number): boolean {
    const listed = values.listedOf(priceRow, numGpus[row] as number);
    return (
      offers?.baseUsdPerHour[previous] === values.baseOf(priceRow) &&
      Object.is(offers.listedUsdPerGpuHour[previous], listed)
    );
  }
}

/** Groups rows by listing and converts their ends to book ordinals; leaves out rows without any book of the axis. */
async function arrange(
  owner: Int32Array,
  begins: Float64Array,
  ends: Float64Array,
  { count, micros, turns }: { count: number; micros: Float64Array; turns: Turns },
  endIncluded: boolean,
): Promise<Pieces> {
  const rows = owner.length;
  const first = new Int32Array(rows);
  const last = new Int32Array(rows);
  const starts = new Int32Array(count + 1);
  await turns.over(rows, (from, to) => {
    for (let row = from; row < to; row += 1) {
      first[row] = countBelow(micros, begins[row] as number);
      last[row] = countBelow(micros, (ends[row] as number) + (endIncluded ? 1 : 0)) - 1;
      const index = owner[row] as number;
      if (index >= 0 && (last[row] as number) >= (first[row] as number)) {
        starts[index + 1] = (starts[index + 1] as number) + 1;
      }
    }
  });
  for (let index = 0; index < count; index += 1) {
    starts[index + 1] = (starts[index + 1] as number) + (starts[index] as number);
  }
  const filled = starts.slice();
  const order = new Int32Array(starts[count] as number);
  await turns.over(rows, (begin, end) => {
    for (let row = begin; row < end; row += 1) {
      const index = owner[row] as number;
      if (index < 0 || (last[row] as number) < (first[row] as number)) continue;
      const from = starts[index] as number;
      let slot = filled[index] as number;
      filled[index] = slot + 1;
      // Rows are mostly in time order already.
      while (slot > from && (first[order[slot - 1] as number] as number) > (first[row] as number)) {
        order[slot] = order[slot - 1] as number;
        slot -= 1;
      }
      order[slot] = row;
    }
  });
  return { starts, order, first, last };
}

/** Converts GPU ids to indexes of `sets`, to which it adds new ones; rows with the same ids share one. -1: none. */
function createTextSets(sets: (readonly string[])[]): JoinedParts['setsOf'] {
  const known = new Map<string, number>();
  const setOf = (text: string): number => {
    const found = known.get(text);
    if (found !== undefined) return found;
    known.set(text, sets.length);
    // NULL among the ids does not count, as in a count of distinct values.
    const inside = text.slice(1, -1);
    return sets.push(inside === '' ? [] : inside.split(',').filter((id) => id !== 'NULL')) - 1;
  };
  return (texts) => Int32Array.from(texts, (text) => (text === null ? -1 : setOf(text)));
}

const isGpus = ({ field }: MetricSpec['per'][number]): boolean => field === 'numGpus';

function createValues(sent: SentSpans, { metric, profile, filter = noFilter }: SpansRequest) {
  const [base, storage] = [readFloat8s(sent.base), readFloat8s(sent.storage)];
  const [down, up] = [readFloat8s(sent.down), readFloat8s(sent.up)];
  const divisors = readFloat8s(sent.divisor);
  const value = createMetric(metric, profile);
  const { per }: MetricSpec = metrics[metric];
  const [isPerGpu, isPerMore] = [per.some(isGpus), !per.every(isGpus)];
  const parts: PriceParts = {
    baseUsdPerHour: 0,
    storageUsdPerGbMonth: 0,
    inetDownUsdPerGb: 0,
    inetUpUsdPerGb: 0,
  };
  const load = (interval: number): PriceParts => {
    parts.baseUsdPerHour = base[interval] as number;
    parts.storageUsdPerGbMonth = storage[interval] as number;
    parts.inetDownUsdPerGb = down[interval] ?? Number.NaN;
    parts.inetUpUsdPerGb = up[interval] ?? Number.NaN;
    return parts;
  };
  const prices = conditionsOf(filter).filter(({ field }) => field === 'usdPerHour');
  const meets = prices.map(testOf);
  return {
    passes: (interval: number): boolean => {
      if (meets.length === 0) return true;
      const price = offerUsdPerHour(load(interval), profile.storageGb);
      return meets.every((each) => each(Number.isNaN(price) ? null : price));
    },
    baseOf: (interval: number): number => base[interval] as number,
    listedOf: (interval: number, numGpus: number): number =>
      offerUsdPerHour(load(interval), listedStorageGb) / numGpus,
    of: (interval: number, day: number, numGpus: number): number =>
      value(load(interval), (isPerMore ? (divisors[day] as number) : 1) * (isPerGpu ? numGpus : 1)),
  };
}
