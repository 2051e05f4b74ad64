/** One documented behavior that the simulator can be made to break, so that a test of it can be seen to fail. */
export interface Mutant {
  id: string;
  /** Of docs/marketplace.md, `4.2`. */
  section: string;
  /** The defect. */
  breaks: string;
  patches: readonly Patch[];
}

/** A change of the simulator's source. `from` occurs exactly once in the file, whose path begins at `src/simulator`. */
export interface Patch {
  file: string;
  from: string;
  to: string;
}

type Row = readonly [id: string, section: string, breaks: string, from: string, to: string];

/** Mutants that are one change of the same file each. */
export function mutantsOf(file: string, rows: readonly Row[]): Mutant[] {
  return rows.map(([id, section, breaks, from, to]) => ({
    id,
    section,
    breaks,
    patches: [{ file, from, to }],
  }));
}

/** Rows that break one parameter of many alike, `rule:parameter`. */
export function rowsOfEach(names: readonly string[], rowOf: (name: string) => Row): Row[] {
  return names.map((name) => {
    const [rule, ...rest] = rowOf(name);
    return [`${rule}:${name}`, ...rest];
  });
}

/** Another operator in place of each. */
export const wrongOperators: Readonly<Record<string, string>> = {
  eq: 'neq',
  neq: 'eq',
  gt: 'gte',
  gte: 'gt',
  lt: 'lte',
  lte: 'lt',
  in: 'notin',
  notin: 'in',
};
