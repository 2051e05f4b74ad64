import { UserError } from '../../core/errors.ts';
import { type FilterOperator, filterOperators, type MarketFilters } from '../../core/market-filter.ts';

/** The type of a field's values, and so of what it can be compared with. */
export type FieldType = 'number' | 'text' | 'boolean';
export type FieldTypes = Readonly<Record<string, FieldType>>;

/**
 * Returns the problems of filters, one sentence each: unknown fields (with the nearest known one), unknown operators,
 * several operators, values of the wrong type. `what` names them in messages.
 */
export function findFilterProblems(filters: MarketFilters, fields: FieldTypes, what = 'filter'): string[] {
  return Object.entries(filters).flatMap(([field, condition]) => {
    const name = `${what} ${field}`;
    if (!Object.hasOwn(fields, field))
      return [`${name}: no such field${suggest(field, Object.keys(fields))}`];
    if (typeof condition !== 'object' || condition === null) {
      return [`${name}: write an operator and its value, as in {"eq": ${JSON.stringify(condition)}}`];
    }
    const [entry, ...others] = Object.entries(condition);
    if (entry === undefined || others.length > 0) {
      return [`${name}: write exactly one of ${filterOperators.join(', ')}`];
    }
    const [operator, value] = entry;
    if (!isOperator(operator)) {
      return [`${name}: no operator "${operator}"; there are ${filterOperators.join(', ')}`];
    }
    const problem = findValueProblem(operator, value, fields[field] ?? 'text');
    return problem === null ? [] : [`${name}: ${problem}`];
  });
}

/** Throws one UserError with all `problems`, if there are any. */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new UserError(problems.join('; '));
}

function findValueProblem(operator: FilterOperator, value: unknown, type: FieldType): string | null {
  if (operator === 'in' || operator === 'notin') {
    if (!Array.isArray(value) || value.length === 0) return `${operator} needs a list of at least one value`;
    return value.every((item) => fits(item, type)) ? null : `${operator} needs a list of ${words[type]}s`;
  }
  if (type === 'boolean' && operator !== 'eq' && operator !== 'neq') {
    return `${operator} cannot compare true and false; use eq or neq`;
  }
  return fits(value, type) ? null : `${operator} needs a ${words[type]}, not ${JSON.stringify(value)}`;
}

// The market compares numeric text as numbers. Source: docs/marketplace.md#42-search-offers.
function fits(value: unknown, type: FieldType): boolean {
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'text') return typeof value === 'string' && value !== '';
  if (typeof value === 'string') return value.trim() !== '' && Number.isFinite(Number(value));
  return typeof value === 'number' && Number.isFinite(value);
}

const words: Record<FieldType, string> = { number: 'number', text: 'text', boolean: 'true or false value' };

const isOperator = (name: string): name is FilterOperator =>
  (filterOperators as readonly string[]).includes(name);

function suggest(field: string, known: readonly string[]): string {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const wanted = plain(field);
  const near =
    known.find((name) => plain(name) === wanted) ??
    known.find(
      (name) => wanted.length > 2 && (plain(name).startsWith(wanted) || wanted.startsWith(plain(name))),
    ) ??
    known.find((name) => distance(plain(name), wanted) <= 2);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Returns the number of single-character edits from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
