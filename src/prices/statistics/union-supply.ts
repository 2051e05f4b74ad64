import type { Bucket } from '../../core/bucket.ts';
import { countBelow } from '../../core/count-below.ts';
import { bucketsOf, bucketsOfBooks, coveredBefore, createBucketSums } from './book-axis.ts';
import { findSupply } from './machine-supply.ts';
import { createSpanColumns, type Picked, pickAll, type SpanColumns } from './span-columns.ts';

/** The offers of one pricing type, over its own books. */
export interface SupplySide {
  spans: SpanColumns;
  picked: Picked;
  /** The moments of its books, ascending, by ordinal. */
  times: readonly Date[];
  covers: (ordinal: number) => boolean;
}

/** A moment at which every side has had a covering book since the previous round: the newest of each. */
export interface SupplyRound {
  /** Moment of its last book. */
  at: Date;
  /** One book per side. */
  ordinals: readonly number[];
}

/** The combined supply of the sides in a bucket, as means over its rounds. */
export interface UnionPoint {
  t: Date;
  rounds: number;
  machines: number;
  physicalGpus: number;
  /** true: some machine lists no GPU ids, so its largest offer was counted. */
  physicalGpusIsLowerBound: boolean;
}

/**
 * Returns rounds of covering books, oldest first. Rounds never cross from one stretch (by `stretchOf`, the start of a
 * bucket) to another, so that they do not depend on the range read.
 */
export function findRounds(sides: readonly SupplySide[], stretchOf: (at: Date) => number): SupplyRound[] {
  const books = sides
    .flatMap(({ times, covers }, side) =>
      times.flatMap((at, ordinal) => (covers(ordinal) ? [{ at, side, ordinal }] : [])),
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const rounds: SupplyRound[] = [];
  const begun = new Map<number, number>();
  let stretch = Number.NaN;
  for (const [place, { at, side, ordinal }] of books.entries()) {
    if (stretchOf(at) !== stretch) begun.clear();
    stretch = stretchOf(at);
    begun.set(side, ordinal);
    const isLastOfMoment = books[place + 1]?.at.getTime() !== at.getTime();
    if (begun.size < sides.length || !isLastOfMoment) continue;
    rounds.push({ at, ordinals: sides.map((_, place) => begun.get(place) ?? -1) });
    begun.clear();
  }
  return rounds;
}

/** Returns machines and their GPUs by buckets of rounds, each once whichever side lists it. */
export function unionSupply(
  sides: readonly SupplySide[],
  rounds: readonly SupplyRound[],
  bucket: Bucket,
): UnionPoint[] {
  const { ranges, times } = bucketsOfBooks(
    rounds.map(({ at }) => at),
    bucket,
  );
  const spans = joinSides(sides, rounds);
  const supply = findSupply(spans, pickAll(spans));
  const buckets = bucketsOf(ranges, rounds.length);
  const all = coveredBefore(rounds.map(() => true));
  const [machines, physicalGpus, unlisted] = [supply.machines, supply.physicalGpus, supply.unlisted].map(
    ({ first, last, amount }) => {
      const sums = createBucketSums(buckets, all);
      first.forEach((begin, at) => {
        sums.add(begin, last[at] as number, amount[at] as number);
      });
      return sums.totals();
    },
  ) as [Float64Array, Float64Array, Float64Array];
  return ranges.map(({ from, to }, place) => ({
    t: times[place] as Date,
    rounds: to - from,
    machines: (machines[place] as number) / (to - from),
    physicalGpus: (physicalGpus[place] as number) / (to - from),
    physicalGpusIsLowerBound: (unlisted[place] as number) > 0,
  }));
}

/** Returns the spans of all sides over the rounds instead of over each side's own books. */
function joinSides(sides: readonly SupplySide[], rounds: readonly SupplyRound[]): SpanColumns {
  const joined = createSpanColumns(sides.reduce((sum, { picked }) => sum + picked.length, 0));
  let sets: (readonly string[])[] = [];
  sides.forEach(({ spans, picked }, side) => {
    const ordinals = rounds.map((round) => round.ordinals[side] as number);
    for (const place of picked) {
      const first = countBelow(ordinals, spans.first[place] as number);
      const last = countBelow(ordinals, (spans.last[place] as number) + 1) - 1;
      if (last < first) continue;
      const at = joined.length;
      joined.length += 1;
      joined.first[at] = first;
      joined.last[at] = last;
      joined.gpuModelId[at] = spans.gpuModelId[place] as number;
      joined.numGpus[at] = spans.numGpus[place] as number;
      joined.machineId[at] = spans.machineId[place] as number;
      const set = spans.gpuIdSet[place] as number;
      joined.gpuIdSet[at] = set < 0 ? -1 : sets.length + set;
    }
    sets = sets.concat(spans.gpuIdSets);
  });
  joined.gpuIdSets = sets;
  return joined;
}
