import { type ComparisonKey, comparisonKey } from './comparison-key.ts';
import { type OfferField, sourceField } from './search-fields.ts';

/** One offer as it is served. */
export type OfferRow = Readonly<Record<string, unknown>>;

/** The offers of a moment with the keys that filters and orders compare, each computed once. */
export interface OfferTable {
  readonly rows: readonly OfferRow[];
  /** Whether any row has the field, even with null. */
  has(field: OfferField): boolean;
  /** One key per row; null: unknown. */
  keys(field: OfferField): readonly ComparisonKey[];
  /** Rank of each row for responses without an order; null: rows are served as they are. */
  standing(): readonly number[] | null;
  /** Returns the cached result of `find` for this name, while few names are in use. */
  remembered(name: string, find: () => readonly number[]): readonly number[];
}

const maxSelections = 32;

/** Returns a table of rows. `standing`: a row with a higher value comes earlier without an order. */
export function createOfferTable<Row extends object>(
  records: readonly Row[],
  options: { standing?: (row: Row) => number } = {},
): OfferTable {
  const rows = records as readonly unknown[] as readonly OfferRow[];
  const columns = new Map<OfferField, readonly ComparisonKey[]>();
  const present = new Map<OfferField, boolean>();
  const selections = new Map<string, readonly number[]>();
  let standing: readonly number[] | null = null;
  return {
    rows,
    has(field) {
      const known = present.get(field) ?? rows.some((row) => Object.hasOwn(row, sourceField(field)));
      present.set(field, known);
      return known;
    },
    keys(field) {
      const source = sourceField(field);
      const keys = columns.get(field) ?? rows.map((row) => comparisonKey(field, row[source]));
      columns.set(field, keys);
      return keys;
    },
    standing() {
      if (options.standing !== undefined) standing ??= records.map(options.standing);
      return standing;
    },
    remembered(name, find) {
      const rows = selections.get(name) ?? find();
      if (selections.size >= maxSelections) selections.clear();
      selections.set(name, rows);
      return rows;
    },
  };
}
