import type { Picked, SpanColumns } from './span-columns.ts';

/** Amounts in columns, each from book `first` to `last`, both inclusive. */
export interface Stretches {
  first: number[];
  last: number[];
  amount: number[];
}

/** Supply of some spans: listed machines over time, and their GPUs, each once however offers overlap. */
export interface MachineSupply {
  machines: Stretches;
  physicalGpus: Stretches;
  /** Machines without GPU ids, whose largest offer of the model was counted. */
  unlisted: Stretches;
}

const noStretches = (): Stretches => ({ first: [], last: [], amount: [] });

/** Walks each machine's spans in time; counts GPUs per model. Source: docs/meaning.md#points-and-percentiles. */
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

/** Returns the picked spans by machine, then by first book. */
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

/** Adds a machine's spans of one model; between two changes its offers stay the same. */
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
  // An offer without ids beside some with ids adds no known GPU.
  const listed = only === null ? null : (union?.size ?? new Set(only).size);
  put(supply.physicalGpus, begin, end, listed ?? largest);
  if (listed === null) put(supply.unlisted, begin, end, 1);
}

function put(stretches: Stretches, first: number, last: number, amount: number): void {
  stretches.first.push(first);
  stretches.last.push(last);
  stretches.amount.push(amount);
}
