import type { ComparisonKey } from './comparison-key.ts';
import type { OfferTable } from './offer-table.ts';
import { fieldKind } from './search-fields.ts';
import type { Filter, Operator } from './search-request.ts';

type Matches = (key: ComparisonKey) => boolean;

/** Fields that nearly every search filters by, with few values: found once per table. */
const usualFields = new Set<string>(['external', 'rentable', 'rented', 'verification', 'verified']);

/**
 * Returns the indexes of rows that match all filters. An unknown value (null) matches no comparison, including `neq`
 * and `notin`; only null itself finds it: `{eq: null}` is "unknown", `{neq: null}` "known", and null in a list
 * likewise. A filter on a field that no row has is ignored, because recorded books lack some.
 */
export function matchingRows(table: OfferTable, filters: readonly Filter[]): readonly number[] {
  const usual = filters.filter(({ field }) => usualFields.has(field));
  const others = filters.filter(({ field }) => !usualFields.has(field));
  const found = table.remembered(JSON.stringify(usual), () => narrow(table, allRows(table), usual));
  return narrow(table, found, others);
}

const allRows = (table: OfferTable): number[] => table.rows.map((_, row) => row);

function narrow(table: OfferTable, rows: readonly number[], filters: readonly Filter[]): readonly number[] {
  return filters.reduce((found, filter) => {
    if (!table.has(filter.field)) return found;
    const keys = table.keys(filter.field);
    const matches = compileFilter(filter);
    return found.filter((row) => matches(keys[row] ?? null));
  }, rows);
}

function compileFilter(filter: Filter): Matches {
  if (fieldKind(filter.field) === 'switch') return compileSwitch(filter);
  const { operator, operands } = filter;
  const [first = null] = operands;
  const listed = new Set(operands);
  const tests: Record<Operator, Matches> = {
    eq: (key) => key === first,
    neq: (key) => key !== null && key !== first,
    gt: (key) => key !== null && first !== null && key > first,
    lt: (key) => key !== null && first !== null && key < first,
    gte: (key) => key !== null && first !== null && key >= first,
    lte: (key) => key !== null && first !== null && key <= first,
    in: (key) => listed.has(key),
    notin: (key) => key !== null && !listed.has(key),
  };
  return tests[operator];
}

/**
 * `datacenter` on: only datacenters; off: everything. `external` on: external offers too; off: only those whose
 * `external` is null.
 */
function compileSwitch({ field, operator, operands }: Filter): Matches {
  const named = operands.includes(1);
  const on = operator === 'eq' || operator === 'in' ? named : !named;
  if (field === 'datacenter') return on ? (key) => key === 1 : () => true;
  return on ? () => true : (key) => key !== 1;
}
