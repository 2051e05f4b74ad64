import type { Picked, SpanColumns } from './span-columns.ts';

/** What holds from one book to another, as columns: `amount` from `first` to `last`, both included. */
export interface Stretches {
  first: number[];
  last: number[];
  amount: number[];
}

/** Supply of some spans: machines at any time, and their GPUs, each once however its chunks overlap. */
export interface MachineSupply {
  machines: Stretches;
  physicalGpus: Stretches;
  /** Where a machine lists no GPU ids, so that its largest offer of the model was counted. */
  unlisted: Stretches;
}

const noStretches = (): Stretches => ({ first: [], last: [], amount: [] });

/**
 * Goes over each machine's spans in time. GPUs are counted a model of a machine.
 * Source: docs/meaning.md#points-and-percentiles.
 */
export function findSupply(spans: SpanColumns, picked: Picked): MachineSupply {
  const supply = { machines: noStretches(), physicalGpus: noStretches(), unlisted: noStretches() };
  const order = byMachine(spans, picked);
  let begin = 0;
  while (begin < order.length) {
    const machine = spans.machineId[order[begin] as number];
    let end = begin + 1;
    while (end < order.length && spans.machineId[order[end] as number] === machine) end += 1;
    addMachine(spans, order.subarray(begin, end), supply);
    begin = end;
  }
  return supply;
}

/** Picked spans by machine, those of a machine by their first book. */
function byMachine({ machineId, first }: SpanColumns, picked: Picked): Int32Array {
  const groups = new Map<number, number[]>();
  for (const place of picked) {
    const machine = machineId[place] as number;
    const group = groups.get(machine);
    if (group === undefined) groups.set(machine, [place]);
    else group.push(place);
  }
  const order = new Int32Array(picked.length);
  let at = 0;
  for (const group of groups.values()) {
    if (group.length > 1) group.sort((a, b) => (first[a] as number) - (first[b] as number));
    for (const place of group) {
      order[at] = place;
      at += 1;
    }
  }
  return order;
}

function addMachine(spans: SpanColumns, places: Int32Array, supply: MachineSupply): void {
  const { first, last, gpuModelId } = spans;
  let begin = first[places[0] as number] as number;
  let end = last[places[0] as number] as number;
  let sameModel = true;
  for (const place of places) {
    sameModel &&= gpuModelId[place] === gpuModelId[places[0] as number];
    if ((first[place] as number) > end + 1) {
      put(supply.machines, begin, end, 1);
      begin = first[place] as number;
    }
    end = Math.max(end, last[place] as number);
  }
  put(supply.machines, begin, end, 1);
  if (sameModel) addGpus(spans, places, supply);
  else {
    const models = Map.groupBy(places, (place) => gpuModelId[place]);
    for (const group of models.values()) addGpus(spans, Int32Array.from(group), supply);
  }
}

/** A machine's spans of one model: between two changes the same chunks are there. */
function addGpus(spans: SpanColumns, places: Int32Array, supply: MachineSupply): void {
  const { first, last } = spans;
  if (places.length === 1) {
    const place = places[0] as number;
    count(spans, [place], first[place] as number, last[place] as number, supply);
    return;
  }
  let active: number[] = [];
  let at = 0;
  let now = first[places[0] as number] as number;
  while (at < places.length || active.length > 0) {
    while (at < places.length && (first[places[at] as number] as number) <= now) {
      active.push(places[at] as number);
      at += 1;
    }
    let until = at < places.length ? (first[places[at] as number] as number) - 1 : Number.POSITIVE_INFINITY;
    for (const place of active) until = Math.min(until, last[place] as number);
    if (active.length > 0) count(spans, active, now, until, supply);
    now = until + 1;
    active = active.filter((place) => (last[place] as number) >= now);
    if (active.length === 0 && at < places.length) now = first[places[at] as number] as number;
  }
}

function count(
  { gpuIdSet, gpuIdSets, numGpus }: SpanColumns,
  active: readonly number[],
  begin: number,
  end: number,
  supply: MachineSupply,
): void {
  let largest = 0;
  let only: readonly string[] | null = null;
  let union: Set<string> | null = null;
  for (const place of active) {
    largest = Math.max(largest, numGpus[place] as number);
    const set = gpuIdSets[gpuIdSet[place] as number];
    if (set === undefined || set === only) continue;
    if (only === null) only = set;
    else {
      union ??= new Set(only);
      for (const id of set) union.add(id);
    }
  }
  // A chunk without ids beside chunks with some adds none that is known.
  const listed = only === null ? null : (union?.size ?? new Set(only).size);
  put(supply.physicalGpus, begin, end, listed ?? largest);
  if (listed === null) put(supply.unlisted, begin, end, 1);
}

function put(stretches: Stretches, first: number, last: number, amount: number): void {
  stretches.first.push(first);
  stretches.last.push(last);
  stretches.amount.push(amount);
}
