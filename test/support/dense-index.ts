/** One listing on one day, as it is regressed. */
export interface ListingDay {
  listing: string;
  machine: number;
  host: number;
  day: number;
  logPrice: number;
}

export interface DenseIndex {
  /** The days connected with the last one, oldest first. */
  days: number[];
  /** By day: the last day's level less its own. */
  changes: Map<number, number>;
  /** By day: the standard error of that; null: fewer than 3 hosts. */
  errors: Map<number, number | null>;
  /** By day: what each host contributes to that error. */
  influences: Map<number, Map<number, number>>;
  observations: number;
}

/**
 * The time-product dummy regression with a dummy for each listing and each day, solved as it is written: the oracle of
 * the index. Errors are CR1, from day dummies and prices with each listing's mean taken out. null: nothing on `last`.
 * Source: docs/meaning.md#like-for-like-index.
 */
export function solveDenseIndex(all: readonly ListingDay[], last: number): DenseIndex | null {
  const part = connected(all, last);
  if (part.length === 0) return null;
  const days = [...new Set(part.map(({ day }) => day))].sort((a, b) => a - b);
  const listings = [...new Set(part.map(({ listing }) => listing))];
  const free = days.slice(0, -1);
  const columns = [...listings, ...free];
  const design = part.map(({ listing, day }) =>
    columns.map((column) => +(column === listing || column === day)),
  );
  const right = design[0]?.map((_, at) =>
    sum(design, (row, place) => (row[at] ?? 0) * (part[place]?.logPrice ?? 0)),
  );
  const [beta = []] = solveLinear(crossProduct(design), [right ?? []]);
  const levels = new Map(
    days.map((day) => [day, day === last ? 0 : (beta[columns.indexOf(day)] ?? Number.NaN)]),
  );
  const residuals = part.map(
    ({ listing, day, logPrice }) =>
      logPrice - (beta[columns.indexOf(listing)] ?? Number.NaN) - (levels.get(day) ?? Number.NaN),
  );
  const centered = part.map(({ listing, day }) => {
    const own = part.filter((other) => other.listing === listing);
    return free.map(
      (each) => +(day === each) - own.filter((other) => other.day === each).length / own.length,
    );
  });
  const hosts = [...new Set(part.map(({ host }) => host))];
  const scores = hosts.map((host) =>
    free.map((_, at) =>
      sum(centered, (row, place) =>
        part[place]?.host === host ? (row[at] ?? 0) * (residuals[place] ?? 0) : 0,
      ),
    ),
  );
  const [g, n, k] = [hosts.length, part.length, days.length];
  const bread = free.length === 0 ? [] : crossProduct(centered);
  const scale = Math.sqrt((g / (g - 1)) * ((n - 1) / (n - k)));
  const influencesOn = (day: number): Map<number, number> => {
    const [weights = []] = solveLinear(bread, [free.map((each) => -(each === day))]);
    const influenceOf = (score: number[]) => sum(score, (value, at) => value * (weights[at] ?? 0)) * scale;
    return new Map(hosts.map((host, at) => [host, influenceOf(scores[at] ?? [])]));
  };
  const errorOf = (day: number): number | null =>
    g < 3 ? null : Math.sqrt(sum([...influencesOn(day).values()], (influence) => influence ** 2));
  return {
    days,
    changes: new Map(days.map((day) => [day, 0 - (levels.get(day) ?? Number.NaN)])),
    errors: new Map(free.map((day) => [day, errorOf(day)])),
    influences: new Map(g < 3 ? [] : free.map((day) => [day, influencesOn(day)])),
    observations: n,
  };
}

/** What listings and days connect with one day. */
function connected(all: readonly ListingDay[], last: number): ListingDay[] {
  const days = new Set([last]);
  const listings = new Set<string>();
  for (let before = -1; before !== days.size + listings.size; ) {
    before = days.size + listings.size;
    for (const { listing, day } of all) {
      if (days.has(day)) listings.add(listing);
      if (listings.has(listing)) days.add(day);
    }
  }
  return all.filter(({ listing }) => listings.has(listing));
}

function sum<T>(values: readonly T[], of: (value: T, place: number) => number): number {
  return values.reduce((total, value, place) => total + of(value, place), 0);
}

function crossProduct(rows: readonly (readonly number[])[]): number[][] {
  const width = rows[0]?.length ?? 0;
  const product = Array.from({ length: width }, () => new Array<number>(width).fill(0));
  for (const row of rows) {
    row.forEach((a, i) => {
      if (a === 0) return;
      const into = product[i] ?? [];
      row.forEach((b, j) => {
        into[j] = (into[j] ?? 0) + a * b;
      });
    });
  }
  return product;
}

/** Gauss's elimination with pivots, for several right sides. */
function solveLinear(
  matrix: readonly (readonly number[])[],
  rights: readonly (readonly number[])[],
): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, at) => [...row, ...rights.map((right) => right[at] ?? 0)]);
  for (let at = 0; at < size; at += 1) {
    const candidates = rows.slice(at).map((row) => Math.abs(row[at] ?? 0));
    const pivot = at + candidates.indexOf(Math.max(...candidates));
    [rows[at], rows[pivot]] = [rows[pivot] ?? [], rows[at] ?? []];
    const own = rows[at] ?? [];
    rows.forEach((row, other) => {
      const share = (row[at] ?? 0) / (own[at] ?? 0);
      if (other === at || share === 0) return;
      for (let column = at; column < row.length; column += 1) {
        row[column] = (row[column] ?? 0) - share * (own[column] ?? 0);
      }
    });
  }
  return rights.map((_, right) => rows.map((row, at) => (row[size + right] ?? 0) / (row[at] ?? 0)));
}
