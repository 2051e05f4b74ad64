/** A listing with the mean of its log prices on each UTC day. */
export interface ObservedListing {
  listingId: number;
  /** null: unknown; all unknown hosts count as one. */
  hostId: number | null;
  machineId: number;
  logs: ReadonlyMap<number, number>;
}

/** The regression of a window, solved by the documented formula. */
export interface PlainRegression {
  /** Days that listings connect with the last one, oldest first. */
  days: number[];
  /** Listings of these days. */
  listings: ObservedListing[];
  /** Those seen on two or more days. */
  repeated: ObservedListing[];
  observations: number;
  /** The last day's level minus that of a day, and its standard error; null error: fewer than 3 hosts. */
  contrast: (day: number) => { change: number; error: number | null };
}

const minHosts = 3;

/**
 * Fits log price = listing + day by least squares to what listings connect with `last`, eliminating listings by their
 * means and then days. null: nothing observed on `last`. Source: docs/meaning.md#like-for-like-index.
 */
export function regressPlainly(all: readonly ObservedListing[], last: number): PlainRegression | null {
  const listings = connectedWith(all, last);
  if (listings.length === 0) return null;
  const days = [...new Set(listings.flatMap(({ logs }) => [...logs.keys()]))].sort((a, b) => a - b);
  const free = days.filter((day) => day !== last);
  const repeated = listings.filter(({ logs }) => logs.size > 1);
  const matrix = free.map(() => free.map(() => 0));
  const right = free.map(() => 0);
  const placeOf = new Map(free.map((day, place) => [day, place]));
  for (const { logs } of repeated) {
    const places = [...logs.keys()].flatMap((day) => placeOf.get(day) ?? []);
    for (const row of places) {
      for (const column of places) {
        add(matrix[row], column, (row === column ? 1 : 0) - 1 / logs.size);
      }
    }
    const mean = meanOf([...logs.values()]);
    for (const [day, log] of logs) add(right, placeOf.get(day), log - mean);
  }
  const solved = solveByElimination(matrix, right);
  const levels = new Map<number, number>([
    [last, 0],
    ...free.map((day, place) => [day, solved[place] ?? 0] as const),
  ]);
  const scores = scoresByHost(repeated, levels, placeOf);
  const observations = listings.reduce((sum, { logs }) => sum + logs.size, 0);
  const hosts = new Set(listings.map(({ hostId }) => hostId)).size;
  const scale = (hosts / (hosts - 1)) * ((observations - 1) / (observations - days.length));
  return {
    days,
    listings,
    repeated,
    observations,
    contrast: (day) => {
      const change = -(levels.get(day) ?? Number.NaN);
      if (hosts < minHosts) return { change, error: null };
      const weights = solveByElimination(
        matrix,
        free.map((each) => (each === day ? 1 : 0)),
      );
      const squares = [...scores.values()].map(
        (score) => score.reduce((sum, each, place) => sum + each * (weights[place] ?? 0), 0) ** 2,
      );
      return { change, error: Math.sqrt(squares.reduce((sum, each) => sum + each, 0) * scale) };
    },
  };
}

/** Returns the listings that share days with the last one, directly or through others. */
function connectedWith(all: readonly ObservedListing[], last: number): ObservedListing[] {
  const days = new Set([last]);
  const found = new Set<ObservedListing>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const listing of all) {
      if (found.has(listing) || ![...listing.logs.keys()].some((day) => days.has(day))) continue;
      found.add(listing);
      for (const day of listing.logs.keys()) days.add(day);
    }
  }
  return [...found];
}

/** Returns the sums of residuals by host on each free day. */
function scoresByHost(
  repeated: readonly ObservedListing[],
  levels: ReadonlyMap<number, number>,
  placeOf: ReadonlyMap<number, number>,
): Map<number | null, number[]> {
  const scores = new Map<number | null, number[]>();
  for (const { hostId, logs } of repeated) {
    const score = scores.get(hostId) ?? new Array<number>(placeOf.size).fill(0);
    scores.set(hostId, score);
    const rests = [...logs].map(([day, log]) => [day, log - (levels.get(day) ?? 0)] as const);
    const mean = meanOf(rests.map(([, rest]) => rest));
    for (const [day, rest] of rests) add(score, placeOf.get(day), rest - mean);
  }
  return scores;
}

function add(into: number[] | undefined, place: number | undefined, amount: number): void {
  if (into !== undefined && place !== undefined) into[place] = (into[place] ?? 0) + amount;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Solves linear equations by Gauss-Jordan elimination with pivots. */
function solveByElimination(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, place) => [...row, right[place] ?? 0]);
  const size = rows.length;
  for (let at = 0; at < size; at += 1) {
    let pivot = at;
    for (let row = at; row < size; row += 1) {
      if (Math.abs(rows[row]?.[at] ?? 0) > Math.abs(rows[pivot]?.[at] ?? 0)) pivot = row;
    }
    [rows[at], rows[pivot]] = [rows[pivot] ?? [], rows[at] ?? []];
    const own = rows[at] ?? [];
    for (const [place, row] of rows.entries()) {
      if (place === at) continue;
      const share = (row[at] ?? 0) / (own[at] ?? 1);
      for (let column = at; column <= size; column += 1) add(row, column, -share * (own[column] ?? 0));
    }
  }
  return rows.map((row, place) => (row[size] ?? 0) / (row[place] ?? 1));
}
